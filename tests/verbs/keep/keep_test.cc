// check, purge, rm, rename, info and doctor as a face calls them.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/verbs/small_store.h"
#include "verbs/keep/check.h"
#include "verbs/keep/collected.h"
#include "verbs/keep/doctor.h"
#include "verbs/keep/info.h"
#include "verbs/keep/purge.h"
#include "verbs/keep/remove.h"
#include "verbs/keep/rename.h"

namespace residue::verbs {
namespace {

std::string hint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.hint();
  }
  return "nothing";
}

TEST_F(SmallStore, IsFoundSoundAndItsNumbersAreComputedAgain) {
  evaluate();
  CheckOptions options;
  const CheckResult looked = check(*store_, options);
  EXPECT_TRUE(looked.sound());
  EXPECT_FALSE(looked.recomputed);
  EXPECT_GT(looked.now.texts, 10U);
  std::vector<std::string> told;
  bool lexicon_asked = false;
  options.recompute = true;
  options.recomputing = [&](const std::string& what) { told.push_back(what); };
  options.lexicon = [&] {
    lexicon_asked = true;
    return nullptr;
  };
  const CheckResult computed = check(*store_, options);
  EXPECT_TRUE(computed.recomputed && computed.sound() && lexicon_asked);
  EXPECT_GT(computed.numbers.rows, 20U);
  EXPECT_FALSE(told.empty());
  for (const auto& entry : std::filesystem::directory_iterator(store_->dir())) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(storage::kScratchPrefix)) << "the fresh store is gone";
  }
  EXPECT_EQ(refusal([&] { require_sound(computed, options); }), "nothing");
}

TEST(Check, SaysWhatToDoAboutWhatIsNotSound) {
  CheckResult result;
  result.numbers.differences.push_back({"a", "b"});
  EXPECT_EQ(refusal([&] { require_sound(result, {}); }), "1 metric rows differ from a fresh computation");
  result.now.derived_problems.emplace_back("an index file");
  EXPECT_EQ(refusal([&] { require_sound(result, {}); }), "only derived data is damaged: nothing is lost");
  result.now.problems.emplace_back("a text");
  EXPECT_EQ(refusal([&] { require_sound(result, {}); }), "the store is damaged: 2 problems");
  EXPECT_NE(hint_of([&] { require_sound(result, {}); }), hint_of([&] { require_sound(result, {.repair = true}); }));
  const Error circle(Code::kCorrupt, "damaged", "residue check says what");
  EXPECT_EQ(hint_of([&] { fail_beyond_check(circle); }).find("residue check"), std::string::npos);
  const Error other(Code::kIo, "no disk", "plug it in");
  EXPECT_EQ(hint_of([&] { fail_beyond_check(other); }), "plug it in");
}

TEST_F(SmallStore, PurgesARecordAndTellsWhenItsRowsWent) {
  evaluate();
  PurgeOptions options;
  options.target = {ingest::PurgeKind::kRecord, "d", "b"};
  std::vector<std::uint64_t> told;
  options.rows_gone = [&](const ingest::Purged& gone) { told.push_back(gone.rows.records); };
  const PurgeResult result = purge(*store_, options);
  EXPECT_EQ(told, std::vector<std::uint64_t>{1});
  EXPECT_EQ(result.gone.rows.claims, 4U);
  EXPECT_FALSE(result.left.any());
  EXPECT_EQ(info(*store_).records, 2);
  EXPECT_NE(refusal([&] { purge(*store_, options); }), "nothing") << "it is gone";
  EXPECT_EQ(refusal([&] { require_nothing_paid(result.left); }), "nothing");
  EXPECT_NE(refusal([&] { require_nothing_paid({1, 0}); }).find("1 rated text"), std::string::npos);
}

TEST(Collected, IsAnErrorWhereSomethingIsLeft) {
  storage::Store::GcResult gone;
  EXPECT_EQ(refusal([&] { require_collected(gone, "it"); }), "nothing");
  gone.left = {"a", "b"};
  EXPECT_EQ(refusal([&] { require_collected(gone, "it"); }), "bytes of removed texts may be left in a; b");
  gone.lacking_bytes = 5U << 20U;
  EXPECT_NE(hint_of([&] { require_collected(gone, "it"); }).find("free 6 MiB and repeat it"), std::string::npos);
}

TEST_F(SmallStore, RemovesWhatTheTargetNames) {
  const auto target = [](const std::string& word) {
    RemoveOptions options;
    options.target = storage::parse_target(word);
    return options;
  };
  EXPECT_EQ(count_removal(*store_, target("d/half")).what, Removal::What::kRun);
  EXPECT_EQ(count_removal(*store_, target("d/a")).what, Removal::What::kRecord);
  EXPECT_EQ(count_removal(*store_, target("d")).rows.records, 3U);
  EXPECT_NE(refusal([&] { count_removal(*store_, target("d/halv")); }).find("half"), std::string::npos);
  RemoveOptions record = target("d/half");
  record.record = true;
  EXPECT_NE(refusal([&] { count_removal(*store_, record); }), "nothing") << "no record is called so";
  EXPECT_EQ(info(*store_).records, 3) << "counting removes nothing";

  EXPECT_EQ(remove(*store_, target("d/a"), Removal::What::kRecord).rows.claims, 4U);
  EXPECT_EQ(info(*store_).records, 2);
  const RemoveResult run = remove(*store_, target("d/half"), Removal::What::kRun);
  EXPECT_EQ(run.rows.variants, 2U);
  EXPECT_FALSE(run.spent || run.rated);
  RemoveOptions labels = target("d");
  labels.labels = "span";
  EXPECT_EQ(count_removal(*store_, labels).rows.labels, 0U);
  labels.annotator = "ann";
  EXPECT_NE(refusal([&] { count_removal(*store_, labels); }), "nothing") << "she labelled nothing";
  RemoveOptions releases = target("d");
  releases.never_released = true;
  EXPECT_EQ(refusal([&] { count_removal(*store_, releases); }), "the ledger counts no private release of d");
  remove(*store_, target("d"), Removal::What::kDataset);
  EXPECT_EQ(info(*store_).datasets, 0);
}

TEST(Remove, RefusesAnAnnotatorWithoutAKindAndLabelsOfARun) {
  RemoveOptions options;
  options.target = {"d", "r"};
  options.annotator = "ann";
  EXPECT_EQ(refusal([&] { check(options); }), "--annotator without --labels");
  options.labels = "span";
  EXPECT_EQ(refusal([&] { check(options); }), "labels belong to a dataset");
  options.target.run.reset();
  EXPECT_EQ(refusal([&] { check(options); }), "nothing");
}

TEST_F(SmallStore, RenamesDatasetsAndRunsAndSaysWhatIsStale) {
  evaluate("bm25[runs=failing+half]/random:1");
  const RenameResult run = rename(*store_, {{"d", "half"}, {"d", "a-part"}});
  EXPECT_EQ(run.name.run, "a-part");
  EXPECT_TRUE(run.stale.empty()) << "two releases add up in any order";
  EXPECT_EQ(rename(*store_, {{"d", "a-part"}, {"z", {}}}).name.run, "z");
  EXPECT_EQ(refusal([&] { rename(*store_, {{"d", "z"}, {"e", "z"}}); }), "a run cannot move to another dataset");
  EXPECT_NE(refusal([&] { rename(*store_, {{"d", {}}, {"e", "f"}}); }), "nothing");
  EXPECT_EQ(rename(*store_, {{"d", {}}, {"e", {}}}).name.dataset, "e");
  EXPECT_NE(refusal([&] { rename(*store_, {{"d", {}}, {"f", {}}}); }), "nothing") << "it has another name";
}

TEST_F(SmallStore, TellsWhatItHoldsAndHowLargeItIs) {
  const StoreInfo all = info(*store_);
  EXPECT_EQ(all.store, store_->dir());
  EXPECT_EQ(all.format, storage::kFormatVersion);
  EXPECT_EQ(all.datasets, 1);
  EXPECT_EQ(all.records, 3);
  EXPECT_EQ(all.runs, 4);
  EXPECT_GE(all.claims, 12);
  EXPECT_GT(all.texts, 10U);
  EXPECT_GT(all.catalog_bytes, 0U);
  EXPECT_GT(all.facts_bytes, 0U);
}

TEST_F(SmallStore, IsLookedAtWithoutBeingOpened) {
  const std::string folder = store_->dir().string();
  store_.reset();
  const HealthReport found = doctor(folder);
  EXPECT_EQ(found.store, folder);
  EXPECT_FALSE(found.files.empty() || found.place.empty() || found.machine.empty());
  EXPECT_EQ(found.machine.back().check, "Xapian");
  const HealthReport nowhere = doctor(scratch_.path().string());
  EXPECT_FALSE(nowhere.store);
  EXPECT_TRUE(nowhere.files.empty());
  EXPECT_FALSE(nowhere.place.empty());
}

}  // namespace
}  // namespace residue::verbs
