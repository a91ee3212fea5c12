// What answers find out for later ones is of one state of the store, and within its room.
#include "page/serve/kept.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace residue::page {
namespace {

constexpr std::size_t kAll = 1U << 20U;

Kept::Bytes bytes(const std::string& text) { return std::make_shared<const std::string>(text); }

std::string found(const Kept& kept, const std::string& name) {
  const Kept::Bytes found = kept.find(name);
  return found ? *found : "nothing";
}

TEST(Kept, IsHandedOnByTheNewsOfAnAnswer) {
  Kept server;
  server.begin("1");
  Kept answer = server;  // as a process has it
  answer.put("a", bytes(std::string("\0bytes", 6)));
  answer.put("", bytes(""));
  EXPECT_EQ(found(answer, "a"), std::string("\0bytes", 6));
  EXPECT_EQ(found(server, "a"), "nothing");
  server.add("1", answer.news(kAll));
  EXPECT_EQ(found(server, "a"), std::string("\0bytes", 6));
  EXPECT_EQ(found(server, ""), "");
  EXPECT_TRUE(Kept(server).news(kAll).empty()) << "what the server knows is no news";
}

TEST(Kept, ForgetsWhatIsOfAnotherState) {
  Kept server;
  server.begin("1");
  Kept answer = server;
  answer.put("a", bytes("old"));
  server.add("1", answer.news(kAll));
  server.begin("2");
  EXPECT_EQ(found(server, "a"), "nothing");
  EXPECT_EQ(server.bytes(), 0U);
  server.add("1", answer.news(kAll));  // it took longer than the state lasted
  EXPECT_EQ(found(server, "a"), "nothing");
}

TEST(Kept, HasARoomThatTheOldestLeave) {
  Kept kept(10);
  kept.begin("1");
  kept.put("a", bytes("1234"));
  kept.put("b", bytes("1234"));
  kept.put("a", bytes("5678"));  // known: stays
  EXPECT_EQ(found(kept, "a"), "1234");
  kept.put("c", bytes("1"));
  EXPECT_EQ(found(kept, "a"), "nothing");
  EXPECT_EQ(found(kept, "b"), "1234");
  EXPECT_EQ(found(kept, "c"), "1");
  EXPECT_EQ(kept.bytes(), 7U);
  kept.put("d", bytes("1234567890"));  // too large for all the room
  EXPECT_EQ(found(kept, "d"), "nothing");
  EXPECT_EQ(found(kept, "b"), "1234");
}

TEST(Kept, LeavesOutNewsThatAreTooLarge) {
  Kept server, answer;
  server.begin("1");
  answer.put("large", bytes(std::string(100, 'x')));
  answer.put("small", bytes("y"));
  server.add("1", answer.news(50));
  EXPECT_EQ(found(server, "large"), "nothing");
  EXPECT_EQ(found(server, "small"), "y");
  const std::string news = answer.news(kAll);
  Kept other;
  other.begin("1");
  for (std::size_t cut = 0; cut < news.size(); ++cut) other.add("1", news.substr(0, cut));  // a process that died
  EXPECT_EQ(found(other, "small"), "y");
}

}  // namespace
}  // namespace residue::page
