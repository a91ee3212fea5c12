#include "verbs/canary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <memory>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/neighbours/open.h"
#include "query/inputs/snapshot.h"
#include "query/metric/contribution.h"
#include "storage/catalog/lookup.h"
#include "storage/disk/files.h"
#include "text/words/analyzer.h"

namespace residue::verbs {
namespace {

constexpr std::size_t kWordsByDefault = 40;
constexpr std::size_t kMostWords = 2'000;
constexpr std::string_view kKeyEnding = ".key";

// The median number of words of the dataset's records.
std::size_t words_like(storage::Store& store, const std::string& dataset) {
  const storage::Lock texts = store.hold_texts();
  const query::DatasetView view =
      query::load_dataset(store, storage::find_dataset(store.db(), dataset), dataset, query::ClaimSetHead{});
  const auto reader = store.facts().read();
  std::vector<std::size_t> counts;
  std::vector<std::string> words;
  for (const query::RecordView& record : view.records) {
    if (record.empty) continue;
    text::Analyzer::plain().terms(reader->text(record.text), words);
    counts.push_back(words.size());
  }
  if (counts.empty()) return kWordsByDefault;
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  return std::min(*middle, kMostWords);
}

bool is_seed(const std::string& seed) {
  return seed.size() >= 16 && seed.size() <= 64 && seed.find_first_not_of("0123456789abcdef") == std::string::npos;
}

[[noreturn]] void no_key(const std::filesystem::path& file) {
  throw Error(Code::kBadInput, fmt::format("{} is no key of canaries", file.filename().string()),
              "residue canary make writes FILE and FILE.key; name either of them");
}

query::CanaryKey read_key(std::filesystem::path file) {
  std::filesystem::path beside = file;
  beside += kKeyEnding;
  std::error_code unreadable;
  if (file.extension() != kKeyEnding && std::filesystem::exists(beside, unreadable)) file = beside;
  if (std::filesystem::exists(file, unreadable) && !std::filesystem::is_regular_file(file, unreadable)) no_key(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error(Code::kIo, fmt::format("cannot read {}", file.string()), "check the path");
  std::string bytes(4096, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  const auto json = Json::parse(bytes);
  if (!json || !json->is_object() || !json->contains("canaries") || !json->contains("seed")) no_key(file);
  query::CanaryKey key;
  try {
    key.seed = (*json)["seed"].get<std::string>();
    key.count = (*json)["canaries"].get<std::size_t>();
    key.words = (*json)["words"].get<std::size_t>();
  } catch (const std::exception&) {
    no_key(file);
  }
  if (!is_seed(key.seed) || key.count == 0 || key.count > query::kMostCanaries || key.words > kMostWords) no_key(file);
  return key;
}

// Whose texts a run has, as far as canaries ask.
struct Release {
  std::vector<std::string> texts;
  std::uint64_t failed = 0;
  bool lost = false;                                          // a synthetic run without some of its texts
  std::optional<std::vector<std::string>> records, failures;  // sorted keys; nothing: nobody knows
};

Release read_run(storage::Store& store, const storage::Target& target) {
  const storage::Lock held = store.hold_texts();
  const RunId id = storage::find_run(store.db(), target.dataset, *target.run);
  const DatasetId dataset = storage::find_dataset(store.db(), target.dataset);
  const query::DatasetView view = query::load_dataset(store, dataset, target.dataset, query::ClaimSetHead{});
  const auto heads = query::list_runs(store.db(), dataset);
  const query::RunView run = query::load_run(store, view, *std::ranges::find(heads, id, &query::RunHead::id));
  const auto reader = store.facts().read();
  Release release;
  const auto add = [&](TextId text) {
    if (text.value != 0) release.texts.push_back(reader->text(text));
  };
  release.records.emplace();
  release.failures.emplace();
  for (std::size_t i = 0; i < view.records.size(); ++i) {
    release.records->push_back(view.records[i].key);
    if (!run.aligned()) continue;
    if (run.variants[i].ok) {
      add(run.variants[i].text);
    } else {
      release.failures->push_back(view.records[i].key);
      ++release.failed;
    }
  }
  for (const auto& one : run.synthetic) add(one.text);
  release.failed += run.failed;
  release.lost = run.lost;
  std::ranges::sort(*release.records);
  std::ranges::sort(*release.failures);
  return release;
}

Release read_file(const CanaryCheck& what) {
  ingest::VariantSourceOptions options;
  options.path = what.texts;
  options.synthetic = true;
  const auto rows = ingest::open_run(options);
  Release release;
  ingest::VariantRow row;
  ingest::RowError bad;
  for (std::uint64_t read = 0;; ++read) {
    if (read % 256 == 0) {
      if (what.progress) what.progress("reading " + what.texts, rows->bytes_read(), rows->bytes_total());
      if (what.interrupted && what.interrupted()) throw Error(Code::kInterrupted, "stopped", "repeat the command");
    }
    const ingest::RowResult got = rows->next(row, bad);
    if (got == ingest::RowResult::kEnd) break;
    if (got == ingest::RowResult::kBad) {
      throw Error(Code::kBadInput, fmt::format("{}:{}: {}", what.texts, bad.line, bad.cause), bad.remedy);
    }
    if (row.text && !row.text->empty()) {
      release.texts.push_back(*row.text);
    } else {
      ++release.failed;
    }
  }
  release.lost = release.failed > 0;  // of rows without ids nobody knows whose they were
  return release;
}

void sum_up(CanaryResult& result) {
  const auto n = static_cast<std::int64_t>(result.canaries.size());
  const double most = std::log2(static_cast<double>(query::kCanaryAlternatives + 1));
  std::int64_t sum = 0;
  auto num = std::make_unique<numbers::ReplicateSums>(), den = std::make_unique<numbers::ReplicateSums>();
  numbers::Weights weights;
  for (const CanaryResult::One& one : result.canaries) {
    result.whole += one.found.whole() ? 1 : 0;
    result.failed += one.failed && !one.found.whole() ? 1 : 0;
    const double exposure = one.failed ? most : one.found.exposure;
    const auto value = static_cast<std::int64_t>(std::llround(exposure * static_cast<double>(query::kOne)));
    sum += value;
    numbers::draw_weights(numbers::resampling_unit(one.found.id, std::nullopt), weights);
    numbers::add_weighted(weights, value, *num);
    numbers::add_weighted(weights, 1, *den);
  }
  const auto counted = static_cast<std::int64_t>(result.whole + result.failed);
  result.share = static_cast<double>(counted) / static_cast<double>(n);
  result.share_interval = numbers::wilson_interval(counted, n);
  result.exposure = static_cast<double>(sum) / static_cast<double>(query::kOne) / static_cast<double>(n);
  result.exposure_interval = numbers::ratio_interval(
      {.num = *num,
       .den = *den,
       .total = n,
       .units = n,
       .least = 0,
       .greatest = static_cast<std::int64_t>(std::llround(most * static_cast<double>(query::kOne))),
       .one = static_cast<double>(query::kOne)},
      result.exposure);
}

}  // namespace

MadeCanaries make_canaries(storage::Store* store, const CanaryOptions& options) {
  MadeCanaries made;
  made.key.seed = options.seed ? *options.seed : to_hex(random_bytes(16));
  if (!is_seed(made.key.seed)) {
    throw Error(Code::kUsage, "--seed takes 16 to 64 hexadecimal digits in lower case",
                "leave it out: the system's random numbers are used, and the key file keeps them");
  }
  made.key.count = options.count;
  made.key.words = options.like.empty() ? kWordsByDefault : words_like(*store, options.like);
  made.canaries = query::make_canaries(made.key);
  const Json json = {{"canaries", made.key.count}, {"words", made.key.words}, {"seed", made.key.seed}};
  storage::write_new_file(options.key_file, json.dump() + "\n");
  return made;
}

CanaryResult check_canaries(storage::Store* store, const CanaryCheck& what) {
  const query::CanaryKey key = read_key(what.key_file);
  const Release release = what.run ? read_run(*store, *what.run) : read_file(what);
  query::CanarySearch search(key);
  for (const std::string& text : release.texts) search.read(text);
  CanaryResult result;
  result.texts = release.texts.size();
  result.failed_texts = release.failed;
  for (query::CanaryFound& found : search.found()) {
    if (release.records && !std::ranges::binary_search(*release.records, found.id)) {
      ++result.absent;
      continue;
    }
    const bool failed = release.lost || (release.failures && std::ranges::binary_search(*release.failures, found.id));
    result.canaries.push_back({std::move(found), failed});
  }
  if (result.canaries.empty()) {
    throw Error(Code::kBadInput, fmt::format("none of the {} canaries is a record of {}", key.count, what.run->dataset),
                fmt::format("put them among the originals before they are sanitized: residue ingest dataset {} FILE",
                            what.run->dataset));
  }
  sum_up(result);
  return result;
}

CanaryGate parse_canary_gate(const std::string& text) {
  constexpr std::array<std::string_view, 6> kFields = {"found",    "found.low",    "found.high",
                                                       "exposure", "exposure.low", "exposure.high"};
  constexpr std::array<std::string_view, 6> kOps = {"<=", ">=", "==", "!=", "<", ">"};
  const auto fail = [&]() -> CanaryGate {
    throw Error(Code::kUsage, fmt::format("--fail-if \"{}\" is no condition on canaries", text),
                "found > 0, found.high > 0.1, exposure > 3: FIELD OP NUMBER, FIELD one of " +
                    fmt::format("{}", fmt::join(kFields, ", ")));
  };
  const auto trim = [](std::string_view word) {
    const std::size_t first = word.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : word.substr(first, word.find_last_not_of(' ') - first + 1);
  };
  for (const std::string_view op : kOps) {
    const std::size_t at = text.find(op);
    if (at == std::string::npos) continue;
    CanaryGate gate{text, std::string(trim(std::string_view(text).substr(0, at))), std::string(op), 0};
    const std::string_view number = trim(std::string_view(text).substr(at + op.size()));
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), gate.limit);
    const bool whole = error == std::errc() && end == number.data() + number.size() && !number.empty();
    return whole && std::ranges::find(kFields, gate.field) != kFields.end() ? gate : fail();
  }
  return fail();
}

double gated(const CanaryGate& gate, const CanaryResult& result) {
  if (gate.field == "found") return result.share;
  if (gate.field == "found.low") return result.share_interval.low;
  if (gate.field == "found.high") return result.share_interval.high;
  if (gate.field == "exposure.low") return result.exposure_interval.low;
  if (gate.field == "exposure.high") return result.exposure_interval.high;
  return result.exposure;
}

bool holds(const CanaryGate& gate, const CanaryResult& result) {
  const double value = gated(gate, result);
  if (gate.op == "<=") return value <= gate.limit;
  if (gate.op == ">=") return value >= gate.limit;
  if (gate.op == "==") return value == gate.limit;
  if (gate.op == "!=") return value != gate.limit;
  return gate.op == "<" ? value < gate.limit : value > gate.limit;
}

}  // namespace residue::verbs
