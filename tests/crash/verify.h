// What a store holds and whether it is sound, found out in a process of its own: a damaged one may crash who opens it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace residue::crash {

struct Seen {
  // Rows that only ever become more, unless something is removed by name: record, claim, variant, metric, attempt,
  // judgment, answer (in facts/), store (1: there is one).
  std::map<std::string, std::int64_t> counts;
  std::vector<std::string> problems;  // what is wrong; first the one that counts
  std::vector<std::string> numbers;   // all metric rows in full precision, sorted
};

struct Depth {
  bool numbers = false;    // metric_dump
  bool recompute = false;  // all numbers from the inputs alone, as `check --recompute`
};

// The store in `dir`. A crash of the verifying process is a problem too. No store: empty counts, no problem.
Seen verify(const std::filesystem::path& dir, Depth depth = {});

// What is wrong with the backup in a tar file, unpacked beside its folder; empty if nothing.
std::string wrong_backup(const std::filesystem::path& tar);

// Where the numbers of `seen` are not those of `expected`; empty if nowhere.
std::string other_numbers(const Seen& seen, const Seen& expected);

// Files of unfinished work in the store of `dir`: an open store that nobody else works in has none.
std::vector<std::string> leftovers(const std::filesystem::path& dir);

// What `seen` lacks of `promised`; empty if nothing.
std::vector<std::string> lost(const Seen& seen, const std::map<std::string, std::int64_t>& promised);

}  // namespace residue::crash
