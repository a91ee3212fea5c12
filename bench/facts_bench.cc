// facts/: what a variant costs on disk and what put and read cost in time. Checks every text before it prints.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/hash.h"
#include "storage/facts/address.h"
#include "storage/facts/dictionary.h"
#include "storage/facts/facts.h"
#include "storage/facts/frame.h"

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

enum class Edit { kOtherWords, kRedacted, kStars };

// `percent` of the words replaced: by words of other texts of the same corpus, by "[REDACTED]", by stars of that
// length.
std::vector<std::string> edited(const std::vector<std::string>& texts, unsigned percent, Edit edit,
                                std::uint64_t seed) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < texts.size(); i += 5) {
    std::istringstream in(texts[i]);
    for (std::string token; in >> token;) words.push_back(token);
  }
  std::vector<std::string> all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::istringstream in(texts[i]);
    std::string out;
    std::uint64_t n = 0;
    for (std::string token; in >> token; ++n) {
      if (hash_of(seed + i, "hit", n) % 100 < percent) {
        token = edit == Edit::kRedacted ? "[REDACTED]"
                : edit == Edit::kStars  ? std::string(token.size(), '*')
                                        : words[hash_of(seed + i, "new", n) % words.size()];
      }
      out += (n == 0 ? "" : " ") + token;
    }
    all.push_back(out);
  }
  return all;
}

struct Cost {
  double first = 0;  // bytes of used pages / raw bytes, of a first batch
  double later = 0;  // the mean of the batches after it, each of as many texts
  double put_us = 0;
  double read_us = 0;
};

// Stores `batch` in a transaction of its own and reads it back.
void store(Facts& facts, const std::vector<std::string>& batch, PrivacyClass cls, const std::vector<TextId>* originals,
           double& share, Cost& cost) {
  const auto before = facts.info().file_bytes;
  double raw = 0;
  std::vector<TextId> ids;
  double start = cpu_us();
  const auto writer = facts.write();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    raw += static_cast<double>(batch[i].size());
    ids.push_back(writer->put(batch[i], cls, originals == nullptr ? std::nullopt : std::optional((*originals)[i])));
  }
  writer->commit();
  const auto count = static_cast<double>(batch.size());
  cost.put_us = (cpu_us() - start) / count;
  share = static_cast<double>(facts.info().file_bytes - before) / raw;
  start = cpu_us();
  const auto reader = facts.read();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (reader->text(ids[i]) != batch[i]) std::abort();
  }
  cost.read_us = (cpu_us() - start) / count;
}

struct Scratch {
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-bench-XXXXXX").string();
    dir = ::mkdtemp(name.data());
    Facts::create(dir, "bench");
  }
  ~Scratch() { std::filesystem::remove_all(dir); }
  std::filesystem::path dir;
};

Cost store_originals(const std::vector<std::string>& texts) {
  const Scratch scratch;
  Facts facts(scratch.dir, std::string(32, 'k'), "bench");
  Cost cost;
  const auto half = static_cast<std::ptrdiff_t>(texts.size() / 2);
  store(facts, {texts.begin(), texts.begin() + half}, PrivacyClass::kOriginal, nullptr, cost.first, cost);
  store(facts, {texts.begin() + half, texts.end()}, PrivacyClass::kOriginal, nullptr, cost.later, cost);
  return cost;
}

constexpr std::uint64_t kLaterRuns = 8;  // the trees' pages split in waves: a single later batch shows one of them

// The originals and other sanitized texts are there (both dictionaries are trained), then runs are added and measured.
Cost store_variants(const std::vector<std::string>& originals, unsigned percent, Edit edit, bool against) {
  const Scratch scratch;
  Facts facts(scratch.dir, std::string(32, 'k'), "bench");
  std::vector<TextId> ids;
  {
    const auto writer = facts.write();
    for (const auto& text : originals) ids.push_back(writer->put(text, PrivacyClass::kOriginal));
    for (const auto& text : edited(originals, 40, Edit::kRedacted, 1)) {
      (void)writer->put(text, PrivacyClass::kSanitized);
    }
    writer->commit();
  }
  Cost cost;
  const auto* to = against ? &ids : nullptr;
  store(facts, edited(originals, percent, edit, 77), PrivacyClass::kSanitized, to, cost.first, cost);
  for (std::uint64_t run = 1; run <= kLaterRuns; ++run) {
    double share = 0;
    store(facts, edited(originals, percent, edit, 77'777 * run), PrivacyClass::kSanitized, to, share, cost);
    cost.later += share / static_cast<double>(kLaterRuns);
  }
  return cost;
}

bool ratios(const char* corpus, const std::vector<std::string>& originals) {
  const Cost texts = store_originals(originals);
  fmt::print("{:<10} {:<16} first {:5.1f} %, later {:5.1f} %; put {:.1f} us, read {:.1f} us\n", corpus, "originals",
             100 * texts.first, 100 * texts.later, texts.put_us, texts.read_us);
  struct Row {
    const char* name;
    unsigned percent;
    Edit edit;
    double limit;
  };
  bool good = true;
  for (const Row& row : {Row{"5 % other words", 5, Edit::kOtherWords, 0.13},
                         Row{"25 % [REDACTED]", 25, Edit::kRedacted, 0.27}, Row{"25 % ****", 25, Edit::kStars, 0.27}}) {
    const Cost alone = store_variants(originals, row.percent, row.edit, false);
    const Cost against = store_variants(originals, row.percent, row.edit, true);
    const bool ok = std::max(against.first, against.later) <= row.limit && against.first <= 0.65 * alone.first &&
                    against.later <= 0.65 * alone.later;
    good = good && ok;
    fmt::print(
        "{:<10} {:<16} first {:5.1f} %, later {:5.1f} % (limit {:2.0f} %); dictionary alone {:5.1f} %, {:5.1f} %; "
        "factor "
        "{:.2f}, {:.2f}; put {:.1f} us, read {:.1f} us  {}\n",
        corpus, row.name, 100 * against.first, 100 * against.later, 100 * row.limit, 100 * alone.first,
        100 * alone.later, against.first / alone.first, against.later / alone.later, against.put_us, against.read_us,
        ok ? "ok" : "MISSED");
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
  std::string samples;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; samples.size() < kTrainingBytes; ++i) {
    samples += texts[i];
    sizes.push_back(texts[i].size());
  }
  start = cpu_us();
  const Dictionary dictionary(train_dictionary(samples, sizes, 1), 1);
  fmt::print("training: {:.1f} ms once\n", (cpu_us() - start) / 1'000);
  FrameCodec codec;
  start = cpu_us();
  for (const auto& text : texts) (void)codec.encode(text, &dictionary);
  fmt::print("frame of 1.5 KB: {:.2f} us\n", (cpu_us() - start) / 4'000);
  bool good = ratios("generated", texts);
  const auto medqa = vignettes();
  if (medqa.empty()) {
    fmt::print("MedQA: skipped, ../shared is not here\n");
  } else {
    good = ratios("MedQA", medqa) && good;
  }
  return good ? 0 : 1;
}
