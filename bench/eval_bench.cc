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
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/notes_corpus.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/recompute.h"
#include "storage/store.h"

namespace fs = std::filesystem;
using namespace residue;
using namespace residue::bench;

namespace {

double cpu_seconds() {
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
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
    for (std::size_t run = 0; run < 10; ++run) ingest_variants(grown, fmt::format("run{}", run), data.runs[run]);
    evaluate(grown);
    ingest_variants(grown, "run10", data.runs[10]);
    added = evaluate(grown);
    nothing = evaluate(grown);
    grown_rows = query::metric_dump(grown);

    storage::Store::create(dir / "scratch");
    storage::Store scratch(dir / "scratch" / ".residue");
    ingest_originals(scratch, data);
    for (std::size_t run = 0; run < 11; ++run) ingest_variants(scratch, fmt::format("run{}", run), data.runs[run]);
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
    ingest_variants(grown, "run10", texts);
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
