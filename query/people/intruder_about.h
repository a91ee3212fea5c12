// intruder_attempt.about: in one number the facts that a person was given, the target's released text, and the text
// that was named.
//
//   facts, target's text ── mixed ──> given; mix(given ^ named) = about
//
// mix() can be undone. So `given` of now and a stored number tell which text was named, whatever that record's text is
// by now. Of other facts, or of another text of the target, they give a number that is none of a text: nobody has
// answered what would be asked now. This is the same for every answer, right or wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/ids.h"

namespace residue::query {

// Which text an answer named.
struct NamedText {
  enum class Kind : std::uint8_t {
    kNobody,
    kText,
    kUnknown  // a text was named that this store does not have: an attempt was brought in so
  };
  Kind kind = Kind::kNobody;
  TextId text = {};  // of kText

  friend bool operator==(const NamedText&, const NamedText&) = default;
};

// Of the facts, in the order in which they were shown, and of the target's text; nothing: it has none.
std::uint64_t given_hash(std::span<const TextId> facts, std::optional<TextId> target);

std::int64_t about_of(std::uint64_t given, const NamedText& named);

// For an answer that was outdated already in the store that exported it: it stays outdated here, whatever is given.
std::int64_t about_of_outdated(std::uint64_t given);

// `chosen`: whether the record that was named is known. Nothing: the answer is about other facts or another text of its
// target; wrong with probability 2^-24. Text 1 alone is taken for nobody where its record is gone.
std::optional<NamedText> named_by(std::uint64_t given, std::int64_t about, bool chosen);

}  // namespace residue::query
