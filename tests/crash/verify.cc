#include "tests/crash/verify.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <unordered_set>

#include "base/error.h"
#include "query/evaluate/recompute.h"
#include "storage/check.h"
#include "storage/store.h"

namespace residue::crash {
namespace fs = std::filesystem;
namespace {

constexpr unsigned kLongestSeconds = 60;

std::int64_t number(storage::Store& store, const std::string& sql) {
  storage::Statement row = store.db().prepare(sql);
  return row.step() ? row.integer(0) : -1;
}

void look(const fs::path& dir, Depth depth, Seen& seen) {
  const auto found = storage::Store::find(dir, false);
  if (!found) return;
  storage::Store store(*found);
  const auto check = storage::check_store(store);
  seen.problems = check.problems;
  for (const std::string& line : check.derived_problems) seen.problems.push_back(line);
  for (const char* table : {"record", "claim", "variant", "metric", "attempt", "judgment"}) {
    seen.counts[table] = number(store, fmt::format("SELECT count(*) FROM {}", table));
  }
  seen.counts["store"] = 1;
  seen.counts["answer"] = static_cast<std::int64_t>(check.answers);
  for (const std::string& name : leftovers(dir)) seen.problems.push_back("left behind: " + name);
  // An answer that the ledger calls saved is in facts/.
  const std::int64_t saved = number(store, "SELECT count(*) FROM attempt WHERE state = 'saved'");
  if (saved > seen.counts["answer"])
    seen.problems.push_back(fmt::format("{} answers saved, {} there", saved, check.answers));
  std::unordered_set<std::int64_t> stored;
  store.facts().read()->each([&](TextId id, TextId) { stored.insert(id.value); });
  storage::Statement judged = store.db().prepare("SELECT passage_id, claim_id FROM judgment");
  std::size_t orphans = 0;
  while (judged.step()) orphans += stored.count(judged.integer(0)) * stored.count(judged.integer(1)) == 0 ? 1 : 0;
  if (orphans > 0) seen.problems.push_back(fmt::format("{} judgments have outlived their texts", orphans));
  if (depth.numbers) seen.numbers = query::metric_dump(store);
  if (depth.recompute) {
    const fs::path scratch = dir.string() + ".again";
    fs::remove_all(scratch);
    fs::create_directories(scratch);
    const auto again = query::recompute(store, scratch, [](const std::string&) {});
    if (!again.differences.empty()) {
      seen.problems.push_back(fmt::format("{} numbers differ: {} became {}", again.differences.size(),
                                          again.differences[0].stored, again.differences[0].recomputed));
    }
    fs::remove_all(scratch);
  }
}

std::string told(const Seen& seen) {
  std::string text;
  for (const auto& [name, count] : seen.counts) text += fmt::format("count\t{}\t{}\n", name, count);
  for (const std::string& problem : seen.problems) text += fmt::format("problem\t{}\n", problem);
  for (const std::string& line : seen.numbers) text += fmt::format("number\t{}\n", line);
  return text + "done\n";
}

Seen heard(const std::string& text, bool& whole) {
  Seen seen;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    const std::string rest = tab == std::string::npos ? "" : line.substr(tab + 1);
    if (line.starts_with("count\t"))
      seen.counts[rest.substr(0, rest.find('\t'))] = std::atoll(rest.c_str() + rest.find('\t') + 1);
    if (line.starts_with("problem\t")) seen.problems.push_back(rest);
    if (line.starts_with("number\t")) seen.numbers.push_back(rest);
    if (line == "done") whole = true;
  }
  return seen;
}

}  // namespace

Seen verify(const fs::path& dir, Depth depth) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {{}, {"no pipe"}, {}};
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::alarm(kLongestSeconds);
    Seen seen;
    try {
      look(dir, depth, seen);
    } catch (const Error& error) {
      seen.problems.insert(seen.problems.begin(), error.what());
    } catch (const std::exception& error) {
      seen.problems.insert(seen.problems.begin(), fmt::format("unexpected: {}", error.what()));
    }
    const std::string text = told(seen);
    for (std::size_t done = 0; done < text.size();) {
      const auto written = ::write(ends[1], text.data() + done, text.size() - done);
      if (written <= 0) break;
      done += static_cast<std::size_t>(written);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  bool whole = false;
  Seen seen = heard(text, whole);
  if (!whole)
    seen.problems.insert(seen.problems.begin(), fmt::format("the verifier died of signal {}", WTERMSIG(status)));
  return seen;
}

std::string wrong_backup(const fs::path& tar) {
  const fs::path restored = tar.parent_path().string() + ".restored";
  fs::remove_all(restored);
  fs::create_directories(restored);
  const std::string command = fmt::format("tar xf '{}' -C '{}' 2>&1", tar.string(), restored.string());
  if (std::system(command.c_str()) != 0) return "the backup is no tar file";
  const Seen seen = verify(restored);
  fs::remove_all(restored);
  if (!seen.problems.empty()) return "in the backup: " + seen.problems[0];
  return seen.counts.empty() ? "the backup is empty" : "";
}

std::string other_numbers(const Seen& seen, const Seen& expected) {
  if (seen.numbers == expected.numbers) return {};
  const auto [one, other] =
      std::mismatch(seen.numbers.begin(), seen.numbers.end(), expected.numbers.begin(), expected.numbers.end());
  return fmt::format("other numbers ({} rows for {}): {} for {}", seen.numbers.size(), expected.numbers.size(),
                     one == seen.numbers.end() ? "none" : *one, other == expected.numbers.end() ? "none" : *other);
}

std::vector<std::string> leftovers(const fs::path& dir) {
  std::vector<std::string> names;
  if (!fs::exists(dir / ".residue")) return names;
  for (const auto& entry : fs::recursive_directory_iterator(dir / ".residue")) {
    const std::string name = entry.path().filename().string();
    for (const char* unfinished : {".tmp-", "compact-", "backup-", "reserve-", "scratch-"}) {
      if (name.starts_with(unfinished)) names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> lost(const Seen& seen, const std::map<std::string, std::int64_t>& promised) {
  std::vector<std::string> lines;
  for (const auto& [name, count] : promised) {
    const auto found = seen.counts.find(name);
    const std::int64_t there = found == seen.counts.end() ? 0 : found->second;
    if (there < count) lines.push_back(fmt::format("lost: {} of {} rows of {}", count - there, count, name));
  }
  return lines;
}

}  // namespace residue::crash
