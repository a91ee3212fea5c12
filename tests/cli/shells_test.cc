// The completion scripts are run by the shells that they are for, where these are installed; in a shell that is not,
// nothing of its script is shown to work.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/printed/completions.h"

namespace residue::cli {
namespace {

using Words = std::vector<std::string>;

struct Shell {
  const char* name;
  std::string (*completion)();
  const char* check;  // arguments before the script's name: is it a script at all?
};

const Shell kShells[] = {
    {"bash", bash_completion, "-n"}, {"zsh", zsh_completion, "-f -n"}, {"fish", fish_completion, "-n"}};

class Completions : public ::testing::TestWithParam<Shell> {
 protected:
  Completions() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-shells-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    std::ofstream(dir_ / "script") << GetParam().completion();
  }
  ~Completions() override { std::filesystem::remove_all(dir_); }

  void SetUp() override {
    if (std::system((std::string("command -v ") + GetParam().name + " > /dev/null").c_str()) != 0) {
      GTEST_SKIP() << GetParam().name << " is not installed";
    }
  }

  // The output of a shell that runs `commands`. It finds no residue that it could ask for names.
  std::string run(const std::string& commands) {
    std::ofstream(dir_ / "commands") << commands;
    const std::string flags = std::string(GetParam().name) == "zsh" ? " -f " : " ";
    const std::string call = "cd '" + dir_.string() + "' && HOME=. " + GetParam().name + flags + "commands 2>&1";
    std::string out;
    FILE* pipe = ::popen(call.c_str(), "r");
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
    EXPECT_EQ(::pclose(pipe), 0) << out;
    return out;
  }

  // What is offered behind these words; the last may be begun.
  std::set<std::string> offered(const Words& words) {
    const std::string shell = GetParam().name;
    std::string typed, listed;
    for (const std::string& word : words) {
      typed += (typed.empty() ? "" : " ") + word;
      listed += " '" + word + "'";
    }
    std::string out;
    if (shell == "bash") {
      out = run("source ./script\nCOMP_WORDS=(" + listed + ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
                "\n_residue\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    } else if (shell == "zsh") {
      // What the completion system of zsh would be asked to show.
      out = run(
          "compadd() { shift; print -rl -- \"$@\" }\n_files() { }\n_describe() { [[ $1 == -o ]] && shift; local one; "
          "for one in \"${(@P)2}\"; do print -r -- \"${one%%:*}\"; done }\nwords=(" +
          listed + ")\nCURRENT=" + std::to_string(words.size()) + "\nsource ./script\n");
    } else {
      out = run("source ./script\ncomplete -C '" + typed + "'\n");
    }
    std::set<std::string> all;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) all.insert(line.substr(0, line.find('\t')));
    return all;
  }

  std::filesystem::path dir_;
};

TEST_P(Completions, AreScriptsOfTheirShell) {
  const std::string call =
      std::string(GetParam().name) + " " + GetParam().check + " '" + (dir_ / "script").string() + "'";
  EXPECT_EQ(std::system(call.c_str()), 0);
}

TEST_P(Completions, OfferCommandsFlagsAndValues) {
  const auto has = [](const std::set<std::string>& all, const Words& wanted) {
    for (const std::string& word : wanted) EXPECT_TRUE(all.contains(word)) << word;
  };
  has(offered({"residue", ""}), {"ingest", "report", "intruder"});
  has(offered({"residue", "ingest", ""}), {"dataset", "attempts"});
  has(offered({"residue", "-q", "ingest", "dataset", "d", "f.csv", "--on-error", ""}), {"skip", "stop"});
  has(offered({"residue", "intruder", "next", "--"}), {"--strata", "--annotator", "--store"});
  has(offered({"residue", "intruder", "next", "--strata", ""}), {"none", "machine", "label"});
  has(offered({"residue", "sanitize", "d", "--with", ""}), {"scrub", "none"});
  has(offered({"residue", "report", "d", "--judge", ""}), {"lexical", "rouge"});
  has(offered({"residue", "export", ""}), {"intruder", "metrics"});
  EXPECT_FALSE(offered({"residue", "intruder", "next", "--"}).contains("--on-error")) << "of another command";
}

INSTANTIATE_TEST_SUITE_P(Shells, Completions, ::testing::ValuesIn(kShells),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace residue::cli
