// Attempts made elsewhere: stored as they would have been here, or refused with line, cause and remedy.
#include "verbs/people/bring_attempts.h"

#include <algorithm>
#include <fstream>

#include "tests/verbs/people/intruder_store.h"
#include "verbs/keep/remove.h"
#include "verbs/people/attempt_states.h"

namespace residue::verbs {
namespace {

class Brought : public Intruder {
 protected:
  std::string bring(const std::string& lines, bool skip = false) {
    const auto file = scratch_.path() / "attempts.jsonl";
    std::ofstream(file, std::ios::trunc) << lines;
    AttemptsOptions options;
    options.dataset = "d";
    options.run = "r";
    options.files = {file.string()};
    options.skip_bad = skip;
    std::string said;
    const std::string refusal = refused([&] {
      const Ingested all = bring_attempts(*store_, options);
      const ingest::Counts& counts = all.result.counts;
      said = std::to_string(counts.fresh) + " " + std::to_string(counts.same) + " " + std::to_string(counts.changed) +
             " " + std::to_string(counts.bad);
    });
    return said.empty() ? refusal : said;
  }
  static std::string line(const std::string& who, const std::string& record, const std::string& chosen,
                          const std::string& more = "") {
    const std::string named = chosen == "null" ? chosen : '"' + chosen + '"';
    return R"({"annotator":")" + who + R"(","record":")" + record + R"(","chosen":)" + named + R"(,"sure":70)" + more +
           "}\n";
  }
  // What `residue export intruder` writes, but for times.
  std::string exported() {
    storage::Statement find = store_->db().prepare(
        "SELECT json_object('annotator', a.annotator, 'record', r.key, 'chosen', (SELECT key FROM record WHERE id = "
        "a.chosen_id), 'sure', a.sure, 'seconds', a.ms / 1000.0, 'searches', a.searches, 'present', a.present, 'told', "
        "a.told, 'blind', a.blind, 'stratum', a.stratum, 'outcome', iif(a.answered_at IS NULL, 'open', NULL)) FROM "
        "intruder_attempt a JOIN record r ON r.id = a.record_id ORDER BY a.annotator, r.key");
    std::string lines;
    while (find.step()) lines += std::string(find.text(0)) + "\n";
    return lines;
  }
  // With how they count, as the export says it.
  std::string with_states() {
    std::string lines;
    const auto states = attempt_states(*store_);
    storage::Statement find = store_->db().prepare(
        "SELECT 'd', 'r', protocol, sample, annotator, r.key, chosen_id, sure, ms, present, drawn_at, answered_at FROM "
        "intruder_attempt a JOIN record r ON r.id = a.record_id ORDER BY annotator, r.key");
    while (find.step()) {
      const auto& state = states.at(
          {"d", "r", std::string(find.text(2)), find.integer(3), std::string(find.text(4)), std::string(find.text(5))});
      const bool open = state.state == "open";
      std::string chosen = "null";
      if (const auto id = find.integer_or_null(6)) {
        chosen = ask("SELECT '\"' || key || '\"' FROM record WHERE id = " + std::to_string(*id));
        chosen.pop_back();
      }
      lines += R"({"annotator":")" + std::string(find.text(4)) + R"(","record":")" + std::string(find.text(5)) +
               R"(","present":)" + (find.integer(9) != 0 ? "true" : "false") + R"(,"drawn_at":)" +
               std::to_string(find.integer(10)) + R"(,"state":")" + std::string(state.state) + '"';
      if (open) {
        lines += R"(,"outcome":"open"})";
      } else {
        lines += R"(,"chosen":)" + chosen + R"(,"sure":)" + std::to_string(find.integer(7)) + R"(,"seconds":)" +
                 std::to_string(find.integer(8) / 1000) + R"(,"answered_at":)" + std::to_string(find.integer(11)) +
                 R"(,"named_changed":)" + (state.named_changed ? "true" : "false") + "}";
      }
      lines += '\n';
    }
    return lines;
  }
  std::string rows() {
    return ask(
        "SELECT annotator, record_id, present, stratum, chosen_id, sure, ms, searches, about, drawn, told, blind, "
        "answered_at IS NULL FROM intruder_attempt ORDER BY annotator, record_id");
  }
};

TEST_F(Brought, AreTheSameAsThoseMadeHere) {
  const Test test = open();
  for (int i = 0; i < 12; ++i) {
    const std::string target = next_target(*store_, *test, "ann")->target, key = key_of(test, target);
    const bool named = i % 3 == 0 && present("ann", key);
    answer(test, "ann", target, named ? std::optional(text_code(test, target, key)) : std::nullopt, 10 * (i % 10),
           5 + i);
    if (i == 5) tell_outcome(*store_, *test, "ann", target);
  }
  next_target(*store_, *test, "bo");
  const std::string lines = exported(), before = rows();
  const query::IntruderReport here = report();
  EXPECT_EQ(bring(lines), "0 13 0 0") << "they are there";
  EXPECT_EQ(rows(), before);
  {
    const auto batch = store_->write();
    batch->db().run("DELETE FROM intruder_attempt; DELETE FROM intruder_look");
    batch->commit();
  }
  EXPECT_EQ(bring(lines), "13 0 0 0");
  EXPECT_EQ(rows(), before);
  EXPECT_EQ(bring(lines), "0 13 0 0");
  const query::IntruderReport there = report();
  EXPECT_EQ(there.right, here.right);
  EXPECT_EQ(there.none, here.none);
  EXPECT_EQ(there.rightly_none, here.rightly_none);
  EXPECT_EQ(there.false_claims, here.false_claims);
  EXPECT_EQ(there.open, 1U);
  EXPECT_EQ(there.told, 1U);
  EXPECT_EQ(there.outdated, 0U);
  EXPECT_EQ(there.blind, here.blind);
  EXPECT_EQ(*there.person.value, *here.person.value);
  EXPECT_EQ(*there.median_seconds, *here.median_seconds);
}

// Attempts of every state go into the same store without them, and count there as here.
TEST_F(Brought, CountAsWhereTheyComeFrom) {
  std::vector<std::string> texts;
  for (int i = 0; i < kRecords; ++i) texts.push_back(kept(i));
  texts[11] = texts[10];
  add_texts(texts);
  evaluate();
  const Test test = open(30);
  const auto named = [](int i) { return i % 5 == 4 ? -1 : i == 10 || i == 13 ? 11 : i % 3 == 0 ? i : (i + 4) % 40; };
  for (int n = 0; n < 37; ++n) {
    const std::string target = next_target(*store_, *test, "ann")->target;
    const int i = std::stoi(key_of(test, target).substr(1));
    const std::string code = named(i) < 0 ? "none" : text_code(test, target, key(named(i)));
    const bool found =
        code != "none" && refused([&] { read_release(*store_, *test, "ann", target, code); }) == "nothing";
    answer(test, "ann", target, found ? std::optional(code) : std::nullopt, 10 * (i % 10), 5 + i);
  }
  next_target(*store_, *test, "ann");
  texts[3] = texts[20] = texts[21] = texts[22] = "Other words are said of this one by now.";
  texts[3] += " Again.";
  add_texts(texts);
  RemoveOptions gone;
  gone.target = {"d", "n11"};
  gone.record = true;
  remove(*store_, gone, Removal::What::kRecord);
  evaluate();
  const query::IntruderReport here = report();
  EXPECT_GT(here.outdated, 1U);
  EXPECT_GT(here.named_changed, 1U);
  EXPECT_EQ(here.shared, 1U) << "n11, which is gone, had the text of n10";
  const std::string lines = with_states();
  EXPECT_EQ(bring(lines).substr(0, 2), "0 ") << "they are there";
  EXPECT_EQ(bring(lines).substr(bring(lines).find(' ', 2)), " 0 0") << "and the same";
  const auto forget = [&] {
    const auto batch = store_->write();
    batch->db().run("DELETE FROM intruder_attempt");
    batch->commit();
  };
  forget();
  EXPECT_EQ(bring(lines).substr(0, 2), std::to_string(std::ranges::count(lines, '\n')));
  const query::IntruderReport there = report();
  EXPECT_EQ(there.attempts, here.attempts);
  EXPECT_EQ(there.outdated, here.outdated);
  EXPECT_EQ(there.named_changed, here.named_changed);
  EXPECT_EQ(there.right, here.right);
  EXPECT_EQ(there.shared, here.shared);
  EXPECT_EQ(there.wrong, here.wrong);
  EXPECT_EQ(there.none, here.none);
  EXPECT_EQ(there.false_claims, here.false_claims);
  EXPECT_EQ(there.rightly_none, here.rightly_none);
  EXPECT_EQ(there.failed, here.failed);
  EXPECT_EQ(there.person.hits, here.person.hits);
  EXPECT_EQ(with_states(), lines);
}

TEST_F(Brought, StoreNothingOfAFileWithABadLine) {
  EXPECT_EQ(bring(line("ann", "n03", "n03") + line("ann", "nobody", "n03")),
            "6 attempts.jsonl:2: the dataset has no such record");
  EXPECT_EQ(rows(), "");
  EXPECT_EQ(bring(line("ann", "n03", "n03") + "{\"annotator\":\"ann\"}\n" + line("ann", "n04", "null"), true),
            "2 0 0 1");
  EXPECT_EQ(report().right, 1U);
  EXPECT_EQ(report().none, 1U);
  EXPECT_EQ(report().blind + report().after_look, 0U) << "nobody said";
}

TEST_F(Brought, AreRefusedWhereTheyCannotBe) {
  const auto cause = [&](const std::string& lines) {
    const std::string said = bring(lines);
    EXPECT_EQ(rows(), "") << lines;
    return said.substr(0, 2) == "6 " ? said.substr(said.rfind(": ") + 2) : said;
  };
  EXPECT_EQ(cause(line("ann", "n03", "n99")),
            "no text that this target's annotator could find is the one that was named");
  EXPECT_EQ(cause(line("ann", "n03", "n02")), cause(line("ann", "n03", "n99"))) << "n02 has no text";
  EXPECT_EQ(cause(line("ann", "n00", "n01", R"(,"present":false)")), cause(line("ann", "n03", "n99")))
      << "of the same person: the absent attack leaves it out";
  EXPECT_NE(cause(line("ann", "n03", "n04", R"(,"run":"other")")).find("another dataset, run"), std::string::npos);
  EXPECT_NE(cause(line("ann", "n03", "n03", R"(,"outcome":"wrong")")).find("came out otherwise"), std::string::npos);
  EXPECT_NE(cause(line("ann", "n03", "n03", R"(,"stratum":"mine")")).find("stratum"), std::string::npos);
  EXPECT_NE(cause(line("ann", "n03", "n03", R"(,"stratum":"label:x")")).find("another stratum"), std::string::npos);
  EXPECT_NE(cause(line("ann", "n03", "n03") + line("ann", "n03", "n04")).find("in the file already"),
            std::string::npos);
  EXPECT_NE(cause(line("\\u0007", "n03", "n03")).substr(0, 20), "");
  EXPECT_NE(cause(line("ann", "n03", "n03", R"(,"drawn_at":1700000002000,"answered_at":1700000001000)")).find("before it was drawn"),
            std::string::npos);
  EXPECT_EQ(bring("").substr(0, 2), "6 ") << "a file without a row";
  EXPECT_NE(cause(line("ann", "n03", "n03", R"(,"stratum":"label")") +
                  line("bo", "n03", "n03", R"(,"stratum":"machine:found")"))
                .find("other strata"),
            std::string::npos);
  EXPECT_EQ(
      bring(line("ann", "n03", "n03", R"(,"outcome":"right")") + line("ann", "n00", "n01", R"(,"outcome":"person")") +
            line("ann", "n05", "n06", R"(,"outcome":"wrong")") + line("ann", "n07", "none", R"(,"outcome":"none")") +
            line("ann", "n08", "null", R"(,"present":false,"outcome":"rightly none")") +
            line("ann", "n02", "n03", R"(,"outcome":"failed")")),
      "6 0 0 0");
  const query::IntruderReport found = report();
  EXPECT_EQ(found.right, 2U);
  EXPECT_EQ(found.wrong, 1U);
  EXPECT_EQ(found.none, 1U);
  EXPECT_EQ(found.rightly_none, 1U);
  EXPECT_EQ(found.failed, 1U);
}

TEST_F(Brought, ChangeAnAnswerUnlessItsOutcomeWasTold) {
  EXPECT_EQ(bring(line("ann", "n03", "n04", R"(,"blind":true)")), "1 0 0 0");
  EXPECT_EQ(bring(line("ann", "n03", "n03", R"(,"blind":true)")), "0 0 1 0");
  EXPECT_EQ(ask("SELECT blind, told FROM intruder_attempt"), "1|0\n");
  EXPECT_EQ(bring(line("ann", "n03", "n03", R"(,"blind":false)")), "0 0 1 0");
  EXPECT_EQ(bring(line("ann", "n03", "n03", R"(,"blind":true)")), "0 1 0 0");
  EXPECT_EQ(ask("SELECT blind, told FROM intruder_attempt"), "0|0\n") << "what was not blind once never is";
  EXPECT_EQ(bring(line("ann", "n03", "n03", R"(,"told":true)")), "0 0 1 0");
  EXPECT_EQ(ask("SELECT blind, told FROM intruder_attempt"), "0|1\n");
  EXPECT_NE(bring(line("ann", "n03", "n04")).find("was told"), std::string::npos);
  EXPECT_NE(bring(line("ann", "n03", "null", R"(,"present":false)")).find("present or absent"), std::string::npos);
  EXPECT_NE(bring("{\"annotator\":\"ann\",\"record\":\"n03\"}\n").find("has an answer here"), std::string::npos);
}

TEST_F(Brought, AnswerWhatWasDrawnHereByItsCode) {
  const Test test = open(0);
  const std::string target = next_target(*store_, *test, "ann")->target, key = key_of(test, target);
  EXPECT_EQ(bring(R"({"annotator":"ann","target":")" + target + R"(","choice":")" + text_code(test, target, key) +
                  "\",\"sure\":55,\"seconds\":3}\n"),
            "1 0 0 0");
  EXPECT_EQ(report().right, 1U);
  EXPECT_EQ(ask("SELECT sure, ms FROM intruder_attempt"), "55|3000\n");
  EXPECT_NE(
      bring("{\"annotator\":\"ann\",\"target\":\"0000000000\",\"choice\":null,\"sure\":1}\n").find("has this code"),
      std::string::npos);
}

}  // namespace
}  // namespace residue::verbs
