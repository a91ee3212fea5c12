// Bundles that nobody packed: whoever has a bundle's bytes believes nothing of them.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "page/release/page_request.h"
#include "page/release/release_page.h"
#include "page/verify/bundle.h"
#include "page/verify/page_rows.h"
#include "page/verify/remade.h"
#include "page/verify/verify_page.h"
#include "storage/disk/tar.h"
#include "tests/verbs/small_store.h"
#include "verbs/release/release.h"

namespace residue::page {
namespace {

class CraftedBundle : public verbs::SmallStore {
 protected:
  void SetUp() override {
    evaluate("bm25/first:1");
    verbs::ReleaseOptions wanted;
    wanted.what.dataset = "d";
    wanted.what.protocols = "bm25/first:1";
    PageOptions options;
    options.version = "residue test";
    options.made_ms = 1'700'000'000'000;
    html_ = release_page(verbs::release(*store_, wanted), wanted, options);
    bundle_ = bundle_of(html_);
    std::size_t wrong = 0;
    manifest_ = storage::files_of_tar(bundle_, wrong)->front().second;
  }

  static std::string packed(const std::string& manifest, const std::string& html) {
    return storage::tar_bytes({{"bundle/manifest.json", manifest}, {"bundle/report.html", html}});
  }

  // With a digest of its own that fits.
  [[nodiscard]] std::string with(const std::function<void(Json&)>& change) const {
    Json manifest = *Json::parse(manifest_);
    manifest.erase("self");
    change(manifest);
    manifest["self"] = to_hex(sha256(manifest.dump()));
    return manifest.dump() + "\n";
  }

  std::string html_, bundle_, manifest_;
};

TEST_F(CraftedBundle, NothingThatItsManifestSaysIsBelieved) {
  ASSERT_TRUE(verify_bundle(packed(manifest_, html_)).sound());
  ASSERT_TRUE(verify_bundle(packed(with([](Json&) {}), html_)).sound());
  const std::string traversal = "../../../etc/passwd";
  const std::vector<std::pair<std::string, std::string>> crafted = {
      {"another dataset", with([](Json& m) { m["dataset"] = "other"; })},
      {"a dataset that drives a terminal", with([](Json& m) { m["dataset"] = "d\x1b[2J"; })},
      {"a number for a dataset", with([](Json& m) { m["dataset"] = 7; })},
      {"another digest of the dataset", with([](Json& m) { m["dataset_digest"] = std::string(32, '0'); })},
      {"a run less", with([](Json& m) { m["runs"] = Json::array(); })},
      {"a run twice", with([](Json& m) { m["runs"].push_back(Json(m.at("runs").at(0))); })},
      {"another name of a run", with([](Json& m) { m["runs"][0][0] = "better"; })},
      {"a run that is no pair", with([](Json& m) { m["runs"] = Json::array({1, 2}); })},
      {"another program", with([](Json& m) { m["version"] = "residue 9"; })},
      {"another format", with([](Json& m) { m["format"] = "residue bundle 2"; })},
      {"no bytes", with([](Json& m) { m["bytes"] = 0; })},
      {"absurdly many bytes", with([](Json& m) { m["bytes"] = 9'223'372'036'854'775'807; })},
      {"a negative size", with([](Json& m) { m["bytes"] = -1; })},
      {"half a byte", with([](Json& m) { m["bytes"] = 0.5; })},
      {"blocks of nothing", with([](Json& m) { m["block"] = 0; })},
      {"absurdly large blocks", with([](Json& m) { m["block"] = 9'223'372'036'854'775'807; })},
      {"no blocks", with([](Json& m) { m["blocks"] = Json::array(); })},
      {"blocks that are no list", with([](Json& m) { m["blocks"] = 3; })},
      {"blocks that are no digests", with([](Json& m) { m["blocks"][0] = Json::array(); })},
      {"more blocks than bytes", with([](Json& m) {
         for (int i = 0; i < 100'000; ++i) m["blocks"].push_back("0000000000000000");
       })},
      {"blocks in another order", with([](Json& m) { std::swap(m["blocks"][0], m["blocks"][1]); })},
      {"another digest", with([](Json& m) { m["sha256"] = std::string(64, '0'); })},
      {"a digest in other letters", with([](Json& m) { m["sha256"] = std::string(64, 'A'); })},
      {"files that it does not have", with([&](Json& m) { m["files"] = Json::array({traversal, "report.html"}); })},
      {"a key less", with([](Json& m) { m.erase("dataset"); })},
      {"no digest of its own", [&] {
         Json m = *Json::parse(manifest_);
         m.erase("self");
         return m.dump() + "\n";
       }()},
      {"a key twice", "{\"dataset\":\"other\"," + manifest_.substr(1)},
      {"words behind it", manifest_ + "\n"},
      {"no JSON", "hello"},
      {"nothing", ""},
      {"a list", "[]\n"},
      {"very deep", std::string(200'000, '[')}};
  for (const auto& [what, manifest] : crafted) {
    SCOPED_TRACE(what);
    const BundleCheck check = verify_bundle(packed(manifest, html_));
    EXPECT_FALSE(check.sound());
    EXPECT_FALSE(check.changed.empty());
    EXPECT_EQ(check.dataset, "");
    EXPECT_TRUE(check.runs.empty());
    EXPECT_TRUE(check.page.computed) << "the page itself is whole";
  }
}

TEST_F(CraftedBundle, ItHasTwoFilesUnderTheirNamesAndNoOther) {
  const std::string manifest = "bundle/manifest.json", page = "bundle/report.html";
  const std::vector<storage::TarFiles> archives = {{{page, html_}},
                                                   {{manifest, manifest_}},
                                                   {{manifest, manifest_}, {manifest, manifest_}},
                                                   {{page, html_}, {manifest, manifest_}},
                                                   {{manifest, manifest_}, {page, html_}, {page, html_}},
                                                   {{manifest, manifest_}, {page, html_}, {"bundle/extra.html", html_}},
                                                   {{manifest, manifest_}, {"../report.html", html_}},
                                                   {{"/etc/passwd", manifest_}, {page, html_}},
                                                   {{manifest, manifest_}, {"bundle/../bundle/report.html", html_}},
                                                   {{manifest, manifest_}, {"bundle/report.html/", html_}},
                                                   {}};
  for (const storage::TarFiles& files : archives) {
    try {
      EXPECT_FALSE(verify_bundle(storage::tar_bytes(files)).sound());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
    }
  }
  // A size of 8 GiB in a file of some kilobytes, and one that would wrap.
  for (const std::string& size :
       {std::string("77777777777"), std::string("\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")}) {
    std::string other = bundle_;
    other.replace(124, 11, size);
    EXPECT_FALSE(verify_bundle(other).sound());
  }
}

// A manifest that fits a page that residue bundle would not pack.
TEST_F(CraftedBundle, APageWithTextsOrAnotherRequestIsNone) {
  for (const auto& [before, after] : {std::pair<std::string, std::string>{"\"texts\":false", "\"texts\":true"},
                                      {"\"proof\":true", "\"proof\":false"},
                                      {"\"seeds\":1", "\"seeds\":0"},
                                      {"\"request\":", "\"asked\":"}}) {
    std::string html = html_;
    const std::size_t at = html.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    html.replace(at, before.size(), after);
    const BundleCheck check = verify_bundle(packed(manifest_, html));
    EXPECT_FALSE(check.sound()) << after;
    EXPECT_EQ(check.dataset, "") << after;
  }
}

// Each gate is held against every run: a page of very many would keep its reader waiting.
TEST_F(CraftedBundle, AsksForNoMoreThanAPageHas) {
  for (const auto& [before, gates, refused] :
       {std::tuple<std::string, std::size_t, bool>{"\"gates\":[", kMostGates + 1, true},
        {"\"gates\":[", kMostGates, false},
        {"\"coverages\":[", 20'000, true}}) {
    std::string html = html_, list;
    for (std::size_t i = 0; i < gates; ++i) list += i == 0 ? "\"leak_rate > 1\"" : ",\"leak_rate > 1\"";
    const std::size_t at = html.find(before);
    ASSERT_NE(at, std::string::npos);
    html.insert(at + before.size(), list);
    SCOPED_TRACE(before + std::to_string(gates));
    const std::string bundle = packed(manifest_, html);
    try {
      EXPECT_FALSE(verify_bundle(bundle).sound());
      EXPECT_FALSE(verify_page(*store_, html, "residue test").same);
      EXPECT_FALSE(refused);
    } catch (const Error& error) {
      EXPECT_TRUE(refused) << error.what();
      EXPECT_EQ(error.code(), Code::kBadInput);
      EXPECT_THROW(verify_page(*store_, html, "residue test"), Error);
    }
  }
}

// Data of a page that it does not write: whatever they are, the page does not fit, and nothing else happens.
TEST_F(CraftedBundle, DataOfAnotherKindDoNotFit) {
  const std::size_t begin = html_.find("id=\"data\">") + 10, end = html_.find("</script>", begin);
  const Json data = *data_of_page(html_);
  const std::vector<std::pair<std::string, std::function<void(Json&)>>> changes = {
      {"no facts", [](Json& d) { d.erase("facts"); }},
      {"facts of no kind", [](Json& d) { d["facts"] = 7; }},
      {"no gates", [](Json& d) { d.erase("gates"); }},
      {"a gate that nobody asked for",
       [](Json& d) {
         d["gates"] = Json::array({Json::array({0, "half"})});
       }},
      {"a run less", [](Json& d) { d["facts"]["runs"] = Json::array(); }},
      {"a card less", [](Json& d) { d["facts"]["cards"] = Json::array(); }},
      {"half a record", [](Json& d) { d["facts"]["records"] = 2.5; }},
      {"a day without end", [](Json& d) { d["facts"]["cards"][0]["day"] = std::int64_t{1} << 60; }},
      {"a criterion of no metric",
       [](Json& d) { d["facts"]["criteria"][0]["rows"] = Json::array({Json::array({"x"})}); }},
      {"an attacker that cannot be read", [](Json& d) { d["facts"]["attacks"][0]["protocol"] = "web"; }},
      {"no seeds", [](Json& d) { d["facts"]["attacks"][0]["seeds"] = 0; }},
      {"an unknown metric", [](Json& d) { d["facts"]["runs"][0]["values"]["better"] = Json::array(); }}};
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    Json other = data;
    change(other);
    const std::string html = html_.substr(0, begin) + other.dump() + html_.substr(end);
    EXPECT_FALSE(remade(html).made);
  }
}

TEST_F(CraftedBundle, ContributionsThatNoRecordHasAreNotAddedUp) {
  const Json data = *data_of_page(html_);
  ASSERT_TRUE(proof_of_data(data));
  const std::vector<std::pair<std::string, std::function<void(Json&)>>> changes = {
      {"an unknown state", [](Json& m) { m["table"][0][0] = 4; }},
      {"a state that wraps", [](Json& m) { m["table"][0][0] = 256; }},
      {"a negative state", [](Json& m) { m["table"][0][0] = -1; }},
      {"a numerator without end", [](Json& m) { m["table"][0][1] = 9'223'372'036'854'775'807; }},
      {"the least numerator", [](Json& m) { m["table"][0][1] = std::int64_t{-9'223'372'036'854'775'807} - 1; }},
      {"a denominator without end", [](Json& m) { m["table"][0][2] = 9'223'372'036'854'775'807; }},
      {"a negative denominator", [](Json& m) { m["table"][0][2] = -1; }},
      {"a bound without end", [](Json& m) { m["table"][0][3] = std::int64_t{1} << 40; }},
      {"no table", [](Json& m) { m["table"] = Json::array(); }},
      {"places that are too few", [](Json& m) { m["at"] = "AA=="; }},
      {"places that are no base64", [](Json& m) { m["at"] = "?"; }},
      {"places that are too wide", [](Json& m) { m["wide"] = true; }},
      {"no such metric", [](Json& m) { m["metric"] = "better_rate"; }},
      {"a metric that is no sum", [](Json& m) { m["metric"] = "distance_histogram"; }}};
  for (const auto& [what, change] : changes) {
    Json other = data;
    change(other["proof"]["runs"][0]["tiers"][0]["metrics"][0]);
    EXPECT_FALSE(proof_of_data(other)) << what;
  }
  Json other = data;
  other["proof"]["runs"][0]["tiers"][0]["units"] = 1000;
  EXPECT_FALSE(proof_of_data(other));
  other = data;
  other["proof"]["runs"] = 7;
  EXPECT_FALSE(proof_of_data(other));
}

}  // namespace
}  // namespace residue::page
