#include "ingest/neighbours/inspect_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "ingest/neighbours/items.h"
#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kAttachment = "attachment://";

const Value* first_choice(const Value& sample) {
  const Value* choices = sample.at("output.choices");
  return absent(choices, true) || choices->items.empty() ? nullptr : &choices->items.front();
}

// Whether the model wants to go on with tools. An agent answers by the tool "submit".
bool calls_tools(const Value& choice) {
  const Value* calls = choice.at("message.tool_calls");
  if (absent(calls, true) || calls->items.empty()) return false;
  return std::ranges::none_of(calls->items, [](const Value& call) {
    const Value* function = call.member("function");
    return function != nullptr && function->text == "submit";
  });
}

// Long texts may stand in a table of the sample's.
std::string resolved(const Value& sample, std::string text) {
  if (!text.starts_with(kAttachment)) return text;
  const Value* table = sample.member("attachments");
  const Value* found = table == nullptr ? nullptr : table->member(text.substr(kAttachment.size()));
  if (found == nullptr || !found->is(Value::Kind::kString)) {
    throw Refusal{"its text is kept as an attachment that is not there", "write the log again with inspect_ai"};
  }
  return std::string(found->text);
}

}  // namespace

ItemOutput inspect_output(const Value& sample, const std::optional<std::string>& path) {
  if (const Value* error = sample.member("error"); !absent(error, true)) return no_text("an error", error);
  if (!absent(sample.member("invalidation"), true)) return no_text("invalidated");
  if (const Value* limit = sample.member("limit"); !absent(limit, true)) {
    const Value* type = limit->member("type");
    ItemOutput output = no_text("stopped at a limit");
    if (type != nullptr && type->is(Value::Kind::kString)) output.error += fmt::format(": {}", type->text);
    return output;
  }
  if (const Value* error = sample.at("output.error"); !absent(error, true)) return no_text("refused", error);
  const Value* choice = first_choice(sample);
  const Value* reason = choice == nullptr ? nullptr : choice->member("stop_reason");
  const std::string_view stop = absent(reason, true) ? std::string_view() : reason->text;
  if (stop == "content_filter") return no_text("blocked by a filter");
  if (stop == "max_tokens" || stop == "model_length" || stop == "length") return no_text("cut off");
  if (path) {
    const Value* text = sample.at(*path);
    if (text == nullptr) throw Refusal{"there is nothing at the path of --text", "check --text"};
    if (text->is(Value::Kind::kNull)) return no_text("nothing at the path of --text");
    return {resolved(sample, content_text(*text, "the text")), {}, {}};
  }
  if (choice != nullptr && calls_tools(*choice)) return no_text("calls of tools instead");
  const Value* completion = sample.at("output.completion");
  std::string text;
  if (!absent(completion, true)) {
    if (!completion->is(Value::Kind::kString)) {
      throw Refusal{"output.completion is no string", "name the field that holds the text with --text PATH"};
    }
    text = completion->text;
  }
  if (text.empty() && choice != nullptr) {
    const Value* content = choice->at("message.content");
    if (!absent(content, true)) text = content_text(*content, "the content of the message");
  }
  text = resolved(sample, std::move(text));
  if (text.empty()) return no_text("no output");
  return {std::move(text), {}, {}};
}

}  // namespace residue::ingest
