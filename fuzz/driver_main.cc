// Where there is no libFuzzer: changes inputs of a corpus at random, by a fixed seed, and feeds the targets.
//
//   fuzz_test TARGET [-max_total_time=SECONDS] [-seed=N] CORPUS_DIRECTORY
//
// What makes a target crash is written to crash-TARGET in the current directory.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

using Target = int(const std::uint8_t*, std::size_t);
// As fuzz/CMakeLists.txt names the entry of each target.
#define RESIDUE_FUZZ_TARGETS(f)                                                                        \
  f(address) f(batch_file) f(catalog_page) f(config) f(csv_rows) f(frame) f(json_rows) f(model_answer) \
      f(other_program) f(protocol) f(sql) f(text)
#define RESIDUE_FUZZ_DECLARE(name) extern "C" Target name##_one_input;
RESIDUE_FUZZ_TARGETS(RESIDUE_FUZZ_DECLARE)

namespace {

constexpr std::size_t kLongest = 16U << 10U;

const std::map<std::string, Target*>& targets() {
  static const std::map<std::string, Target*> all = {
#define RESIDUE_FUZZ_NAMED(name) {#name, name##_one_input},
      RESIDUE_FUZZ_TARGETS(RESIDUE_FUZZ_NAMED)};
  return all;
}

std::string input;
std::string crash_file;

void keep_input(int number) {
  const int fd = ::open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd >= 0) [[maybe_unused]]
    const auto written = ::write(fd, input.data(), input.size());
  ::signal(number, SIG_DFL);
  ::raise(number);
}

class Mutator {
 public:
  Mutator(std::vector<std::string> corpus, std::uint64_t seed) : corpus_(std::move(corpus)), random_(seed) {}

  std::string next() {
    std::string bytes = corpus_[below(corpus_.size())];
    for (std::size_t left = below(6); left > 0; --left) change(bytes);
    bytes.resize(std::min(bytes.size(), kLongest));
    return bytes;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }

  void change(std::string& bytes) {
    static const std::vector<std::string> pieces = {"\"",
                                                    "\\",
                                                    "{",
                                                    "}",
                                                    "[",
                                                    "]",
                                                    ",",
                                                    ":",
                                                    "\n",
                                                    "\r\n",
                                                    std::string(1, '\0'),
                                                    "\xEF\xBB\xBF",
                                                    "\xFF",
                                                    "\xED\xA0\x80",
                                                    "-1",
                                                    "0",
                                                    "9223372036854775808",
                                                    "1e999",
                                                    "null",
                                                    "true",
                                                    "\\u0000",
                                                    "\\ud800",
                                                    "```json\n",
                                                    "rating: ",
                                                    "--",
                                                    "%",
                                                    "'",
                                                    "(",
                                                    ")",
                                                    "SELECT",
                                                    "/*",
                                                    "\xE2\x80\xAE",
                                                    "\xF0\x9F\x98\x80",
                                                    std::string(300, 'a'),
                                                    std::string(40, '[')};
    const std::size_t at = below(bytes.size() + 1);
    switch (below(6)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        bytes.insert(at, pieces[below(pieces.size())]);
        break;
      case 2:
        bytes.erase(at, below(16));
        break;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
        break;
      case 4: {
        const std::string& other = corpus_[below(corpus_.size())];
        bytes = bytes.substr(0, at) + other.substr(below(other.size() + 1));
        break;
      }
      default:
        if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
    }
  }

  std::vector<std::string> corpus_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || targets().count(words[0]) == 0) {
    for (const auto& [name, target] : targets()) fmt::print("{}\n", name);
    return 2;
  }
  long seconds = 15;
  std::uint64_t seed = 1;
  std::vector<std::string> corpus = {""};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with("-max_total_time=")) {
      seconds = std::stol(words[i].substr(std::strlen("-max_total_time=")));
    } else if (words[i].starts_with("-seed=")) {
      seed = std::stoull(words[i].substr(std::strlen("-seed=")));
    } else {
      std::vector<std::filesystem::path> files;
      for (const auto& entry : std::filesystem::directory_iterator(words[i])) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
      for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
      }
    }
  }
  for (const char* name : {"RESIDUE_SOAK_DEFAULT", "RESIDUE_SOAK"}) {
    const char* soak = std::getenv(name);
    if (soak != nullptr && *soak != '\0') seconds = std::atol(soak);
  }
  crash_file = "crash-" + words[0];
  for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) ::signal(number, keep_input);
  Target* const target = targets().at(words[0]);
  Mutator mutator(corpus, seed);
  std::size_t tried = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  for (const std::string& seen : corpus) {
    input = seen;
    target(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  }
  for (; std::chrono::steady_clock::now() < end; ++tried) {
    input = mutator.next();
    target(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  }
  fmt::print("{}: {} inputs\n", words[0], tried);
  return tried > 0 ? 0 : 1;
}
