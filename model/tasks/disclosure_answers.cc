// Passages of a text that give away something about somebody (FSP C.1, after Dou et al.).
#include <string>
#include <string_view>

#include "model/replies/answer_words.h"
#include "model/replies/asking_words.h"
#include "model/tasks/task_parsers.h"
#include "text/replacing/restoration.h"

namespace residue::model {
namespace {

constexpr std::size_t kMostPassages = 200;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// Where the passage ends that begins at `begin`, in other capitals or with other white space; 0: none begins there.
std::size_t end_of(std::string_view text, std::size_t begin, std::string_view passage) {
  std::size_t at = begin, said = 0;
  while (said < passage.size() && at < text.size()) {
    if (is_space(passage[said]) && is_space(text[at])) {
      while (said < passage.size() && is_space(passage[said])) ++said;
      while (at < text.size() && is_space(text[at])) ++at;
    } else if (lower(passage[said]) == lower(text[at])) {
      ++said;
      ++at;
    } else {
      return 0;
    }
  }
  return said == passage.size() ? at : 0;
}

// The passage as it stands in the text, as whole words: letter by letter, else in other capitals or with other white
// space. Empty: it does not stand there.
std::string_view as_it_stands(std::string_view text, std::string_view passage) {
  if (const auto exact = text::occurrences(text, passage); !exact.empty()) return text::slice(text, exact.front());
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    const std::size_t end = end_of(text, begin, passage);
    if (end > begin && text::is_whole(text, {begin, end})) return text.substr(begin, end - begin);
  }
  return {};
}

std::string kind_of(std::string_view words) {
  std::string kind;
  for (const char c : single_spaced(bare(words))) {
    const char small = c == ' ' ? '_' : lower(c);
    if ((small >= 'a' && small <= 'z') || small == '_' || small == '-') kind.push_back(small);
  }
  return kind.empty() ? "disclosure" : kind.substr(0, 32);
}

// A passage that is not in the text says nothing against the others: that there was one is kept, for it to be counted.
// Where none is in the text the answer is of no use.
class Passages {
 public:
  explicit Passages(std::string_view text) : text_(text) {}

  void add(std::string_view passage, std::string_view kind) {
    const std::string_view found = passage.empty() ? passage : as_it_stands(text_, passage);
    if (found.empty()) {
      ++lost_;
      return;
    }
    for (const Json& one : list_) {
      if (one["text"] == std::string(found)) return;
    }
    list_.push_back({{"text", found}, {"type", kind_of(kind)}});
  }
  [[nodiscard]] TaskAnswer answer() const {
    if (list_.size() + lost_ > kMostPassages) return unusable_answer("too many passages");
    if (list_.empty() && lost_ > 0) return unusable_answer("a passage that is not in the text");
    Json all = list_;
    for (std::size_t i = 0; i < lost_; ++i) all.push_back({{"not_found", true}});
    return {all.sorted().dump(), ""};
  }

 private:
  std::string_view text_;
  Json list_ = Json::array();
  std::size_t lost_ = 0;
};

}  // namespace

TaskAnswer parse_disclosures(const TaskReply& reply) {
  Passages passages(reply.texts[0]);
  if (reply.json != nullptr) {
    const Json* list = list_in(*reply.json, "passages");
    if (list == nullptr) return unusable_answer("no list of passages");
    for (const Json& one : *list) {
      const auto text = string_in(one, "text");
      if (!text) return unusable_answer("no list of passages");
      passages.add(trimmed(*text), string_in(one, "type").value_or(""));
    }
    return passages.answer();
  }
  const auto lines = lines_of(reply.words);
  if (plain(lines.front()) == "none" && lines.size() == 1) return passages.answer();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i].substr(mark_of(lines[i]));
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos) {
      if (i == 0 && lines.size() > 1 && line.ends_with(':')) continue;  // "Here are the passages:"
      return unusable_answer("a line without a vertical bar");
    }
    std::string_view passage = trimmed(line.substr(bar + 1));
    if (passage.size() > 2 && passage.starts_with('"') && passage.ends_with('"')) {
      passage = passage.substr(1, passage.size() - 2);
    }
    passages.add(passage, line.substr(0, bar));
  }
  return passages.answer();
}

}  // namespace residue::model
