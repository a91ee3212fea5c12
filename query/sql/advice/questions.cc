#include "query/sql/advice/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "query/sql/advice/sql_words.h"

namespace residue::query {

RESIDUE_EMBEDDED(questions)

namespace {

// 'words (--claims)': the level, which is cut off.
ReadLevel level_in(std::string_view& words) {
  for (const auto& [flag, level] :
       {std::pair{" (--claims)", ReadLevel::kClaims}, {" (--originals)", ReadLevel::kOriginals}}) {
    if (!words.ends_with(flag)) continue;
    words.remove_suffix(std::string_view(flag).size());
    return level;
  }
  return ReadLevel::kReleased;
}

bool in_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// Conditions of the demo, as the statements write them.
enum class Named { kSelect, kDataset, kRun, kNone, kRecord, kProtocol, kJudge, kIndexed };
struct NamedWords {
  std::string_view words;
  Named what;
};
constexpr auto kDemo = std::to_array<NamedWords>({{"SELECT ", Named::kSelect},
                                                  {"dataset = 'clinic'", Named::kDataset},
                                                  {"run = 'scrub'", Named::kRun},
                                                  {"run = 'none'", Named::kNone},
                                                  {"record = 'n-01'", Named::kRecord},
                                                  {"protocol LIKE 'bm25/%'", Named::kProtocol},
                                                  {"judge = 'lexical'", Named::kJudge},
                                                  {"'clinic/scrub'", Named::kIndexed}});

class Rewriting {
 public:
  Rewriting(std::string_view statement, const AskedAbout& about) : rest_(statement), about_(about) {
    const auto says = [&](std::string_view words) { return statement.find(words) != std::string_view::npos; };
    // Links are no judge's. Of other views some rows need none, and a statement may name the judge itself.
    judged_ = !says("FROM links") && !says("judge = ");
    always_judged_ = says("FROM leaks") || says("FROM judgments");
  }

  std::string take() {
    while (!rest_.empty()) {
      const bool begins = out_.empty() || !in_name(out_.back());
      const auto* found =
          begins ? std::ranges::find_if(kDemo, [&](const NamedWords& one) { return rest_.starts_with(one.words); })
                 : kDemo.end();
      if (found == kDemo.end()) {
        out_ += rest_.front();
        rest_.remove_prefix(1);
      } else {
        rest_.remove_prefix(found->words.size());
        put(*found);
      }
    }
    return std::move(out_);
  }

 private:
  void put(const NamedWords& found) {
    if (found.what == Named::kSelect) {
      of_dataset_.clear();
      out_ += found.words;
      return;
    }
    const std::string view = taken_view();
    switch (found.what) {
      case Named::kDataset:
        of_dataset_.insert(view);
        out_ += view + "dataset = " + sql_string(about_.dataset);
        break;
      case Named::kRun:
        out_ += dataset_of(view) + view + "run = " + sql_string(about_.run);
        break;
      case Named::kRecord:
        out_ += dataset_of(view) + view + "record = " + sql_string(about_.record);
        break;
      case Named::kProtocol:
        out_ += about_.lens ? lens_of(view) : view + std::string(found.words);
        break;
      case Named::kJudge:
        out_ += about_.lens ? view + "judge = " + sql_string(about_.lens->judge) : view + std::string(found.words);
        break;
      case Named::kIndexed:
        out_ += sql_string(about_.dataset + "/" + about_.run);
        break;
      default:
        out_ += dataset_of(view) + view + std::string(found.words);
    }
  }

  // 'p.', which was written already, or nothing.
  std::string taken_view() {
    if (!out_.ends_with('.')) return "";
    std::size_t begin = out_.size() - 1;
    while (begin > 0 && in_name(out_[begin - 1])) --begin;
    std::string view = out_.substr(begin);
    out_.resize(begin);
    return view;
  }

  // Once for each view of each SELECT.
  std::string dataset_of(const std::string& view) {
    return of_dataset_.insert(view).second ? view + "dataset = " + sql_string(about_.dataset) + " AND " : "";
  }

  [[nodiscard]] std::string lens_of(const std::string& view) const {
    std::string of = fmt::format("{0}protocol = {1} AND {0}sample = {2}", view, sql_string(about_.lens->protocol),
                                 about_.lens->sample);
    if (!judged_) return of;
    const std::string judge = fmt::format("{}judge = {}", view, sql_string(about_.lens->judge));
    return of + " AND " + (always_judged_ ? judge : fmt::format("({} OR {}judge IS NULL)", judge, view));
  }

  std::string_view rest_;
  const AskedAbout& about_;
  std::string out_;
  std::set<std::string> of_dataset_;
  bool judged_ = false, always_judged_ = false;
};

}  // namespace

std::string statement_about(std::string_view statement, const AskedAbout& about) {
  return Rewriting(statement, about).take();
}

std::vector<Question> questions() {
  constexpr std::string_view kBegin = "-- ";
  std::vector<Question> all;
  std::string_view rest = embedded_questions();
  for (std::size_t at = rest.find(kBegin); at != std::string_view::npos; at = rest.find(kBegin)) {
    rest.remove_prefix(at + kBegin.size());
    const std::size_t line = rest.find('\n');
    std::string_view words = rest.substr(0, line);
    rest.remove_prefix(line + 1);
    const ReadLevel level = level_in(words);
    const std::size_t end = rest.find(";\n");
    all.push_back({words, rest.substr(0, end), level});
    rest.remove_prefix(end);
  }
  return all;
}

std::string_view questions_as_text() { return embedded_questions(); }

}  // namespace residue::query
