#include "ingest/rows/text_spans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

[[noreturn]] void refuse_shape(std::size_t number) {
  throw Refusal{fmt::format("span {} is neither [start, end] nor {{\"start\", \"end\"}}", number),
                "write [start, end], [start, end, replacement] or {\"start\", \"end\", \"type\", \"replacement\"}"};
}

[[noreturn]] void refuse_offsets(std::size_t number) {
  throw Refusal{fmt::format("span {} does not start before its end", number),
                "offsets count from 0, the end is exclusive"};
}

// A span as it is written; `number` counts from 1.
struct Asked {
  std::size_t number = 0;
  std::int64_t start = 0, end = 0;
  std::string type;
  std::optional<std::string> with, covered;
};

class Reading {
 public:
  explicit Reading(std::size_t number) : number_(number) {}

  [[nodiscard]] Asked read(const Value& span) const {
    Asked asked{number_, 0, 0, "masked", std::nullopt, std::nullopt};
    if (span.is(Value::Kind::kArray)) {
      if (span.items.size() != 2 && span.items.size() != 3) refuse_shape(number_);
      asked.start = offset(&span.items[0]);
      asked.end = offset(&span.items[1]);
      if (span.items.size() == 3) asked.with = words(&span.items[2]);
    } else {
      asked.start = offset(either(span, "start", "start_offset"));
      asked.end = offset(either(span, "end", "end_offset"));
      if (auto type = words(either(span, "type", "entity_type")); type && !type->empty())
        asked.type = text::lower(*type);
      asked.with = words(span.member("replacement"));
      asked.covered = words(either(span, "text", "span_text"));
    }
    if (asked.start > asked.end || (asked.start == asked.end && !asked.with)) refuse_offsets(number_);
    return asked;
  }

 private:
  static const Value* either(const Value& span, std::string_view name, std::string_view other) {
    const Value* value = span.member(name);
    return value != nullptr ? value : span.member(other);
  }

  [[nodiscard]] std::int64_t offset(const Value* value) const {
    if (value == nullptr || !value->is(Value::Kind::kInteger)) refuse_shape(number_);
    return integer_of(*value, true, "spans", 0, std::numeric_limits<std::int64_t>::max());
  }

  [[nodiscard]] std::optional<std::string> words(const Value* value) const {
    if (value == nullptr || value->is(Value::Kind::kNull)) return std::nullopt;
    if (!value->is(Value::Kind::kString)) refuse_shape(number_);
    return std::string(value->text);
  }

  std::size_t number_;
};

std::vector<Asked> asked_of(const Value& spans) {
  if (!spans.is(Value::Kind::kArray)) throw Refusal{"the spans are no array", "write \"spans\": [[start, end], ...]"};
  std::vector<Asked> all;
  all.reserve(spans.items.size());
  for (const Value& span : spans.items) all.push_back(Reading(all.size() + 1).read(span));
  return all;
}

// How many units a code point counts.
std::int64_t width(text::CodePoint code_point, text::Unit unit) {
  if (unit == text::Unit::kByte) return static_cast<std::int64_t>(code_point.bytes);
  return unit == text::Unit::kUtf16 && code_point.value > 0xFFFF ? 2 : 1;
}

// The bytes of sorted offsets, in their order; nothing for one that is outside the text or inside a character.
std::vector<std::optional<std::size_t>> bytes_of(const std::vector<std::int64_t>& offsets, std::string_view text,
                                                 text::Unit unit) {
  std::vector<std::optional<std::size_t>> bytes;
  bytes.reserve(offsets.size());
  std::size_t at = 0;
  std::int64_t passed = 0;
  for (const std::int64_t wanted : offsets) {
    while (passed < wanted && at < text.size()) {
      const text::CodePoint next = text::code_point_at(text, at);
      at += next.bytes;
      passed += width(next, unit);
    }
    bytes.push_back(passed == wanted ? std::optional(at) : std::nullopt);
  }
  return bytes;
}

}  // namespace

std::optional<text::Unit> unit_named(std::string_view name) {
  if (name == "codepoint") return text::Unit::kCodepoint;
  if (name == "byte") return text::Unit::kByte;
  if (name == "utf16") return text::Unit::kUtf16;
  return std::nullopt;
}

void check_spans(const Value& spans) { asked_of(spans); }

std::vector<MaskedSpan> text_spans(const Value& spans, std::string_view text, text::Unit unit) {
  std::vector<Asked> all = asked_of(spans);
  std::vector<std::int64_t> offsets;
  for (const Asked& span : all) {
    offsets.push_back(span.start);
    offsets.push_back(span.end);
  }
  std::ranges::sort(offsets);
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  const auto bytes = bytes_of(offsets, text, unit);
  const auto byte_of = [&](std::int64_t wanted) {
    return bytes[static_cast<std::size_t>(std::ranges::lower_bound(offsets, wanted) - offsets.begin())];
  };
  std::vector<MaskedSpan> out;
  out.reserve(all.size());
  for (Asked& span : all) {
    const auto begin = byte_of(span.start), end = byte_of(span.end);
    if (!begin || !end) {
      throw Refusal{fmt::format("span {} does not mark a part of the record's text", span.number),
                    unit == text::Unit::kCodepoint ? "offsets count code points from 0, the end is exclusive"
                                                   : "offsets count from 0, the end is exclusive; check the unit"};
    }
    if (span.covered && *span.covered != text.substr(*begin, *end - *begin)) {
      throw Refusal{fmt::format("the text of span {} is not what its offsets cover", span.number),
                    "check the record's text, and what the offsets count: --unit codepoint, byte or utf16"};
    }
    out.push_back({*begin, *end, std::move(span.type), std::move(span.with)});
  }
  return out;
}

}  // namespace residue::ingest
