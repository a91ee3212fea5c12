#include "ingest/neighbours/items.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "ingest/read/line_reader.h"
#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kTooLong = "a field of it is longer than 16 MiB";

Value named(std::string_view name, Value::Kind kind, std::string_view text = {}) {
  Value value;
  value.kind = kind;
  value.key = name;
  value.text = text;
  return value;
}

}  // namespace

ItemOutput no_text(std::string kind, const Value* words) {
  ItemOutput output;
  output.error = said_by(words, kind);
  output.kind = std::move(kind);
  return output;
}

std::optional<std::string> place_of(const SourceOptions& options, const std::string& field,
                                    const std::optional<std::string>& flag) {
  if (flag) return flag;
  const auto found = options.map.find(field);
  return found == options.map.end() ? std::nullopt : std::optional(found->second);
}

std::set<std::string> members_of(const std::vector<std::string>& paths) {
  std::set<std::string> members;
  for (const std::string& path : paths) {
    members.insert(path);
    members.insert(path.substr(0, path.find('.')));
  }
  return members;
}

ItemParts::ItemParts(std::set<std::string> wanted, std::string later, std::string mark)
    : wanted_(std::move(wanted)), later_(std::move(later)), mark_(std::move(mark)) {}

void ItemParts::begin() {
  json_ = "{";
  problem_.clear();
  seen_.clear();
}

void ItemParts::add(JsonWalk& walk, const std::string& name) {
  const bool wanted =
      wanted_.contains(name) || (!later_.empty() && name == later_ && json_.find(mark_) != std::string::npos);
  if (!wanted || !problem_.empty()) {
    walk.skip();
    return;
  }
  if (!seen_.insert(name).second) problem_ = "a field appears twice in one object";
  if (json_.size() > 1) json_ += ',';
  json_ += json_string(name) + ":";
  if (!walk.take(json_, kMaxRowBytes)) problem_ = kTooLong;
}

void ItemParts::read(JsonWalk& walk, Value& item) {
  if (walk.peek() != '{') {
    walk.skip();
    throw Refusal{"not a JSON object", "check that the file is the program's own"};
  }
  begin();
  std::string name;
  walk.enter('{');
  while (walk.next_member(name)) add(walk, name);
  parse(item);
}

void ItemParts::parse(Value& item) {
  if (!problem_.empty()) throw Refusal{problem_, "check the file"};
  json_ += '}';
  item = Value{};
  try {
    parser_.parse(json_, item, true);
  } catch (const Refusal& refusal) {
    if (refusal.cause != kNotFinite) throw;
    json_ = without_not_finite(json_);
    item = Value{};
    parser_.parse(json_, item, true);
  }
}

void RowMaker::begin(Value& object) {
  held_.clear();
  object = Value{};
  object.kind = Value::Kind::kObject;
  object_ = &object;
}

void RowMaker::text(std::string_view name, std::string value) {
  object_->items.push_back(named(name, Value::Kind::kString, held_.emplace_back(std::move(value))));
}

void RowMaker::number(std::string_view name, std::uint64_t value) {
  object_->items.push_back(named(name, Value::Kind::kInteger, held_.emplace_back(std::to_string(value))));
}

void RowMaker::null(std::string_view name) { object_->items.push_back(named(name, Value::Kind::kNull)); }

void RowMaker::value(std::string_view name, const Value& value) {
  object_->items.push_back(value);
  object_->items.back().key = name;
}

std::string said_by(const Value* error, std::string_view otherwise) {
  if (error != nullptr && error->is(Value::Kind::kObject)) error = error->member("message");
  if (error == nullptr || !error->is(Value::Kind::kString)) return std::string(otherwise);
  return error_of(error, true).value_or(std::string(otherwise));
}

std::string content_text(const Value& content, std::string_view place) {
  if (content.is(Value::Kind::kString)) return std::string(content.text);
  const auto refuse = [&](const char* what) {
    throw Refusal{fmt::format("{} is {}", place, what), "name the field that holds the text with --text PATH"};
  };
  if (content.is(Value::Kind::kObject)) refuse("an object, not a text");
  if (!content.is(Value::Kind::kArray)) refuse("neither a text nor a list of parts");
  std::string text;
  bool first = true;
  for (const Value& part : content.items) {
    const Value* type = part.member("type");
    if (type == nullptr || !type->is(Value::Kind::kString)) refuse("a list of something else than a message's parts");
    if (type->text != "text") continue;  // reasoning, images: not what was said
    const Value* words = part.member("text");
    if (words == nullptr || !words->is(Value::Kind::kString)) refuse("a list with a part that has no text");
    if (!first) text += '\n';
    first = false;
    text += words->text;
  }
  return text;
}

NeighbourRows::NeighbourRows(InputBuffer input, Names names, const SourceOptions& options)
    : RowReader(std::move(input)), choices_(options.only, names.file, names.times), names_(std::move(names)) {}

bool NeighbourRows::next(InputRow& row) {
  try {
    while (!done_) {
      ++items_;  // also one that is refused
      if (!next_item(item_)) {
        --items_;
        done_ = true;
        finish();
        return false;
      }
      if (!choices_.keeps(item_.object)) continue;
      ++kept_;
      row.line = item_.line;
      row.index = item_.index;
      row.number = item_.number;
      row.typed = true;
      maker_.begin(row.object);
      if (convert(item_, maker_)) return true;
    }
    return false;
  } catch (const Refusal&) {
    ++refused_;
    row.line = item_.line;
    throw;
  }
}

std::string NeighbourRows::failures() const {
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : failed_) kinds.push_back(fmt::format("{} times {}", count, kind));
  return fmt::format("{}", fmt::join(kinds, ", "));
}

void NeighbourRows::put_text(RowMaker& row, ItemOutput output) {
  if (output.text) {
    usable();
    row.text("text", *std::move(output.text));
  } else {
    failed(output.kind);
    row.text("error", std::move(output.error));
  }
}

void NeighbourRows::put_answer(RowMaker& row, const char* name, ItemOutput output) {
  if (output.text) {
    usable();
    row.text(name, *std::move(output.text));
  } else {
    failed(output.kind);
    row.null(name);
  }
}

void NeighbourRows::finish() const {
  if (items_ == 0) return;  // said where any file is read
  choices_.check(names_.axes, names_.items);
  const bool none_kept = kept_ == 0 || (usable_ == 0 && refused_ == 0 && failed_.empty());
  if (none_kept) {
    throw Error(Code::kBadInput,
                fmt::format("none of the {} {} of {} has {}", items_, names_.items, names_.file, choices_.words()),
                "check --only");
  }
  if (usable_ > 0 || refused_ > 0) return;
  throw Error(
      Code::kBadInput,
      fmt::format("none of the {} {} of {} has a {}: {}", kept_, names_.items, names_.file, names_.thing, failures()),
      "check what the program was told to do; a file without any is more likely a mistake than a result");
}

std::vector<std::string> NeighbourRows::notes() const {
  std::vector<std::string> notes = of_file();
  if (choices_.left_out() > 0) {
    notes.push_back(fmt::format("{} of {} {} are left out by --only", choices_.left_out(), items_, names_.items));
  }
  if (!failed_.empty()) {
    std::uint64_t all = 0;
    for (const auto& [kind, count] : failed_) all += count;
    notes.push_back(fmt::format("{} of {} {} have no {}: {}", all, items_ - choices_.left_out(), names_.items,
                                names_.thing, failures()));
  }
  return notes;
}

}  // namespace residue::ingest
