// A store in use: how long writers and readers take while another process evaluates, and how long a store takes to open
// behind a crash.
//
//   live_bench [--records N] [--seconds S] [--open N]
//
// One process evaluates run after run; one brings in a row every 20 ms, durably, and waits for its turn as every writer
// does; four read a row of the catalog and its text, 200 times a second each. Answers are checked first: no reader
// missed a text, and the store has no problem at the end.
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "bench/notes_corpus.h"
#include "query/evaluate/evaluate.h"
#include "storage/check.h"
#include "storage/store.h"

namespace fs = std::filesystem;
using namespace residue;
using namespace residue::bench;

namespace {

constexpr int kRuns = 20, kReaders = 4;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// What processes tell each other, in shared memory.
struct Shared {
  std::atomic<bool> done{false};
  std::atomic<std::size_t> evaluated{0}, missing{0};
  struct Times {
    std::atomic<std::size_t> count{0};
    double ms[1U << 16U];
  } write, read[kReaders];

  void add(Times& times, double ms) const {
    const std::size_t at = times.count.load();
    if (at == std::size(times.ms)) return;
    times.ms[at] = ms;
    times.count.store(at + 1);
  }
};

pid_t process(const std::function<void()>& work) {
  const pid_t id = ::fork();
  if (id == 0) {
    work();
    ::_exit(0);
  }
  return id;
}

void tell(const char* who, std::vector<double> times, const char* limits) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  fmt::print("{:<8} {:>6}  median {:>7.2f} ms  p90 {:>7.2f}  p99 {:>7.2f}  largest {:>7.2f}   ({})\n", who,
             times.size(), at(0.5), at(0.9), at(0.99), times.back(), limits);
}

void evaluate_all(const fs::path& dir, Shared& shared) {
  storage::Store store(dir);
  for (int run = 0; run < kRuns && !shared.done; ++run) {
    query::evaluate(store, {{"d", fmt::format("run{}", run)}}, {});
    ++shared.evaluated;
  }
  shared.done = true;
}

void write_rows(const fs::path& dir, Shared& shared) {
  storage::Store store(dir);
  for (int i = 0; !shared.done; ++i) {
    std::vector<ingest::VariantRow> rows(1);
    rows[0].key = fmt::format("r-{}", i % 100);
    rows[0].text = fmt::format("A note that came in as number {}.", i);
    Rows<ingest::VariantRow> source(std::move(rows));
    const auto begin = Clock::now();
    ingest::ingest_run(store, "d", "live", {}, source, {"row", 1, 1, 0});
    shared.add(shared.write, ms_since(begin));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void read_rows(const fs::path& dir, Shared& shared, int reader) {
  storage::Store store(dir);
  std::mt19937 random(static_cast<unsigned>(reader));
  storage::Statement pick =
      store.db().prepare("SELECT text_id FROM variant WHERE id >= ? AND text_id IS NOT NULL LIMIT 1");
  storage::Statement newest = store.db().prepare("SELECT max(id) FROM variant");
  while (!shared.done) {
    const auto begin = Clock::now();
    newest.reset();
    if (!newest.step()) std::abort();
    // Half of them among the newest, which the writer has just brought in.
    const auto last = newest.integer(0);
    const auto id =
        random() % 2 == 0 ? last : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last)) + 1;
    pick.reset();
    pick.bind(id);
    if (pick.step()) {
      const auto texts = store.facts().read();
      if (texts->text(TextId{pick.integer(0)}).empty()) ++shared.missing;
    }
    pick.reset();
    newest.reset();
    shared.add(shared.read[reader], ms_since(begin));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

int in_use(const fs::path& dir, std::size_t records, int seconds) {
  storage::Store::create(dir);
  const fs::path at = dir / ".residue";
  {
    const Data data = make_data(records, kRuns);
    storage::Store store(at);
    ingest_originals(store, data);
    for (int run = 0; run < kRuns; ++run)
      ingest_variants(store, fmt::format("run{}", run), data.runs[static_cast<std::size_t>(run)]);
  }
  void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& shared = *new (memory) Shared;
  std::vector<pid_t> all = {process([&] { evaluate_all(at, shared); }), process([&] { write_rows(at, shared); })};
  for (int i = 0; i < kReaders; ++i) all.push_back(process([&, i] { read_rows(at, shared, i); }));
  const auto begin = Clock::now();
  while (!shared.done && ms_since(begin) < 1000.0 * seconds) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const double took = ms_since(begin) / 1000;
  shared.done = true;
  int failed = 0;
  for (const pid_t id : all) {
    int status = 0;
    ::waitpid(id, &status, 0);
    failed += status == 0 ? 0 : 1;
  }
  storage::Store store(at);
  const auto check = storage::check_store(store);
  if (failed > 0 || shared.missing > 0 || !check.problems.empty()) {
    fmt::print("WRONG: {} processes failed, {} texts missing, {} problems\n", failed, shared.missing.load(),
               check.problems.size());
    return 1;
  }
  fmt::print("{} records, {} runs evaluated in {:.1f} s beside the others; no text missing, check finds nothing\n",
             records, shared.evaluated.load(), took);
  tell("writer", {shared.write.ms, shared.write.ms + shared.write.count}, "p99 < 50 ms");
  std::vector<double> reads;
  for (const auto& one : shared.read) reads.insert(reads.end(), one.ms, one.ms + one.count);
  tell("readers", std::move(reads), "p99 < 5 ms, largest < 100 ms");
  return 0;
}

// A writer dies in the middle of a batch, with everything it wrote still in the log.
int open_after_crash(const fs::path& dir, std::size_t records) {
  storage::Store::create(dir);
  const fs::path at = dir / ".residue";
  const pid_t writer = process([&] {
    const Data data = make_data(records, 1);
    storage::Store store(at);
    ingest_originals(store, data);
    ingest_variants(store, "run0", data.runs[0]);
    auto batch = store.write();
    for (std::size_t i = 0; i < 1000; ++i)
      batch->put_text(data.originals[i] + " Not committed.", storage::PrivacyClass::kOriginal);
    ::kill(::getpid(), SIGKILL);
  });
  ::waitpid(writer, nullptr, 0);
  const auto size = [](const fs::path& file) { return fs::exists(file) ? fs::file_size(file) >> 20U : 0; };
  const auto log = size(at / "catalog.db-wal"), catalog = size(at / "catalog.db"), facts = size(at / "facts/data.mdb");
  const auto begin = Clock::now();
  storage::Store store(at);
  storage::Statement count = store.db().prepare("SELECT count(*) FROM variant");
  if (!count.step() || static_cast<std::size_t>(count.integer(0)) != records) {
    fmt::print("WRONG: rows are missing\n");
    return 1;
  }
  fmt::print("opened behind a crash: {} records, catalog {} MiB, log {} MiB, facts {} MiB: {:.1f} ms (limit 300)\n",
             records, catalog, log, facts, ms_since(begin));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t records = 10'000, opened = 100'000;
  int seconds = 30;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    const std::size_t value = std::strtoul(argv[i + 1], nullptr, 10);
    if (flag == "--records") records = value;
    if (flag == "--seconds") seconds = static_cast<int>(value);
    if (flag == "--open") opened = value;
  }
  char name[] = "/tmp/residue-live-bench-XXXXXX";
  const fs::path dir = ::mkdtemp(name);
  fs::create_directories(dir / "used");
  fs::create_directories(dir / "crashed");
  const int code = std::max(in_use(dir / "used", records, seconds), open_after_crash(dir / "crashed", opened));
  fs::remove_all(dir);
  return code;
}
