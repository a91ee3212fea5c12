// A small store with a record of everything, made once in a directory of its own, for targets that read stores.
#pragma once

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "fuzz/fuzz.h"

namespace residue::fuzz {

// The directory that holds `.residue`; it goes with the process.
class SmallStore {
 public:
  SmallStore() {
    ::umask(077);
    std::string name = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/residue-fuzz-XXXXXX" : "/tmp/residue-fuzz-XXXXXX";
    dir_ = ::mkdtemp(name.data());
    std::ofstream(dir_ / "r.jsonl") << "{\"id\":\"a\",\"text\":\"Ann is a nurse of 45. She lives in York.\"}\n"
                                       "{\"id\":\"b\",\"text\":\"Bob is a cook of 50. He has gout.\"}\n";
    run({"init", dir_.string(), "-q"});
    run({"ingest", "dataset", "d", (dir_ / "r.jsonl").string(), "-q"});
    run({"atomize", "d", "-q"});
    run({"sanitize", "d", "--with", "scrub", "--run", "s", "-q"});
    run({"eval", "d/s", "--protocol", "bm25/first:1/sentences", "-q"});
  }
  ~SmallStore() {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }
  SmallStore(const SmallStore&) = delete;
  SmallStore& operator=(const SmallStore&) = delete;
  [[nodiscard]] std::filesystem::path store() const { return dir_ / ".residue"; }

 private:
  void run(std::vector<std::string> words) {
    words.insert(words.begin(), "residue");
    if (words[1] != "init") words.insert(words.end(), {"--store", dir_.string()});
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    FUZZ_CHECK(cli::run(static_cast<int>(words.size()), argv.data()) == 0);
  }

  std::filesystem::path dir_;
};

}  // namespace residue::fuzz
