#include "ingest/neighbours/inspect_log.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "ingest/neighbours/eval_archive.h"
#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kMostWord = 64 << 10;
constexpr std::uint64_t kNewestVersion = 2;
constexpr std::uint64_t kMostEpochs = 1'000'000;

std::set<std::string> wanted(std::vector<std::string> paths) {
  for (const char* path : {"id", "epoch", "output", "error", "limit", "invalidation"}) paths.emplace_back(path);
  return members_of(paths);
}

// The string that begins here, or "".
std::string word(JsonWalk& walk) {
  std::string json = R"({"word":)";
  if (!walk.take(json, kMostWord)) return {};
  JsonParser parser;
  Value value;
  try {
    parser.parse(json + "}", value, true);
  } catch (const Refusal&) {
    return {};
  }
  const Value& said = value.items.front();
  return said.items.empty() && !said.is(Value::Kind::kNull) ? std::string(said.text) : std::string();
}

}  // namespace

InspectLog::InspectLog(const SourceOptions& options, const std::vector<std::string>& paths, std::string thing,
                       std::vector<std::string_view> axes)
    : NeighbourRows(InputBuffer(is_archive(options.path) ? open_eval_archive(options.path) : open_bytes(options.path)),
                    {shown_name(options.path), "samples", std::move(thing), std::move(axes)}, options),
      archive_(is_archive(options.path)),
      walk_(input_, shown_name(options.path)),
      parts_(wanted(paths), "attachments", "attachment://") {}

void InspectLog::eval() {
  if (walk_.peek() != '{') {
    walk_.skip();
    return;
  }
  has_eval_ = true;
  std::string name;
  walk_.enter('{');
  while (walk_.next_member(name)) {
    if (name == "model") {
      header_.model = word(walk_);
    } else if (name == "task") {
      header_.task = word(walk_);
    } else {
      walk_.skip();
    }
  }
}

void InspectLog::head(const std::string& name) {
  if (name == "eval") {
    eval();
  } else if (name == "status") {
    header_.status = word(walk_);
  } else if (name == "version") {
    const auto version = whole_number(word(walk_));
    if (version && *version > static_cast<std::int64_t>(kNewestVersion)) {
      throw Error(Code::kBadInput,
                  fmt::format("{} has version {} of the format; versions 1 and 2 are read here", names_.file, *version),
                  "write its samples as JSON Lines");
    }
  } else {
    walk_.skip();
  }
}

// Goes to the samples; false where the log has none.
bool InspectLog::begin() {
  const auto no_log = [&] {
    throw Error(Code::kBadInput, fmt::format("{} is no log of inspect_ai: it has no \"eval\"", names_.file),
                "check the file, and --preset");
  };
  input_.begin();
  std::string name;
  if (archive_) {
    walk_.enter('[');
    walk_.next_element();
    walk_.enter('{');
    while (walk_.next_member(name)) head(name);
    if (!has_eval_) no_log();
    walk_.next_element();
    walk_.enter('[');
    return true;
  }
  if (input_.view().empty() || walk_.peek() != '{') no_log();
  walk_.enter('{');
  while (walk_.next_member(name)) {
    if (name == "samples" && walk_.peek() == '[') {
      if (!has_eval_) no_log();
      walk_.enter('[');
      return true;
    }
    head(name);
  }
  if (!has_eval_) no_log();
  throw Error(Code::kBadInput, fmt::format("{} has no samples, only its header", names_.file),
              "run the evaluation with samples in its log (log_samples)");
}

bool InspectLog::next_item(InputRow& item) {
  if (!begun_) {
    begun_ = true;
    begin();
  }
  if (!walk_.next_element()) {
    std::string name;
    if (archive_) {
      walk_.next_element();
    } else {
      while (walk_.next_member(name)) walk_.skip();
    }
    walk_.end();
    return false;
  }
  item.index = index_++;
  item.number = index_;
  item.line = archive_ ? index_ : walk_.line();
  parts_.read(walk_, item.object);
  return true;
}

std::uint64_t InspectLog::epoch_of(const Value& sample) {
  const Value* epoch = sample.member("epoch");
  if (absent(epoch, true)) return 1;
  return static_cast<std::uint64_t>(integer_of(*epoch, true, "epoch", 1, kMostEpochs));
}

const Value* InspectLog::score_of(const Value& sample, const std::optional<std::string>& scorer) const {
  const Value* scores = sample.member("scores");
  if (absent(scores, true) || !scores->is(Value::Kind::kObject) || scores->items.empty()) return nullptr;
  if (scorer) {
    const Value* score = scores->member(*scorer);
    if (score != nullptr) return score;
    throw Error(Code::kUsage, fmt::format("{} has a sample without a score by --scorer {}", names_.file, *scorer),
                "check --scorer");
  }
  if (scores->items.size() == 1) return &scores->items.front();
  Choices several({}, names_.file);
  for (const Value& score : scores->items) several.see("--scorer", std::string(score.key));
  throw Error(Code::kUsage, fmt::format("{} has scores by {} scorers", names_.file, scores->items.size()),
              fmt::format("choose one with --scorer NAME: {}", several.names("--scorer")));
}

std::vector<std::string> InspectLog::of_file() const {
  if (!begun_ || header_.status == "success") return {};
  return {header_.status.empty() || header_.status == "started"
              ? "the log is not finished: it may lack samples"
              : fmt::format("the log ended with the status {}: it may lack samples",
                            header_.status == "cancelled" ? "cancelled" : "error")};
}

}  // namespace residue::ingest
