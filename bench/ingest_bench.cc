// CPU and memory of the command `residue ingest dataset` beside `zstd -3` on the same file, in turns.
//
//   ingest_bench [--program RESIDUE] [--mb 200] [--rounds 3] [--like FILE]... [--max-ratio 3] [--max-mib 300]
//   ingest_bench --generate FILE --mb 200 [--like FILE]...
//
// Records are 1.5 KB of English-like text: words drawn from a seeded vocabulary by Zipf's law, or, with --like, word
// after word as they follow each other in those files. CPU is user + system of all threads (wait4), memory the highest
// RssAnon of /proc/PID/status, read every 5 ms. Exit code 1 above a limit. The store is checked before it is timed.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {
namespace fs = std::filesystem;

struct Options {
  std::string program, generate;
  std::size_t mb = 200;
  int rounds = 3;
  std::vector<std::string> like;
  double max_ratio = 3;
  double max_mib = 300;
};

// 20,000 words by Zipf's law in sentences; function words come often, as they are the first.
class ZipfWords {
 public:
  explicit ZipfWords(std::mt19937_64& random) : random_(random) {
    const char* common =
        "the of and to in a is that was he for it with as his on be at by had not are but from or have an they which "
        "one you were her all she there would their we him been has when who will more no if out so said what up its "
        "about into than them can only other new some could time these two may then do first any my now such like our "
        "over me even most made after also did many before must through years where much your way well down should";
    std::istringstream in(common);
    for (std::string word; in >> word;) words_.push_back(word);
    const char* heads[] = {"b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pr", ""};
    const char* cores[] = {"a", "e", "i", "o", "u", "ea", "ou", "ai", "io"};
    const char* tails[] = {"n", "r", "s", "t", "l", "nd", "st", "ng", "", "m", "ck", "ss"};
    while (words_.size() < 20'000) {
      std::string word;
      for (std::uint64_t i = 0, n = 1 + random_() % 3; i < n; ++i) {
        word += heads[random_() % std::size(heads)];
        word += cores[random_() % std::size(cores)];
        word += tails[random_() % std::size(tails)];
      }
      if (word.size() > 2) words_.push_back(word);
    }
    double sum = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) sums_.push_back(sum += 1 / (2.0 + static_cast<double>(i)));
  }

  std::string text(std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) {
      for (std::uint64_t i = 0, n = 5 + random_() % 18; i < n; ++i) {
        std::string word = next();
        if (i == 0 && word[0] >= 'a') word[0] = static_cast<char>(word[0] - 'a' + 'A');
        if (i > 0) out += random_() % 14 == 0 ? ", " : " ";
        out += word;
      }
      out += random_() % 8 == 0 ? ".\\n" : ". ";
    }
    return out;
  }

 private:
  std::string next() {
    if (random_() % 60 == 0) return std::to_string(random_() % 2000);
    const double at = std::uniform_real_distribution<double>(0, sums_.back())(random_);
    const auto it = std::lower_bound(sums_.begin(), sums_.end(), at);
    return words_[static_cast<std::size_t>(it - sums_.begin())];
  }

  std::mt19937_64& random_;
  std::vector<std::string> words_;
  std::vector<double> sums_;
};

// A word follows another one as often as in the files read: a chain of order one.
class ChainedWords {
 public:
  ChainedWords(std::mt19937_64& random, const std::vector<std::string>& files) : random_(random) {
    for (const std::string& file : files) {
      std::ifstream in(file);
      std::string word;
      while (in >> word) {
        std::string clean;
        for (const char c : word) {
          const auto byte = static_cast<unsigned char>(c);
          if (byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\' && c != '{' && c != '}') clean += c;
        }
        if (!clean.empty() && clean.size() < 30) stream_.push_back(clean);
      }
    }
    if (stream_.size() < 1000) throw std::runtime_error("too few words in the files of --like");
    for (std::size_t i = 0; i + 1 < stream_.size(); ++i) follow_[stream_[i]].push_back(i + 1);
  }

  std::string text(std::size_t bytes) {
    std::string out;
    std::size_t at = random_() % stream_.size();
    while (out.size() < bytes) {
      out += stream_[at];
      out += ' ';
      const auto next = follow_.find(stream_[at]);
      at = next == follow_.end() ? random_() % stream_.size() : next->second[random_() % next->second.size()];
    }
    return out;
  }

 private:
  std::mt19937_64& random_;
  std::vector<std::string> stream_;
  std::unordered_map<std::string, std::vector<std::size_t>> follow_;
};

// Returns the number of records.
std::size_t generate(const fs::path& file, const Options& options) {
  std::mt19937_64 random(42);
  std::ofstream out(file, std::ios::binary);
  std::size_t bytes = 0;
  std::size_t made = 0;
  const auto write = [&](auto& words) {
    while (bytes < options.mb * 1'000'000) {
      std::string line = "{\"id\":\"r-" + std::to_string(made++) + "\",\"text\":\"";
      line += words.text(1430);
      line += "\"}\n";
      bytes += line.size();
      out << line;
    }
  };
  if (options.like.empty()) {
    ZipfWords words(random);
    write(words);
  } else {
    ChainedWords words(random, options.like);
    write(words);
  }
  return made;
}

struct Cost {
  double cpu_s = 0;
  double anonymous_mib = 0;
};

double anonymous_mib(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("RssAnon:", 0) == 0) return std::atof(line.c_str() + 8) / 1024;
  }
  return 0;
}

Cost run(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDOUT_FILENO);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  Cost cost;
  int status = 0;
  rusage usage = {};
  while (::wait4(child, &status, WNOHANG, &usage) == 0) {
    cost.anonymous_mib = std::max(cost.anonymous_mib, anonymous_mib(child));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error(command[0] + " failed");
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  cost.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return cost;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

int bench(const Options& options) {
  std::string name = (fs::temp_directory_path() / "residue-ingest-bench-XXXXXX").string();
  const fs::path dir = ::mkdtemp(name.data());
  const fs::path file = dir / "records.jsonl";
  const std::size_t records = generate(file, options);
  const std::string store = (dir / "store").string();
  std::vector<double> ours, theirs, ratios, memory;
  for (int round = 0; round < options.rounds; ++round) {
    const Cost zstd = run({"zstd", "-3", "-T1", "-q", "-f", file.string(), "-o", (dir / "records.zst").string()});
    run({options.program, "-q", "init", store});
    const Cost ingest = run({options.program, "-q", "--store", store, "ingest", "dataset", "d", file.string()});
    if (round == 0) run({options.program, "-q", "--store", store, "check"});
    fs::remove_all(store);
    theirs.push_back(zstd.cpu_s);
    ours.push_back(ingest.cpu_s);
    ratios.push_back(ingest.cpu_s / zstd.cpu_s);
    memory.push_back(ingest.anonymous_mib);
    std::printf("round %d: zstd -3 %.2f s, ingest %.2f s, ratio %.2f, anonymous %.0f MiB\n", round + 1, zstd.cpu_s,
                ingest.cpu_s, ratios.back(), memory.back());
    std::fflush(stdout);
  }
  const auto compressed = fs::file_size(dir / "records.zst");
  std::printf("%zu records, %.0f MB, zstd -3 makes %.1f %% of it\n", records,
              static_cast<double>(fs::file_size(file)) / 1e6,
              100.0 * static_cast<double>(compressed) / static_cast<double>(fs::file_size(file)));
  fs::remove_all(dir);
  const double highest = *std::max_element(memory.begin(), memory.end());
  std::printf(
      "median CPU: zstd -3 %.2f s, ingest %.2f s, ratio %.2f (at most %.1f); anonymous memory %.0f MiB (at most "
      "%.0f)\n",
      median(theirs), median(ours), median(ratios), options.max_ratio, highest, options.max_mib);
  return median(ratios) <= options.max_ratio && highest <= options.max_mib ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.program = (fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "residue").string();
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    const std::string value = argv[i + 1];
    if (flag == "--program") options.program = value;
    if (flag == "--generate") options.generate = value;
    if (flag == "--mb") options.mb = std::stoull(value);
    if (flag == "--rounds") options.rounds = std::stoi(value);
    if (flag == "--like") options.like.push_back(value);
    if (flag == "--max-ratio") options.max_ratio = std::stod(value);
    if (flag == "--max-mib") options.max_mib = std::stod(value);
  }
  try {
    if (options.generate.empty()) return bench(options);
    std::printf("%zu records\n", generate(options.generate, options));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ingest_bench: %s\n", error.what());
    return 70;
  }
}
