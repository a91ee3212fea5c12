// What a recognizer finds, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/identifiers/recognizers.h"

namespace residue::text {

// What of `text` is recognized as `type`, joined by '|'.
inline std::string found(std::string_view text, EntityType type) {
  std::string all;
  for (const Entity& entity : recognize(text)) {
    if (entity.type != type) continue;
    if (!all.empty()) all += '|';
    all += text.substr(entity.begin, entity.end - entity.begin);
  }
  return all;
}

struct Case {
  const char* text;
  const char* expected;  // empty: nothing of this type
};

inline void expect_all(EntityType type, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(found(c.text, type), c.expected);
  }
}

}  // namespace residue::text
