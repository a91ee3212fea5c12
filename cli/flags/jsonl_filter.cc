#include "cli/flags/jsonl_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/print/formats.h"
#include "cli/print/interrupt.h"
#include "cli/print/lines.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kLinesPerTurn = 32;

// A line that cannot be used; becomes an Error when its number is known.
struct BadLine {
  std::string cause;
  std::string remedy;
};

// Picks the wanted top-level texts out of one object without building it.
class Picker : public JsonListener {
 public:
  Picker(const JsonlFilter& filter, std::vector<std::string>& values) : filter_(filter), values_(values) {
    values_.assign(filter.fields.size(), {});
    seen_.assign(filter.fields.size(), false);
  }

  bool replaces = false;  // the object has one of the fields that are added

  void require_all() const {
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (!seen_[i]) throw BadLine{fmt::format("field \"{}\" is missing", filter_.fields[i]), expected()};
    }
  }

  void text(std::string& value) override {
    if (depth_ != 1) return other();
    if (wanted_ < 0) return;
    values_[static_cast<std::size_t>(wanted_)] = std::move(value);
    seen_[static_cast<std::size_t>(wanted_)] = true;
  }
  void other() override {
    if (depth_ == 0) throw BadLine{"not a JSON object", expected()};
    if (depth_ == 1 && wanted_ >= 0) {
      throw BadLine{fmt::format("field \"{}\" is not a text", filter_.fields[static_cast<std::size_t>(wanted_)]),
                    expected()};
    }
  }
  void key(std::string& value) override {
    if (depth_ != 1) return;
    wanted_ = -1;
    for (std::size_t i = 0; i < filter_.fields.size(); ++i) {
      if (value == filter_.fields[i]) wanted_ = static_cast<int>(i);
    }
    for (const std::string& added : filter_.adds) replaces = replaces || value == added;
  }
  void open_object() override {
    if (depth_ > 0) other();
    deeper();
  }
  void open_array() override {
    other();
    deeper();
  }
  void close() override { --depth_; }
  void invalid(std::size_t position) override {
    throw BadLine{fmt::format("not valid JSON (at byte {} of the line)", position), expected()};
  }

 private:
  [[nodiscard]] std::string expected() const {
    std::string names;
    for (const std::string& field : filter_.fields) names += (names.empty() ? "\"" : ", \"") + field + "\": \"...\"";
    return "one JSON object a line is expected: {" + names + "}";
  }
  void deeper() {
    if (++depth_ > kMaxDepth) throw BadLine{"nested deeper than 32", "flatten the line"};
  }

  const JsonlFilter& filter_;
  std::vector<std::string>& values_;
  std::vector<bool> seen_;
  std::size_t depth_ = 0;
  int wanted_ = -1;
};

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
}

std::string without_added(std::string_view line, const JsonlFilter& filter) {
  Json object = Json::parse(line).value();
  for (const std::string& name : filter.adds) object.erase(name);
  return object.dump();
}

// `line` with its new fields and a line end; nothing for an empty line.
std::string filtered(std::string_view line, const JsonlFilter& filter) {
  line = trimmed(line);
  if (line.empty()) return {};
  std::vector<std::string> values;
  Picker picker(filter, values);
  read_json(line, picker);
  picker.require_all();
  std::string out = picker.replaces ? without_added(line, filter) : std::string(line);
  out.pop_back();
  const std::vector<std::string> added = filter.values(values);
  for (std::size_t i = 0; i < added.size(); ++i) out += ", " + json_string(filter.adds[i]) + ": " + added[i];
  return out + "}\n";
}

// What became of each line of a batch, up to the first bad one.
struct Batch {
  std::vector<std::string> results;
  std::vector<std::exception_ptr> failures;
};

Batch filter_batch(const std::vector<std::string_view>& lines, const JsonlFilter& filter, unsigned thread_count) {
  Batch batch;
  batch.results.resize(lines.size());
  batch.failures.resize(lines.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t begin = next.fetch_add(kLinesPerTurn); begin < lines.size();
         begin = next.fetch_add(kLinesPerTurn)) {
      for (std::size_t i = begin; i < std::min(begin + kLinesPerTurn, lines.size()); ++i) {
        try {
          batch.results[i] = filtered(lines[i], filter);
        } catch (...) {
          batch.failures[i] = std::current_exception();
        }
      }
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned t = 1; t < thread_count && t * kLinesPerTurn < lines.size(); ++t) helpers.emplace_back(work);
  work();
  helpers.clear();
  return batch;
}

[[noreturn]] void rethrow(const std::exception_ptr& failure, const std::string& name, std::uint64_t line) {
  try {
    std::rethrow_exception(failure);
  } catch (const BadLine& bad) {
    throw Error(Code::kBadInput, fmt::format("{}:{}: {}", name, line, bad.cause), bad.remedy);
  }
}

}  // namespace

int filter_jsonl(Context& context, const std::vector<std::string>& files, const JsonlFilter& filter) {
  const unsigned thread_count = threads(context.globals);
  for (const std::string& path : files.empty() ? std::vector<std::string>{"-"} : files) {
    LineReader reader(path);
    std::vector<std::string_view> lines;
    while (reader.next(lines) && !context.out.closed()) {
      if (interrupted()) throw Error(Code::kInterrupted, "interrupted");
      if (reader.first_line() == 1 && lines[0].substr(0, 3) == "\xEF\xBB\xBF") lines[0].remove_prefix(3);
      const Batch batch = filter_batch(lines, filter, thread_count);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        if (batch.failures[i]) {
          context.out.flush();
          rethrow(batch.failures[i], reader.name(), reader.first_line() + i);
        }
        context.out.write_json(batch.results[i]);
      }
      context.out.flush();
    }
  }
  return 0;
}

Run setup_filter(Syntax& syntax, JsonlFilter filter) {
  auto files = std::make_shared<std::vector<std::string>>();
  syntax.add("FILE", *files, "JSON Lines; - or none: standard input");
  return [files, filter = std::move(filter)](Context& context) { return filter_jsonl(context, *files, filter); };
}

}  // namespace residue::cli
