#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ingest/method/sanitizer.h"

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
  EXPECT_EQ(spec.at("version"), "scrub/10");
  EXPECT_EQ(spec.at("params").at("types"), "email,ip");
  EXPECT_EQ(spec.at("lists").size(), 1U);
  EXPECT_EQ(spec.at("lists")[0].at("sha256").get<std::string>().size(), 64U);
  EXPECT_FALSE(spec.contains("seed"));
  EXPECT_EQ(make_sanitizer("scrub", {{{"types", "email,ip"}, {"replacement", "stars"}}, 7})->spec(), stars->spec());
  EXPECT_NE(make_sanitizer("scrub", {})->spec(), stars->spec());
  const auto few = make_sanitizer("scrub", {{{"types", "-age,-email"}}});
  EXPECT_EQ(few->sanitize({"k", "a@b.org 10.0.0.1 aged 34"}).text, "a@b.org [IP] aged 34");
  const auto seeded = make_sanitizer("scrub", {.params = {{"replacement", "surrogate"}}, .seed = 7, .seeded = true});
  EXPECT_EQ(nlohmann::json::parse(seeded->spec()).at("seed"), 7);
  EXPECT_NE(make_sanitizer("scrub", {.params = {{"replacement", "surrogate"}}, .seed = 8, .seeded = true})->spec(),
            seeded->spec());
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

// All parameters that are numbers: what the error says, the least and the most that is accepted, and what is not.
TEST(Sanitizers, NumbersOutsideTheirRangeAreToldIt) {
  struct Case {
    const char *method, *param, *range;
    std::vector<const char*> good, bad;
  };
  const Case cases[] = {
      {"oracle-spans", "share", "number from 0 to 1", {"0", "1"}, {"-0.01", "1.001", "2"}},
      {"random-mask", "rate", "number from 0 to 1", {"0", "1", "0.5"}, {"-1", "1.0000001"}},
      {"p-filter", "p", "number above 0 (at least 1e-300), at most 1", {"1e-300", "1"}, {"0", "-1", "1e-301", "1.1"}},
      {"p-filter", "n", "whole number from 1 to 1000000", {"1", "1000000", "1e3"}, {"0", "-1", "1.5", "1000001"}},
      {"p-filter", "k", "whole number from 1 to 1000000", {"1", "1000000"}, {"0", "-1", "1.5", "1000001"}},
      {"p-filter", "s", "number from 0 to 2", {"0", "2"}, {"-0.1", "2.1"}},
      {"p-filter-model", "p", "number above 0 (at least 1e-300), at most 1", {"1e-300", "1"}, {"0", "-1", "1.1"}},
      {"ngram", "order", "whole number from 1 to 6", {"1", "6"}, {"0", "7", "2.5"}},
      {"ngram", "texts", "whole number from 1 to 10000000", {"", "1", "10000000"}, {"0", "-3", "10000001"}},
      {"ngram", "length", "whole number from 1 to 100000", {"1", "100000"}, {"0", "100001"}},
      {"ngram", "temperature", "number from 0.01 to 100", {"0.01", "100"}, {"0", "0.009", "101"}},
      {"ngram", "top-k", "whole number from 0 to 1000000", {"0", "1000000"}, {"-1", "1000001"}},
      {"dp-ngram", "order", "whole number from 1 to 6", {"1", "6"}, {"0", "7"}},
      {"dp-ngram", "texts", "whole number from 1 to 10000000", {"", "1", "10000000"}, {"0", "10000001"}},
      {"dp-ngram", "length", "whole number from 1 to 100000", {"1", "100000"}, {"0", "100001"}},
      {"dp-ngram", "temperature", "number from 0.01 to 100", {"0.01", "100"}, {"0", "101"}},
      {"dp-ngram", "top-k", "whole number from 0 to 1000000", {"0", "1000000"}, {"-1", "1000001"}},
      {"dp-ngram",
       "epsilon",
       "number from 0.01 to 1000000, nor inf",
       {"0.01", "1e6", "inf"},
       {"0", "-1", "1e7", "-inf"}},
      {"dp-ngram",
       "delta",
       "number above 0 (at least 1e-100), below 1",
       {"1e-100", "0.999"},
       {"0", "1", "-1", "1e-101"}},
      {"dp-ngram", "contribution", "whole number from 1 to 10000", {"1", "10000"}, {"0", "10001", "1.5"}},
      {"dp-ngram", "records", "whole number from 1 to 100", {"1", "100"}, {"0", "101"}},
      {"command", "timeout", "number from 0.1 to 86400", {"0.1", "86400"}, {"0", "0.09", "86401"}},
      {"anonymize", "rounds", "whole number from 1 to 20", {"1", "20"}, {"0", "21", "-1", "1.5"}},
      {"adversarial", "rounds", "whole number from 1 to 20", {"1", "20"}, {"0", "21"}},
      {"adversarial", "cutoff", "whole number from 1 to 4", {"1", "4"}, {"0", "5"}},
  };
  std::size_t numbers = 0;
  for (const SanitizerMethod& method : sanitizer_methods()) {
    for (const SanitizerParam& param : method.params) {
      EXPECT_NO_THROW(check_param(method.name, param, param.default_value)) << method.name << " " << param.name;
      numbers += param.range.kind == ParamRange::Kind::kWords ? 0 : 1;
    }
  }
  EXPECT_EQ(numbers, std::size(cases));
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.method) + " " + one.param);
    const SanitizerMethod& method = sanitizer_method(one.method);
    const auto param = std::ranges::find(method.params, std::string_view(one.param), &SanitizerParam::name);
    ASSERT_NE(param, method.params.end());
    for (const char* value : one.good) {
      EXPECT_NO_THROW(check_param(one.method, *param, value)) << value;
      if (!method.asks.empty()) continue;
      EXPECT_EQ(refusal(one.method, {{one.param, value}}), "accepted") << value;
    }
    std::vector<const char*> bad = one.bad;
    for (const char* value : {"nan", "-nan", "-inf", "1e400", "x", "1x", " 1", "1 ", "+1", "0x1", "1,5", "inf", ""}) {
      if (std::ranges::find(one.good, std::string_view(value)) == one.good.end()) bad.push_back(value);
    }
    for (const char* value : bad) {
      const std::string said = refusal(one.method, {{one.param, value}});
      EXPECT_TRUE(said.starts_with(std::string(one.method) + ": " + one.param + " is not a " + one.range + " / --param " +
                                   one.param + "="))
          << "'" << value << "': " << said;
    }
  }
}

TEST(Sanitizers, MistakesNameWhatWouldWork) {
  EXPECT_EQ(
      refusal("scrubb", {}),
      "unknown sanitizer 'scrubb' / did you mean 'scrub'? Methods are none, remove-all, scrub, oracle-spans, "
      "random-mask, p-filter, p-filter-model, ngram, dp-ngram, command, paraphrase, anonymize, sanitize-paraphrase, "
      "span-abstract, model-tags, adversarial, pseudonymize");
  EXPECT_EQ(refusal("none", {{"x", "1"}}), "none: unknown parameter 'x' / none takes no parameters");
  EXPECT_EQ(refusal("scrub", {{"type", "ip"}}),
            "scrub: unknown parameter 'type' / parameters are replacement, consistent, types, lists, names, places, "
            "organisations");
  EXPECT_EQ(refusal("scrub", {{"replacement", "x"}}),
            "scrub: unknown replacement 'x' / use replacement=tag, stars, token or surrogate");
  EXPECT_NE(refusal("scrub", {{"types", "emails"}}).find("unknown type 'emails'"), std::string::npos);
  EXPECT_NE(refusal("scrub", {{"types", ""}}).find("no types given"), std::string::npos);
}

}  // namespace
}  // namespace residue::ingest
