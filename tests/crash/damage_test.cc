// One byte of a store's files is changed, anywhere: what is said afterwards is what was said before, or exit code 5.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChanges = 1'000;
constexpr int kDamaged = 5, kOurBug = 70;

std::string slurp(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

struct Said {
  int code = 0;
  bool crashed = false;
  std::string text;
};

const std::vector<std::vector<std::string>>& questions() {
  static const std::vector<std::vector<std::string>> all = {
      {"report", "d", "--format", "json"}, {"leaks", "d/m", "--format", "json"}, {"show", "d/a", "--format", "json"}};
  return all;
}

Said ask(const fs::path& dir, const std::vector<std::string>& words) {
  const Outcome outcome = run(dir, words);
  return {outcome.code, outcome.crashed || outcome.killed, slurp(dir.string() + ".output")};
}

TEST(Damage, OfOneByteIsNoticedOrHarmless) {
  const Scratch scratch;
  const Workload job(scratch.path());
  const fs::path whole = scratch.path() / "whole", dir = scratch.path() / "damaged";
  std::vector<Said> before;
  for (const auto& words : questions()) before.push_back(ask(whole, words));
  for (const Said& said : before) ASSERT_EQ(said.code, 0) << said.text;

  std::vector<std::pair<fs::path, std::uintmax_t>> files;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(whole / ".residue")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || entry.file_size() == 0 || name.ends_with("-shm") || name == "lock.mdb") continue;
    files.emplace_back(fs::relative(entry.path(), whole), entry.file_size());
    bytes += entry.file_size();
  }
  std::size_t crashed = 0, lied = 0, noticed = 0, blamed = 0, tried = 0;
  std::map<std::string, std::size_t> lies;
  for (Rounds rounds; rounds.next();) {
    std::mt19937_64 random(rounds.seed());
    for (std::size_t i = 0; i < kChanges; ++i, ++tried) {
      // Every other change anywhere, the others in each file as often.
      std::size_t file = i / 2 % files.size();
      std::uintmax_t at = random() % files[file].second;
      if (i % 2 == 0) {
        at = random() % bytes;
        for (file = 0; at >= files[file].second; ++file) at -= files[file].second;
      }
      copy_tree(whole, dir);
      std::fstream edited(dir / files[file].first, std::ios::in | std::ios::out | std::ios::binary);
      edited.seekg(static_cast<std::streamoff>(at));
      const char byte = static_cast<char>(edited.get() ^ (1 << random() % 8));
      edited.seekp(static_cast<std::streamoff>(at));
      edited.put(byte);
      edited.close();
      const std::size_t question = i % questions().size();
      const Said now = ask(dir, questions()[question]);
      crashed += now.crashed ? 1 : 0;
      noticed += now.code == kDamaged ? 1 : 0;
      const bool other = now.code == 0 && now.text != before[question].text;
      if (other) ++lies[fmt::format("{} in {}", questions()[question][0], files[file].first.filename().string())];
      lied += other ? 1 : 0;
      blamed += now.code == kOurBug ? 1 : 0;
    }
  }
  EXPECT_EQ(crashed, 0U);
  EXPECT_EQ(lied, 0U);    // what is said has changed, without exit code 5
  EXPECT_EQ(blamed, 0U);  // exit code 70 instead of 5
  std::cout << fmt::format("{} bytes changed: {} noticed with code 5, {} called a bug, {} silent and different\n",
                           tried, noticed, blamed, lied);
  for (const auto& [name, count] : lies) std::cout << fmt::format("  {} by {}\n", count, name);
}

// Changes a byte `after` the beginning of every place where `text` stands: pages that were copied stand there twice.
void flip(const fs::path& file, const std::string& text, std::size_t after) {
  std::string bytes = slurp(file);
  std::size_t places = 0;
  for (std::size_t at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + text.size()), ++places) {
    bytes[at + after] = static_cast<char>(bytes[at + after] ^ 4);
  }
  ASSERT_GT(places, 0U) << text;
  std::ofstream(file, std::ios::binary) << bytes;
}

// No allowance here: facts/ has its checksums and addresses.
TEST(Damage, OfATextOrAnAnswerIsNeverServed) {
  const Scratch scratch;
  const Workload job(scratch.path());
  std::size_t removal = 0;
  while (job.steps()[removal].words[0] != "rm") ++removal;
  const fs::path whole = job.before(removal), dir = scratch.path() / "damaged";
  const std::string text = "Bob is a cook of 50. He has gout.", answer = "\"rating";
  for (std::size_t i = 0; i < text.size(); ++i) {
    copy_tree(whole, dir);
    flip(dir / ".residue/facts/data.mdb", text, i);
    EXPECT_EQ(ask(dir, {"show", "d/b"}).code, kDamaged) << "byte " << i << " of a text";
    EXPECT_EQ(ask(dir, {"check"}).code, kDamaged) << "byte " << i << " of a text";
  }
  for (std::size_t i = 0; i < answer.size(); ++i) {
    copy_tree(whole, dir);
    flip(dir / ".residue/facts/data.mdb", answer, i);
    EXPECT_EQ(ask(dir, {"check"}).code, kDamaged) << "byte " << i << " of an answer";
    EXPECT_EQ(ask(dir, {"egress", "--ledger"}).code, kDamaged) << "byte " << i << " of an answer";
  }
}

}  // namespace
}  // namespace residue::crash
