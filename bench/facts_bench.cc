// facts/: what a variant costs on disk and what put and read cost in time. Checks every text before it prints.
#include <fmt/format.h>
#include <stdlib.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "storage/address.h"
#include "storage/facts.h"

namespace {

using namespace residue;
using namespace residue::storage;

double cpu_us() { return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Words with Zipf-like ranks out of a made-up vocabulary.
std::string word(std::uint64_t draw) {
  const double u = static_cast<double>(draw >> 11U) * 0x1p-53;
  std::uint64_t rank = static_cast<std::uint64_t>(6'000.0 * u * u * u);
  std::string text;
  for (std::uint64_t h = mix(rank), n = 2 + rank % 7; n > 0; --n, h /= 20) text += "etaoinshrdlucmfwygpb"[h % 20];
  return text;
}

std::vector<std::string> generated(std::size_t count, std::size_t bytes) {
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint64_t n = 0; texts[i].size() < bytes; ++n) {
      texts[i] += word(hash_of(i, "text", n)) + (hash_of(i, "stop", n) % 13 == 0 ? ". " : " ");
    }
  }
  return texts;
}

std::vector<std::string> vignettes() {
  std::vector<std::string> texts;
  std::ifstream file(RESIDUE_SOURCE_DIR "/../shared/data/mediq_medqa_facts/imedqa_dev_1272_with_facts.jsonl");
  for (std::string line; std::getline(file, line);) {
    std::string text;
    const auto row = nlohmann::json::parse(line);
    for (const auto& part : row["context"]) text += (text.empty() ? "" : " ") + part.get<std::string>();
    texts.push_back(text);
  }
  return texts;
}

// `percent` of the words replaced: by "[REDACTED]" or by other words of the vocabulary.
std::string variant(const std::string& text, unsigned percent, bool redact, std::uint64_t seed) {
  std::istringstream in(text);
  std::string out;
  std::uint64_t n = 0;
  for (std::string token; in >> token; ++n) {
    const bool hit = hash_of(seed, "hit", n) % 100 < percent;
    out += (n == 0 ? "" : " ") + (!hit ? token : redact ? "[REDACTED]" : word(hash_of(seed, "new", n)));
  }
  return out;
}

struct Cost {
  double share;  // bytes of used pages / raw bytes
  double put_us;
  double read_us;
};

// Stores the originals (trains their dictionary), a first half of variants alone (trains theirs), then measures.
Cost measure(const std::vector<std::string>& originals, const std::vector<std::string>& variants, bool against) {
  std::string name = (std::filesystem::temp_directory_path() / "residue-bench-XXXXXX").string();
  const std::filesystem::path dir = ::mkdtemp(name.data());
  Facts::create(dir, "bench");
  Cost cost{};
  {
    Facts facts(dir, std::string(32, 'k'), "bench");
    std::vector<TextId> ids;
    auto writer = facts.write();
    for (const auto& text : originals) ids.push_back(writer->put(text, PrivacyClass::kOriginal));
    for (std::size_t i = 0; i < originals.size();
         ++i) {  // trains the sanitized class, so that "alone" has a dictionary
      (void)writer->put(variant(originals[i], 40, true, i), PrivacyClass::kSanitized);
    }
    writer->commit();
    const auto before = facts.info().file_bytes;
    double raw = 0;
    std::vector<TextId> stored;
    double start = cpu_us();
    writer = facts.write();
    for (std::size_t i = 0; i < variants.size(); ++i) {
      raw += static_cast<double>(variants[i].size());
      stored.push_back(
          writer->put(variants[i], PrivacyClass::kSanitized, against ? std::optional(ids[i]) : std::nullopt));
    }
    writer->commit();
    const auto count = static_cast<double>(variants.size());
    cost.put_us = (cpu_us() - start) / count;
    cost.share = static_cast<double>(facts.info().file_bytes - before) / raw;
    start = cpu_us();
    const auto reader = facts.read();
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (reader->text(stored[i]) != variants[i]) std::abort();
    }
    cost.read_us = (cpu_us() - start) / count;
  }
  std::filesystem::remove_all(dir);
  return cost;
}

bool ratios(const char* corpus, const std::vector<std::string>& originals) {
  struct Row {
    const char* name;
    unsigned percent;
    bool redact;
    double limit;
  };
  bool good = true;
  for (const Row& row : {Row{"5 % other words", 5, false, 0.13}, Row{"25 % redacted", 25, true, 0.27}}) {
    std::vector<std::string> variants;
    for (std::size_t i = 0; i < originals.size(); ++i)
      variants.push_back(variant(originals[i], row.percent, row.redact, i + 77));
    const Cost alone = measure(originals, variants, false);
    const Cost against = measure(originals, variants, true);
    const bool ok = against.share <= row.limit && against.share <= 0.65 * alone.share;
    good = good && ok;
    fmt::print(
        "{:<10} {:<16} against {:5.1f} % (limit {:2.0f} %), dictionary {:5.1f} %, factor {:.2f}; put {:.1f} us, read "
        "{:.1f} us  {}\n",
        corpus, row.name, 100 * against.share, 100 * row.limit, 100 * alone.share, against.share / alone.share,
        against.put_us, against.read_us, ok ? "ok" : "MISSED");
  }
  return good;
}

}  // namespace

int main() {
  const auto texts = generated(4'000, 1'500);
  const AddressKey key(std::string(32, 'k'));
  double start = cpu_us();
  for (const auto& text : texts) (void)key.of(text);
  fmt::print("address of 1.5 KB: {:.2f} us\n", (cpu_us() - start) / 4'000);
  const Cost originals = measure({}, texts, false);
  fmt::print("originals of 1.5 KB: {:.1f} % of raw, put {:.1f} us, read {:.1f} us\n", 100 * originals.share,
             originals.put_us, originals.read_us);
  bool good = ratios("generated", texts);
  const auto medqa = vignettes();
  if (medqa.empty()) {
    fmt::print("MedQA: skipped, ../shared is not here\n");
  } else {
    good = ratios("MedQA", medqa) && good;
  }
  return good ? 0 : 1;
}
