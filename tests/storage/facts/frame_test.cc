#include "storage/facts/frame.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/hash.h"

namespace residue::storage {
namespace {

std::string sentence(std::uint64_t seed, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += "word" + std::to_string(hash_of(seed, "w", i) % 700) + ' ';
  return text;
}

std::unique_ptr<Dictionary> trained(std::uint64_t seed, std::uint32_t number) {
  std::string samples;
  std::vector<std::size_t> sizes;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const std::string text = sentence(seed + i, 60);
    samples += text;
    sizes.push_back(text.size());
  }
  return std::make_unique<Dictionary>(train_dictionary(samples, sizes, number), number);
}

Code code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return Code{};
}

TEST(Frame, StoresShortTextsRawInFiveMoreBytes) {
  FrameCodec codec;
  EXPECT_EQ(codec.encode("penicillin allergy", nullptr).size(), 18U + 5U);
  EXPECT_EQ(codec.encode("", nullptr).size(), 5U);
}

TEST(Frame, RefusesDamagedFrames) {
  FrameCodec codec;
  const std::string text = sentence(1, 300);
  const std::string good(codec.encode(text, nullptr));
  ASSERT_EQ(codec.decode(parse_frame(good), nullptr, {}), text);
  std::string bomb = good;  // descriptor: single segment, 8-byte size, checksum; then a size of 2^48
  bomb.replace(1, 3, std::string("\xe4\0\0\0\0\0\0\1\0", 9));
  const struct {
    const char* name;
    std::string frame;
  } cases[] = {
      {"empty", ""},
      {"unknown kind", "\x20" + good.substr(1)},
      {"forged size", bomb},
      {"two frames", good + "\x28\xb5\x2f\xfd" + good.substr(1)},
      {"skippable frame behind", good + std::string("\x50\x2a\x4d\x18\0\0\0\0", 8)},
      {"cut off", good.substr(0, good.size() - 1)},
      {"number without end", "\x12" + std::string(11, '\xff')},
      {"reference to nothing", std::string("\x13\0", 2) + good.substr(1)},
  };
  for (const auto& [name, frame] : cases) {
    SCOPED_TRACE(name);
    EXPECT_EQ(code_of([&] { (void)codec.decode(parse_frame(frame), nullptr, {}); }), Code::kCorrupt);
  }
}

TEST(Frame, NeverGivesAWrongTextForAFlippedByte) {
  FrameCodec codec;
  const std::string original = sentence(2, 150);
  const std::string text = original.substr(0, 400) + "[REDACTED]" + original.substr(420);
  const auto dictionary = trained(5, 1);
  for (const auto& frame : {std::string(codec.encode(text, nullptr)), std::string(codec.encode(text, dictionary.get())),
                            std::string(codec.encode_against(text, original, 7))}) {
    ASSERT_EQ(codec.decode(parse_frame(frame), dictionary.get(), original), text);
    for (std::size_t i = 0; i < frame.size(); ++i) {
      for (const int mask : {1, 0x80, 0xff}) {
        std::string damaged = frame;
        damaged[i] = static_cast<char>(damaged[i] ^ mask);
        try {
          EXPECT_EQ(codec.decode(parse_frame(damaged), dictionary.get(), original), text) << i;
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), Code::kCorrupt) << i;
        }
      }
    }
  }
}

TEST(Frame, RefusesTheWrongDictionary) {
  FrameCodec codec;
  const auto one = trained(5, 1);
  const auto two = trained(50'000, 2);
  const std::string frame(codec.encode(sentence(7, 60), one.get()));
  ASSERT_EQ(parse_frame(frame).kind, FrameKind::kDictionary);
  for (const Dictionary* wrong : std::initializer_list<const Dictionary*>{two.get(), nullptr}) {
    EXPECT_EQ(code_of([&] { (void)codec.decode(parse_frame(frame), wrong, {}); }), Code::kCorrupt);
  }
}

TEST(Frame, RefusesTheWrongOriginal) {
  FrameCodec codec;
  const std::string original = sentence(2, 150);
  const std::string frame(codec.encode_against(original + "x", original, 1));
  EXPECT_EQ(code_of([&] { (void)codec.decode(parse_frame(frame), nullptr, sentence(3, 150)); }), Code::kCorrupt);
}

}  // namespace
}  // namespace residue::storage
