#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "ingest/sanitizer.h"

namespace residue::ingest {
namespace {

// The message and hint of the usage error that making it throws.
std::string refusal(std::string_view method, const std::map<std::string, std::string>& params) {
  try {
    make_sanitizer(method, {params});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    return std::string(error.what()) + " / " + error.hint();
  }
  return "accepted";
}

TEST(Sanitizers, NoneChangesNothing) {
  const auto none = make_sanitizer("none", {});
  const SanitizeOutput output = none->sanitize({"k", "Dr. Ana Ruiz"});
  EXPECT_EQ(output.text, "Dr. Ana Ruiz");
  EXPECT_FALSE(output.error.has_value());
  EXPECT_FALSE(none->removes_everything());
}

TEST(Sanitizers, RemoveAllLeavesNothingAndSaysSo) {
  const auto all = make_sanitizer("remove-all", {});
  const SanitizeOutput output = all->sanitize({"k", "abc"});
  EXPECT_EQ(output.text, "");
  EXPECT_TRUE(all->removes_everything());
  ASSERT_EQ(output.spans.size(), 1U);
  EXPECT_EQ(output.spans[0].end, 3U);
}

TEST(Sanitizers, ScrubTakesItsParameters) {
  const auto stars = make_sanitizer("scrub", {{{"replacement", "stars"}, {"types", "ip,email"}}});
  EXPECT_EQ(stars->sanitize({"k", "a@b.org aged 34"}).text, "******* aged 34");
  const auto spec = nlohmann::json::parse(stars->spec());
  EXPECT_EQ(spec.at("version"), "scrub/3");
  EXPECT_EQ(spec.at("params").at("types"), "email,ip");
  EXPECT_EQ(spec.at("lists").size(), 1U);
  EXPECT_EQ(spec.at("lists")[0].at("sha256").get<std::string>().size(), 64U);
  EXPECT_FALSE(spec.contains("seed"));
  EXPECT_EQ(make_sanitizer("scrub", {{{"types", "email,ip"}, {"replacement", "stars"}}, 7})->spec(), stars->spec());
  EXPECT_NE(make_sanitizer("scrub", {})->spec(), stars->spec());
  const auto few = make_sanitizer("scrub", {{{"types", "-age,-email"}}});
  EXPECT_EQ(few->sanitize({"k", "a@b.org 10.0.0.1 aged 34"}).text, "a@b.org [IP] aged 34");
  const auto seeded = make_sanitizer("scrub", {{{"replacement", "surrogate"}}, 7});
  EXPECT_EQ(nlohmann::json::parse(seeded->spec()).at("seed"), 7);
  EXPECT_NE(make_sanitizer("scrub", {{{"replacement", "surrogate"}}, 8})->spec(), seeded->spec());
}

TEST(Sanitizers, EverySpecIsCanonicalJsonNamingItsMethod) {
  for (const SanitizerMethod& method : sanitizer_methods()) {
    SCOPED_TRACE(method.name);
    EXPECT_FALSE(method.description.empty());
    if (!method.asks.empty()) {
      EXPECT_EQ(refusal(method.name, {}), std::string(method.name) +
                                              ": which model is to be asked? / --model NAME; residue model list has "
                                              "their names");
      continue;
    }
    const std::string spec = make_sanitizer(method.name, {})->spec();
    const auto parsed = nlohmann::json::parse(spec);
    EXPECT_EQ(parsed.dump(), spec);
    EXPECT_EQ(parsed.at("method"), method.name);
    EXPECT_EQ(parsed.at("params").size(), method.params.size());
  }
}

TEST(Sanitizers, MistakesNameWhatWouldWork) {
  EXPECT_EQ(
      refusal("scrubb", {}),
      "unknown sanitizer 'scrubb' / did you mean 'scrub'? Methods are none, remove-all, scrub, oracle-spans, "
      "random-mask, p-filter, p-filter-model, ngram, dp-ngram, command, paraphrase, anonymize, sanitize-paraphrase, "
      "span-abstract, adversarial, pseudonymize");
  EXPECT_EQ(refusal("none", {{"x", "1"}}), "none: unknown parameter 'x' / none takes no parameters");
  EXPECT_EQ(refusal("scrub", {{"type", "ip"}}),
            "scrub: unknown parameter 'type' / parameters are replacement, types, lists, names, places, organisations");
  EXPECT_EQ(refusal("scrub", {{"replacement", "x"}}),
            "scrub: unknown replacement 'x' / use replacement=tag, stars, token or surrogate");
  EXPECT_NE(refusal("scrub", {{"types", "emails"}}).find("unknown type 'emails'"), std::string::npos);
  EXPECT_NE(refusal("scrub", {{"types", ""}}).find("no types given"), std::string::npos);
}

}  // namespace
}  // namespace residue::ingest
