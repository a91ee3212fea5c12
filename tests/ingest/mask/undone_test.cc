// What sanitizers put in the place of words is found again in their own texts, whatever stands beside it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/mask/scrub.h"
#include "ingest/rewrite/pseudonymize.h"
#include "model/replies/replacements.h"
#include "model/tasks/task.h"
#include "tests/ingest/surrogates/seeded_draws.h"
#include "tests/text/nasty_text.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {
namespace {

// Nasty, and with what Markdown and typesetting put around names.
rc::Gen<std::string> emphasized_text() {
  const auto part =
      rc::gen::pair(text::nasty_text(), rc::gen::element<std::string>("_", "__", "*", "**", "\u200B", "\u200D", " Ana_",
                                                                      " _Ana", "_Smith_ ", "**Oslo**", "`12`", " "));
  return rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, std::string>>>(part),
                      [](const auto& parts) {
                        std::string text;
                        for (const auto& [nasty, mark] : parts) text += mark + nasty;
                        return text;
                      });
}

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Where every replacement stands for one wording and for nothing else, and no two touch, the text is what it was.
void expect_undone(const std::string& text, const SanitizeOutput& output) {
  const auto table = substitutions_of(output, text);
  const text::Substitutions rows = table ? model::substitutions_in(*table) : text::Substitutions();
  std::size_t done = text.size() + 1;
  for (const Replacement& one : output.spans) {
    if (one.begin == std::exchange(done, one.end)) return;
    // A number that goes on behind a full stop is another one (text/whole_words.h).
    if (one.end < text.size() && (text[one.end] == '.' || text[one.end] == ',')) return;
    if (one.begin > 0 && (text[one.begin - 1] == '.' || text[one.begin - 1] == ',')) return;
    // A name may end where a number begins; what is put back is a whole word.
    if (one.end < text.size() && is_alphanumeric(text[one.end])) return;
    if (one.begin > 0 && is_alphanumeric(text[one.begin - 1])) return;
    const auto row = std::ranges::find(rows, one.with, &text::Substitutions::value_type::second);
    if (row == rows.end()) return;  // it stands for several
  }
  const text::Restorer restorer(rows, text);
  if (restorer.ambiguous() == 0) RC_ASSERT(restorer.restore(*output.text).text == text);
}

RC_GTEST_PROP(Undone, AreTokensOfScrub, ()) {
  const std::string text = *emphasized_text();
  expect_undone(text, scrub(text, {Masking::kToken, text::EntitySet::all()}));
}

RC_GTEST_PROP(Undone, AreSurrogatesOfScrub, ()) {
  const std::string text = *emphasized_text();
  ScrubOptions options;
  options.surrogates = seeded_draws(7);
  expect_undone(text, scrub({"r-1", text}, options));
}

TEST(Undone, AreNamesWithAndWithoutTheirAccents) {
  const std::string text = "Mr Nu\u00F1ez came, Nunez left. NUNEZ and nu\u00F1ez stayed with Jos\u00E9 Nunez.";
  ScrubOptions options;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    options.surrogates = seeded_draws(seed);
    const SanitizeOutput output = scrub({"r-1", text}, options);
    ASSERT_EQ(output.spans.size(), 5U);
    const text::Restorer restorer(model::substitutions_in(substitutions_of(output, text).value()), text);
    EXPECT_EQ(restorer.restore(*output.text).text, text) << *output.text;
  }
}

RC_GTEST_PROP(Undone, AreTokensOfAnySpans, ()) {
  const std::string text = *emphasized_text();
  std::vector<MaskedSpan> spans;
  for (const std::size_t at : *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 400))) {
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < at % 40 && begin < text.size(); ++i) begin += text::code_point_at(text, begin).bytes;
    end = begin;
    for (std::size_t i = 0; i < at / 40 && end < text.size(); ++i) end += text::code_point_at(text, end).bytes;
    spans.push_back({begin, end, at % 2 == 0 ? "person" : "place", std::nullopt});
  }
  expect_undone(text, mask(text, std::move(spans), Masking::kToken));
}

RC_GTEST_PROP(Undone, AreThePseudonymsOfAModel, ()) {
  const std::string text = "Ana Smith. " + *emphasized_text();
  text::Substitutions forth;
  nlohmann::json rows = nlohmann::json::array();
  const std::pair<const char*, const char*> names[] = {{"Ana", "Ruth"}, {"Smith", "Lee"}};
  for (const auto& [from, to] : names) {
    forth.emplace_back(to, from);
    rows.push_back({{"original", from}, {"replacement", to}});
  }
  const std::string said = text::Restorer(forth).restore(text).text;
  const nlohmann::json answer = {{"replacements", rows}, {"text", said}};
  const std::vector<std::string_view> texts = {text};
  const model::TaskAnswer read =
      model::parse_task({model::TaskKind::kPseudonymize, {}, {}}, model::AnswerForm::kSchema, texts, answer.dump());
  RC_ASSERT(read.problem == "");
  const SanitizeOutput made = pseudonymized(text, read.answer);
  RC_ASSERT(made.text == said);
  RC_ASSERT(text::Restorer(model::substitutions_in(*made.substitutions), text).restore(said).text == text);
}

}  // namespace
}  // namespace residue::ingest
