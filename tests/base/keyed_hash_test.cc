#include "base/keyed_hash.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/error.h"

namespace residue {
namespace {

std::string hex(const KeyedHash::Bytes& bytes) { return to_hex({bytes.data(), bytes.size()}); }

// By Python's hmac.
TEST(KeyedHash, IsHmacSha256) {
  std::string key;
  for (int i = 0; i < 32; ++i) key.push_back(static_cast<char>(i));
  const KeyedHash hash(key);
  EXPECT_EQ(hex(hash.of("")), "d38b42096d80f45f826b44a9d5607de72496a415d3f4a1a8c88e3bb9da8dc1cb");
  EXPECT_EQ(hex(hash.of("a message")), "d55a64a67afe61c6d12d6906df7711f897fdd29a0d15e5168a24d871bb69a7b1");
  EXPECT_EQ(hash.of("a mes", "sage"), hash.of("a message"));
  const std::string long_one(1'000, 'x');
  EXPECT_EQ(hex(hash.of(long_one)), "2ab4ed3956f17094c9b1878953e91ac9eb42cfa0059df2bfbf832bee29eef5c2");
  EXPECT_THROW(KeyedHash(key.substr(1)), Error);
}

}  // namespace
}  // namespace residue
