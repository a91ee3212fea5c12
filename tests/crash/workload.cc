#include "tests/crash/workload.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace residue::crash {
namespace fs = std::filesystem;
namespace {

void write_inputs(const fs::path& dir) {
  std::ofstream(dir / "records.jsonl") << R"({"id":"a","text":"Ann is a nurse of 45. She lives in York."}
{"id":"b","text":"Bob is a cook of 50. He has gout."}
{"id":"c","text":"Cem is a pilot. He has asthma and lives in Ghent. 日本"}
)";
  std::ofstream(dir / "claims.jsonl") << R"({"record":"a","claims":["Ann is a nurse","She is 45"]}
{"record":"b","claims":["Bob is a cook","He has gout"]}
{"record":"c","claims":["Cem is a pilot","He has asthma"]}
)";
  std::ofstream(dir / "run.jsonl") << R"({"id":"a","text":"A nurse of 45 in York."}
{"id":"b","error":"refused"}
{"id":"c","text":"A pilot with asthma."}
)";
  std::ofstream(dir / "late.jsonl") << R"({"id":"a","text":"Somebody in York."}
{"id":"b","text":"Somebody has gout."}
)";
  std::ofstream(dir / "edited.jsonl") << R"({"id":"a","text":"A nurse of some age in the north."}
{"id":"b","text":"A cook."}
{"id":"c","text":"A pilot with asthma."}
)";
}

std::vector<Step> steps_with(const std::string& url) {
  const char* protocol = "bm25/first:1/claims";
  return {
      {{"init", "-q"}, {0}, ".residue"},
      {{"ingest", "dataset", "d", "records.jsonl", "-q"}},
      {{"ingest", "claims", "d", "claims.jsonl", "-q"}},
      {{"ingest", "run", "d/m", "run.jsonl", "-q"}},
      {{"sanitize", "d", "--with", "scrub", "--run", "s", "-q"}},
      {{"eval", "d/m", "--protocol", protocol, "-q"}},
      {{"model", "add", "stub", "--url", url, "--model", "m", "--votes", "1", "--concurrency", "1", "-q"}, {0, 2}},
      {{"eval", "d/m", "--protocol", protocol, "--judge", "stub", "-q"}},
      {{"ingest", "run", "d/m", "edited.jsonl", "-q"}},
      {{"eval", "d/m", "--protocol", protocol, "-q"}},
      {{"rm", "d/s", "--yes", "-q"}, {0, 3}},
      {{"rm", "d/c", "--yes", "-q"}, {0, 3}},
      {{"gc", "-q"}},
      {{"ingest", "run", "d/late", "late.jsonl", "-q"}},
      {{"backup", "copy.tar", "-q"}, {0}, "copy.tar"},
  };
}

long read_number(const fs::path& file) {
  long number = 0;
  std::ifstream(file) >> number;
  return number;
}

}  // namespace

Scratch::Scratch() {
  ::umask(077);  // a store that others can read is refused
  const bool memory = ::access("/dev/shm", W_OK) == 0;
  std::string name = ((memory ? fs::path("/dev/shm") : fs::temp_directory_path()) / "residue-crash-XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void copy_tree(const fs::path& from, const fs::path& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
  if (fs::exists(to / ".residue")) fs::permissions(to / ".residue", fs::perms::owner_all);
}

bool wanted(const Step& step) {
  const char* verb = std::getenv("RESIDUE_CRASH_ONLY");
  return verb == nullptr || step.words[0] == verb;
}

std::string said(const fs::path& dir) {
  std::ostringstream text;
  text << std::ifstream(dir.string() + ".output").rdbuf();
  return text.str();
}

Workload::Workload(const fs::path& scratch, const fs::path& log)
    : scratch_(scratch), stub_(std::make_unique<StubProcess>(scratch / "stub")), steps_(steps_with(stub_->url())) {
  const fs::path dir = scratch / "whole";
  fs::create_directories(dir);
  write_inputs(dir);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    copy_tree(dir, before(i));
    Fault counting;
    counting.count = scratch / "count";
    counting.log = log;
    if (!log.empty()) counting.trace = dir / kTrace;
    fs::remove(counting.count);
    if (const Outcome outcome = run(dir, steps_[i].words, counting); outcome.code != 0) {
      throw std::runtime_error(
          fmt::format("undisturbed, {} ended with {}: {}", steps_[i].words[0], outcome.code, said(dir)));
    }
    calls_.push_back(read_number(counting.count));
    if (calls_[0] == 0) throw std::runtime_error("undisturbed, no call was counted: the shim is not loaded");
    // On a copy: looking at a store may change it.
    copy_tree(dir, scratch / "looked");
    seen_.push_back(verify(scratch / "looked", {.numbers = true, .recompute = i + 1 == steps_.size()}));
    if (!seen_.back().problems.empty()) {
      throw std::runtime_error(fmt::format("undisturbed, after {}: {}", steps_[i].words[0], seen_.back().problems[0]));
    }
    if (!log.empty()) std::ofstream(scratch / "ends", std::ios::app) << fs::file_size(log) << '\n';
  }
}

fs::path Workload::before(std::size_t step) const { return scratch_ / fmt::format("before-{}", step); }

std::map<std::string, std::int64_t> Workload::promised_during(std::size_t step) const {
  if (step == 0) return {};
  std::map<std::string, std::int64_t> promised = seen_[step - 1].counts;
  for (const auto& [name, count] : seen_[step].counts) promised[name] = std::min(promised[name], count);
  if (steps_[step].words[0] == "init") promised.clear();
  // What an evaluation replaces, it takes away first, in the same or an earlier transaction.
  if (steps_[step].words[0] != "backup") promised.erase("metric");
  return promised;
}

long Workload::count(std::size_t step, const std::string& among) {
  const fs::path dir = scratch_ / "counted";
  copy_tree(before(step), dir);
  Fault counting;
  counting.count = scratch_ / "count";
  counting.among = among;
  fs::remove(counting.count);
  (void)run(dir, steps_[step].words, counting);
  return read_number(counting.count);
}

std::string Workload::repeat(const fs::path& dir, std::size_t step) {
  const Step& one = steps_[step];
  if (!one.skipped_if.empty() && fs::exists(dir / one.skipped_if)) return {};
  const Outcome outcome = run(dir, one.words);
  if (std::count(one.repeated.begin(), one.repeated.end(), outcome.code) != 0) return {};
  return fmt::format("{} repeated ended with {}: {}", one.words[0], outcome.code, said(dir));
}

std::string Workload::finish(const fs::path& dir, std::size_t step) {
  for (std::size_t i = step; i < steps_.size(); ++i) {
    if (std::string wrong = repeat(dir, i); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace residue::crash
