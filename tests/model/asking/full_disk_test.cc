// Answers that are on their way when the disk fills up: each is saved, and none is asked for again.
#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/vote_key.h"
#include "model/tasks/claim_support.h"
#include "storage/reserve.h"
#include "tests/model/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

namespace fs = std::filesystem;

class FullDisk : public ::testing::Test {
 protected:
  FullDisk() {
    std::string name = (fs::temp_directory_path() / "residue-room-XXXXXX").string();
    disk_ = ::mkdtemp(name.data());
    mounted_ = ::mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=32m") == 0;
    storage::Store::create(disk_);
    store_ = std::make_unique<storage::Store>(disk_ / ".residue");
    endpoint_.name = "stub";
    endpoint_.asking.model = "stub-model";
    endpoint_.transport.concurrency = kInFlight;
    options_.retry.base = Millis(1);
    options_.retry.cap = Millis(5);
  }
  ~FullDisk() override {
    store_.reset();
    if (mounted_) ::umount2(disk_.c_str(), MNT_DETACH);
    fs::remove_all(disk_);
  }

  // Takes all that is free.
  void fill() {
    const int fd = ::open((disk_ / "fill").c_str(), O_WRONLY | O_CREAT, 0600);
    const std::string block(4096, 'x');
    while (::write(fd, block.data(), block.size()) > 0) {
    }
    ::close(fd);
  }

  std::size_t saved() {
    std::size_t count = 0;
    store_->facts().read()->each_answer([&](const storage::SavedAnswer&) { ++count; });
    return count;
  }
  std::int64_t number(const char* sql) {
    storage::Statement row = store_->db().prepare(sql);
    return row.step() ? row.integer(0) : -1;
  }

  // What has no answer yet; the disk fills up when `fill_at` of them are there.
  AskCounts run(stub::Server& server, std::size_t fill_at) {
    Questions all;
    for (std::size_t i = 0; i < kQuestions; ++i) {
      const std::vector<TextDigest> claim = {text_digest("claim")};
      const VoteKey vote = vote_key(spec_digest("spec"), text_digest(std::to_string(i)), claim, 0);
      if (store_->facts().read()->answers(vote).empty()) all.list.push_back({i, vote, 0, 0});
    }
    all.body = [this](std::size_t i, std::uint32_t) {
      const std::string_view claim = "Ann keeps";
      const auto messages =
          support_messages(support_template(), spec_digest("spec"), std::to_string(i), std::span(&claim, 1));
      return chat_body(endpoint_.asking, 0, messages.system, messages.user, support_schema(1));
    };
    all.problem = [](std::size_t, const ChatReply&) { return std::string(); };
    bool filled = false;
    options_.progress = [&, fill_at](std::uint64_t done, std::optional<std::uint64_t>) {
      if (!filled && done >= fill_at) fill();
      filled = filled || done >= fill_at;
    };
    endpoint_.transport.url = server.url();
    Budget budget;
    return ask(*store_, endpoint_, "d", all, budget, options_);
  }

  static constexpr std::size_t kQuestions = 400;
  static constexpr unsigned kInFlight = 32;
  fs::path disk_;
  bool mounted_ = false;
  std::unique_ptr<storage::Store> store_;
  Endpoint endpoint_;
  AskOptions options_;
};

TEST_F(FullDisk, SavesWhatIsInFlightAndAsksForNothingTwice) {
  if (!mounted_) GTEST_SKIP() << "only root can make a small disk";
  stub::Server server("ok", 20);
  try {
    run(server, 100);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kTryAgain);
    EXPECT_NE(std::string(error.what()).find("disk is full"), std::string::npos) << error.what();
  }
  const std::size_t sent = server.requests();
  EXPECT_GE(sent, 100U);
  EXPECT_LT(sent, kQuestions);
  EXPECT_EQ(saved(), sent);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved'"), static_cast<std::int64_t>(sent));
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state != 'saved'"), 0);
  fs::remove(disk_ / "fill");
  EXPECT_EQ(run(server, kQuestions + 1).saved, kQuestions - sent);
  EXPECT_EQ(server.requests(), kQuestions);
  EXPECT_EQ(saved(), kQuestions);
  for (const auto& entry : fs::directory_iterator(disk_ / ".residue")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(storage::kReservePrefix));
  }
}

TEST_F(FullDisk, SendsNothingWhereAnswersCouldNotBeSaved) {
  if (!mounted_) GTEST_SKIP() << "only root can make a small disk";
  stub::Server server;
  fill();
  try {
    run(server, kQuestions + 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kTryAgain);
  }
  EXPECT_EQ(server.requests(), 0U);
}

TEST_F(FullDisk, WhatAKilledProcessSetAsideIsGivenBack) {
  const fs::path left = disk_ / ".residue" / (std::string(storage::kReservePrefix) + "1-00000000");
  ASSERT_EQ(::close(::open(left.c_str(), O_WRONLY | O_CREAT, 0600)), 0);
  store_.reset();
  store_ = std::make_unique<storage::Store>(disk_ / ".residue");
  EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace residue::model::testing
