// The whole evaluation: doing nothing, adding one run to ten, editing one record in a hundred.
//
//   eval_bench [--records N] [--program PATH]
//
// Answers are checked first: the store that grew run by run has the metric rows of one evaluated from scratch, bit for
// bit.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ingest/atomize/atomize.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/recompute.h"
#include "storage/store.h"

namespace fs = std::filesystem;
using namespace residue;

namespace {

double cpu_seconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

// Notes of about 110 words in sentences of 6 to 14, from a vocabulary of 5,000 pronounceable words with a Zipf-like
// use.
class Texts {
 public:
  explicit Texts(std::uint64_t seed) : random_(seed) {
    const std::string consonants = "bcdfglmnprstv", vowels = "aeiou";
    for (int i = 0; i < 5000; ++i) {
      std::string word;
      for (std::uint64_t j = 0, n = 2 + random_() % 3; j < n; ++j) {
        word += consonants[random_() % consonants.size()];
        word += vowels[random_() % vowels.size()];
      }
      words_.push_back(word);
    }
  }
  std::string word() {
    const double u = static_cast<double>(random_() % 1'000'000) / 1e6;
    return words_[static_cast<std::size_t>(u * u * u * static_cast<double>(words_.size()))];
  }
  std::string note() {
    std::string text;
    for (int s = 0; s < 11; ++s) {
      std::string sentence = word();
      sentence[0] = static_cast<char>(sentence[0] - 32);
      for (std::uint64_t i = 0, n = 6 + random_() % 9; i < n; ++i) sentence += " " + word();
      text += (s == 0 ? "" : " ") + sentence + ".";
    }
    return text;
  }
  // Every word is replaced with a chance of `share`.
  std::string sanitized(const std::string& text, double share) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const bool redact = static_cast<double>(random_() % 1'000'000) / 1e6 < share;
      out += (out.empty() ? "" : " ") + (redact ? std::string("[REDACTED]") : text.substr(at, end - at));
      at = end + 1;
    }
    return out;
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

template <class Row>
class Rows : public ingest::RowSource<Row> {
 public:
  explicit Rows(std::vector<Row> rows) : rows_(std::move(rows)) {}
  ingest::RowResult next(Row& row, ingest::RowError&) override {
    if (at_ == rows_.size()) return ingest::RowResult::kEnd;
    row = rows_[at_++];
    row.line = at_;
    return ingest::RowResult::kRow;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return rows_.size(); }

 private:
  std::vector<Row> rows_;
  std::size_t at_ = 0;
};

struct Data {
  std::vector<std::string> originals;
  std::vector<std::vector<std::string>> runs;
};

Data make_data(std::size_t records) {
  Texts texts(7);
  Data data;
  for (std::size_t i = 0; i < records; ++i) data.originals.push_back(texts.note());
  for (int run = 0; run < 11; ++run) {
    data.runs.emplace_back();
    for (const std::string& original : data.originals)
      data.runs.back().push_back(texts.sanitized(original, 0.05 * (run + 1)));
  }
  return data;
}

void ingest_originals(storage::Store& store, const Data& data) {
  std::vector<ingest::RecordRow> rows(data.originals.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].key = fmt::format("r-{}", i);
    rows[i].text = data.originals[i];
  }
  Rows<ingest::RecordRow> source(std::move(rows));
  ingest::ingest_dataset(store, "d", source, {"originals", 1, 1, 0});
  ingest::atomize_dataset(store, "d", "sentences", 2);
}

void ingest_variants(storage::Store& store, std::size_t run, const std::vector<std::string>& texts) {
  std::vector<ingest::VariantRow> rows(texts.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].key = fmt::format("r-{}", i);
    rows[i].text = texts[i];
  }
  Rows<ingest::VariantRow> source(std::move(rows));
  ingest::ingest_run(store, "d", fmt::format("run{}", run), {}, source, {"run", 1, 1, 0});
}

struct Timed {
  double cpu = 0;
  query::EvalCounts counts;
};

Timed evaluate(storage::Store& store) {
  const double start = cpu_seconds();
  Timed timed;
  timed.counts = query::evaluate(store, {{"d", std::nullopt}}, {});
  timed.cpu = cpu_seconds() - start;
  return timed;
}

// Median wall time of a whole process.
double wall_ms(const std::string& program, const std::string& store, const std::string& arguments) {
  std::vector<double> times;
  for (int i = 0; i < 21; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::string command = fmt::format("{} --store {} -q {} > /dev/null 2>&1", program, store, arguments);
    if (std::system(command.c_str()) != 0) {
      fmt::print("failed: {}\n", arguments);
      std::exit(1);
    }
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t records = 10'000;
  std::string program;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--records") records = std::strtoul(argv[i + 1], nullptr, 10);
    if (std::string(argv[i]) == "--program") program = argv[i + 1];
  }
  const Data data = make_data(records);
  char name[] = "/tmp/residue-eval-bench-XXXXXX";
  const fs::path dir = ::mkdtemp(name);
  fs::create_directories(dir / "grown");
  fs::create_directories(dir / "scratch");
  std::vector<std::string> grown_rows, scratch_rows;
  Timed added, all, nothing, edited;
  std::size_t changed = 0;
  {
    storage::Store::create(dir / "grown");
    storage::Store grown(dir / "grown" / ".residue");
    ingest_originals(grown, data);
    for (std::size_t run = 0; run < 10; ++run) ingest_variants(grown, run, data.runs[run]);
    evaluate(grown);
    ingest_variants(grown, 10, data.runs[10]);
    added = evaluate(grown);
    nothing = evaluate(grown);
    grown_rows = query::metric_dump(grown);

    storage::Store::create(dir / "scratch");
    storage::Store scratch(dir / "scratch" / ".residue");
    ingest_originals(scratch, data);
    for (std::size_t run = 0; run < 11; ++run) ingest_variants(scratch, run, data.runs[run]);
    all = evaluate(scratch);
    scratch_rows = query::metric_dump(scratch);
    if (grown_rows != scratch_rows) {
      fmt::print("WRONG: the grown store differs from the one evaluated from scratch\n");
      return 1;
    }
    std::vector<std::string> texts = data.runs[10];
    for (std::size_t i = 0; i < texts.size(); i += 100) {
      texts[i] += " Edited.";
      ++changed;
    }
    ingest_variants(grown, 10, texts);
    edited = evaluate(grown);
  }
  fmt::print("records                                  {}\n", records);
  fmt::print("metric rows, grown = from scratch        {} rows, equal bit for bit\n", grown_rows.size());
  fmt::print("eleven runs from scratch                 {:.2f} CPU s, {} pairs rated\n", all.cpu, all.counts.rated);
  fmt::print(
      "one run added to ten                     {:.2f} CPU s, {} pairs rated: {:.1f} % of from scratch (limit 15 %)\n",
      added.cpu, added.counts.rated, 100 * added.cpu / all.cpu);
  fmt::print("nothing new                              {:.4f} CPU s in the process\n", nothing.cpu);
  fmt::print(
      "{} of {} records of one run edited: {} links computed, {} changed, {} pairs rated, {} records scored, {:.2f} "
      "CPU s\n",
      changed, records, edited.counts.links, edited.counts.links_changed, edited.counts.rated, edited.counts.rescored,
      edited.cpu);
  if (!program.empty()) {
    const std::string store = (dir / "grown").string();
    const double eval_ms = wall_ms(program, store, "eval d");
    const double info_ms = wall_ms(program, store, "info");
    fmt::print("eval with nothing new {:.2f} ms, info {:.2f} ms, medians of 21 processes: {:.2f}x (limit 1.2x)\n",
               eval_ms, info_ms, eval_ms / info_ms);
  }
  fs::remove_all(dir);
  return 0;
}
