#include "model/asking/vote_key.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "model/tasks/claim_support.h"

namespace residue::model {
namespace {

using Texts = std::vector<std::string>;

std::vector<TextDigest> digests_of(const Texts& texts) {
  std::vector<TextDigest> digests;
  for (const std::string& text : texts) digests.push_back(text_digest(text));
  return digests;
}

// The key of a request about these very texts.
VoteKey key_of(const std::string& spec, const std::string& passage, const Texts& claims, std::uint32_t sample) {
  return vote_key(spec_digest(spec), text_digest(passage), digests_of(claims), sample);
}

TEST(VoteKey, IsWhatItWasYesterday) {
  EXPECT_EQ(to_hex(key_of("{}", "passage", {"claim"}, 0).bytes()),
            "24dc67683a99ab823e184e1eed78d93d213a2d4b0659a686f24e65827e9bebfc");
}

TEST(Digest, IsOfThirtyTwoBytesAndInTheirOrder) {
  EXPECT_THROW(VoteKey(std::string(31, 'v')), Error);
  EXPECT_THROW(VoteKey(std::string(33, 'v')), Error);
  EXPECT_EQ(VoteKey(), VoteKey(std::string(32, '\0')));
  EXPECT_LT(VoteKey(std::string(32, '\x7f')), VoteKey(std::string(32, '\x80')));
}

RC_GTEST_PROP(VoteKey, DiffersWhereverAFieldDiffers,
              (const std::string& spec, const std::string& passage, const Texts& claims, std::uint32_t sample)) {
  const VoteKey key = key_of(spec, passage, claims, sample);
  RC_ASSERT(key == key_of(spec, passage, claims, sample));
  const std::string more = *rc::gen::nonEmpty<std::string>();
  RC_ASSERT(key != key_of(spec + more, passage, claims, sample));
  RC_ASSERT(key != key_of(spec, passage + more, claims, sample));
  RC_ASSERT(key != key_of(spec, passage, claims, sample + 1));
  Texts longer = claims;
  longer.push_back(more);
  RC_ASSERT(key != key_of(spec, passage, longer, sample));
  Texts turned(claims.rbegin(), claims.rend());
  RC_ASSERT((turned == claims) == (key == key_of(spec, passage, turned, sample)));
}

// The same bytes, cut elsewhere.
RC_GTEST_PROP(VoteKey, KnowsWhereAFieldEnds, (const std::string& bytes)) {
  const auto cut = *rc::gen::inRange<std::size_t>(0, bytes.size() + 1);
  const auto other = *rc::gen::inRange<std::size_t>(0, bytes.size() + 1);
  RC_PRE(cut != other);
  const auto parts = [&](std::size_t at) { return std::pair(bytes.substr(0, at), bytes.substr(at)); };
  const auto [a, b] = parts(cut);
  const auto [c, d] = parts(other);
  RC_ASSERT(key_of(a, b, {}, 0) != key_of(c, d, {}, 0));
  RC_ASSERT(key_of("", a, {b}, 0) != key_of("", c, {d}, 0));
  RC_ASSERT(key_of("", "", {a, b}, 0) != key_of("", "", {c, d}, 0));
  RC_ASSERT(key_of("", "", {a, b}, 0) != key_of("", "", {bytes}, 0));
  RC_ASSERT(TaggedHash("a").field(a, b).bytes() != TaggedHash("a").field(c, d).bytes());
  RC_ASSERT(TaggedHash(a).field(b, "").bytes() != TaggedHash(c).field(d, "").bytes());
}

TEST(SupportSpec, ChangesWithEverythingThatAnAnswerDependsOn) {
  Asking asking;
  asking.model = "m";
  std::set<SpecDigest> digests = {spec_digest(support_spec(asking, "instructions"))};
  const auto differs = [&](const char* what, const Asking& other, const char* instructions = "instructions") {
    EXPECT_TRUE(digests.insert(spec_digest(support_spec(other, instructions))).second) << what;
  };
  const std::vector<std::pair<const char*, std::function<void(Asking&)>>> changes = {
      {"model", [](Asking& a) { a.model = "m2"; }},
      {"revision", [](Asking& a) { a.revision = ""; }},
      {"another revision", [](Asking& a) { a.revision = "r"; }},
      {"temperature", [](Asking& a) { a.temperature = 0; }},
      {"another temperature", [](Asking& a) { a.temperature = 0.7; }},
      {"top_p", [](Asking& a) { a.top_p = 0; }},
      {"max_tokens", [](Asking& a) { a.max_tokens = 0; }},
      {"max_completion_tokens", [](Asking& a) { a.max_completion_tokens = 0; }},
      {"seed", [](Asking& a) { a.seed = 0; }},
      {"presence_penalty", [](Asking& a) { a.presence_penalty = 0; }},
      {"frequency_penalty", [](Asking& a) { a.frequency_penalty = 0; }},
      {"reasoning_effort", [](Asking& a) { a.reasoning_effort = ""; }},
      {"json_object", [](Asking& a) { a.form = AnswerForm::kObject; }},
      {"text", [](Asking& a) { a.form = AnswerForm::kText; }},
  };
  for (const auto& [what, change] : changes) {
    Asking other = asking;
    change(other);
    differs(what, other);
    EXPECT_EQ(asking_of(asking_json(other)), other) << what;
  }
  // Answers that were asked for before there was this setting keep their spec.
  EXPECT_EQ(asking_json(asking).find("max_completion_tokens"), std::string::npos);
  differs("template", asking, "instructions ");
  for (const std::size_t claims : {2U, 10U}) {
    EXPECT_TRUE(digests.insert(spec_digest(support_spec(asking, "instructions", claims))).second) << claims;
    Asking free = asking;
    free.form = AnswerForm::kText;
    EXPECT_TRUE(digests.insert(spec_digest(support_spec(free, "instructions", claims))).second) << claims;
  }
}

}  // namespace
}  // namespace residue::model
