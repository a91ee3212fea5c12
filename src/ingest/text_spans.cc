#include "ingest/text_spans.h"

#include <algorithm>
#include <limits>

#include "ingest/fields.h"
#include "text/unicode.h"

namespace residue::ingest {
namespace {

[[noreturn]] void refuse_shape() {
  throw Refusal{"a span is neither [start, end] nor {\"start\", \"end\"}",
                "write [start, end], [start, end, replacement] or {\"start\", \"end\", \"type\", \"replacement\"}"};
}

std::int64_t offset(const Value* value) {
  if (value == nullptr || !value->is(Value::Kind::kInteger)) refuse_shape();
  return integer_of(*value, true, "spans", 0, std::numeric_limits<std::int64_t>::max());
}

std::optional<std::string> words(const Value* value) {
  if (value == nullptr || value->is(Value::Kind::kNull)) return std::nullopt;
  if (!value->is(Value::Kind::kString)) refuse_shape();
  return std::string(value->text);
}

struct Asked {
  std::int64_t start = 0, end = 0;
  std::string type;
  std::optional<std::string> with;
};

Asked asked(const Value& span) {
  if (span.is(Value::Kind::kArray)) {
    if (span.items.size() != 2 && span.items.size() != 3) refuse_shape();
    return {offset(&span.items[0]), offset(&span.items[1]), "masked",
            span.items.size() == 3 ? words(&span.items[2]) : std::nullopt};
  }
  if (!span.is(Value::Kind::kObject)) refuse_shape();
  return {offset(span.member("start")), offset(span.member("end")), words(span.member("type")).value_or("masked"),
          words(span.member("replacement"))};
}

}  // namespace

std::vector<MaskedSpan> text_spans(const Value& spans, std::string_view text) {
  if (!spans.is(Value::Kind::kArray)) throw Refusal{"the spans are no array", "write \"spans\": [[start, end], ...]"};
  std::vector<Asked> all;
  std::vector<std::int64_t> offsets;
  for (const Value& span : spans.items) {
    all.push_back(asked(span));
    offsets.push_back(all.back().start);
    offsets.push_back(all.back().end);
  }
  std::ranges::sort(offsets);
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  std::vector<std::size_t> bytes;  // of each offset
  std::size_t at = 0;
  std::int64_t passed = 0;
  for (const std::int64_t wanted : offsets) {
    for (; passed < wanted && at < text.size(); ++passed) at += text::code_point_at(text, at).bytes;
    if (passed < wanted) {
      throw Refusal{"a span is no part of the record's text", "offsets count code points from 0, the end is exclusive"};
    }
    bytes.push_back(at);
  }
  const auto byte_of = [&](std::int64_t wanted) {
    return bytes[static_cast<std::size_t>(std::ranges::lower_bound(offsets, wanted) - offsets.begin())];
  };
  std::vector<MaskedSpan> out;
  for (Asked& span : all) {
    if (span.start > span.end || (span.start == span.end && !span.with)) {
      throw Refusal{"a span does not start before its end", "offsets count from 0, the end is exclusive"};
    }
    out.push_back({byte_of(span.start), byte_of(span.end), std::move(span.type), std::move(span.with)});
  }
  return out;
}

}  // namespace residue::ingest
