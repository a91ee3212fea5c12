#include "cli/printed/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "cli/printed/glossary_columns.h"
#include "query/inputs/protocol.h"
#include "query/metric/metrics.h"

namespace residue::cli {
namespace {

std::vector<std::string> names_in(const Term& term) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= term.name.size();) {
    const std::size_t end = std::min(term.name.find(", ", at), term.name.size());
    names.emplace_back(term.name.substr(at, end - at));
    at = end + 2;
  }
  return names;
}

std::string kind_words(query::Kind kind) {
  switch (kind) {
    case query::Kind::kMean:
      return "the mean over records";
    case query::Kind::kShare:
      return "the share of records";
    case query::Kind::kPooled:
      return "the share of all units (claims, words, labels) of all records together";
    case query::Kind::kNet:
      return "what the attack has more than its control, as a share of what the control has not";
    case query::Kind::kGain:
      return "of what the control has not, the share that the attack has";
    case query::Kind::kWorst:
      return "the mean over the worst records";
    case query::Kind::kGreatest:
      return "the greatest over records";
    case query::Kind::kHistogram:
      return "how many records are in each of ten bins";
    case query::Kind::kHarmonic:
      return "the harmonic mean of two shares";
    case query::Kind::kDistribution:
      return "a comparison of two distributions over all records";
    case query::Kind::kWhole:
      return "one number for all texts, or all attacked records, together";
  }
  return {};
}

// Of metrics whose kind alone says too little.
std::string what_it_is(const query::MetricDefinition& metric) {
  const std::string_view name = metric.name;
  if (name.ends_with("_absent")) return "the same number under the absent attack (`residue help absent`)";
  if (name.ends_with("_gain_chance")) {
    return "what chance alone makes of a gain: of the claims that the third best hit does not give away, the share "
           "that "
           "the second best does; neither is of the person or a near copy, nor are they of each other";
  }
  if (name.ends_with("_gain")) return "of the claims that the control does not learn, the share that the attack learns";
  if (name == "absent_left_out") return "the mean number of texts that the absent attack leaves out for a record";
  if (name == "net_leakage")
    return "the mean over records of how much less far the attack's text is than the control's";
  if (name == "attribute_advantage") {
    return "what guesses get right beyond the best constant guess, as a share of what that gets wrong";
  }
  return kind_words(metric.kind);
}

std::string range_words(const query::MetricDefinition& metric) {
  if (std::isinf(metric.low) || std::isinf(metric.high)) return {};
  return fmt::format(", from {:g} to {:g}", metric.low, metric.high);
}

// "FSP D.3 (residue help FSP)".
std::string sourced(std::string_view source) {
  if (source.empty()) return "ours";
  for (const std::string_view paper : {"FSP", "AA", "LOP", "ZSTS", "TAB"}) {
    if (source.starts_with(paper)) return fmt::format("{} (`residue help {}`)", source, paper);
  }
  return std::string(source);
}

// What every metric can be told of from the table of metrics.
std::string metric_words(const query::MetricDefinition& metric) {
  return fmt::format("A metric: {}{}. Direction: {}. Source: {}. Definition: docs/metrics.md.", what_it_is(metric),
                     range_words(metric), metric.direction.empty() ? "-" : metric.direction, sourced(metric.source));
}

std::string count_words(const std::string& count, const char* which) {
  return fmt::format("the {} {} claims", which, count);
}

std::string policy_words(const query::ProtocolSpec& spec) {
  const std::string name = spec.name();
  const std::string policy = name.substr(name.find('/') + 1);
  const std::string word = policy.substr(0, policy.find_first_of(":@/~"));
  const std::size_t colon = policy.find(':');
  const std::string count = colon == std::string::npos
                                ? std::string()
                                : policy.substr(colon + 1, policy.find_first_of("@/~", colon) - colon - 1);
  if (word == "random") return count + " claims of the record, drawn at random, the same for every run";
  if (word == "first") return count_words(count, "first");
  if (word == "last") return count_words(count, "last");
  if (word == "all") return "every claim of the record";
  return "what the claim set " + count + " says of the record";
}

std::optional<std::string> protocol_words(const std::string& name) {
  if (name.find('/') == std::string::npos) return std::nullopt;
  try {
    const query::ProtocolSpec spec = query::parse_protocol(name);
    return fmt::format(
        "An attacker. He knows {}. He searches the released texts with {}, and reads the best hit. All attackers: "
        "docs/attackers.md.",
        policy_words(spec), spec.linker_name());
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

const std::vector<Term>& terms() {
  static const std::vector<Term> all = {
      {"record, original", "One text of the dataset, under the id that you gave it. All numbers are about records."},
      {"dataset", "The original texts. Everything else belongs to one: claims, runs, labels, evaluations."},
      {"store",
       "The folder .residue, made by `residue init`: all datasets, runs, ratings and numbers of a study. Commands find "
       "it in the working directory or above, or where --store says."},
      {"config, config.toml",
       "The file .residue/config.toml of a store: what flags are taken to say where they are not given, one a line: "
       "judge = \"lexical\". Flags win over it."},
      {"run",
       "What one sanitizer made of the dataset: a text for each record, or the reason why there is none. Written "
       "DATASET/RUN."},
      {"variant", "The sanitized text of one record in one run."},
      {"claim",
       "One fact of a record, as a short sentence. Attackers know some of them; the others are what they may learn. "
       "Made by `residue atomize`, or brought in."},
      {"person",
       "Whose record it is, where you said so. Records of one person are drawn together for intervals, and a hit on "
       "another record of the same person is a hit on him."},
      {"synthetic",
       "A run whose texts belong to no record. Nobody can find `the right one`; what can be learned from the nearest "
       "one is measured."},
      {"attacker, protocol",
       "Somebody who knows a few claims of a record, searches the released texts with them, and reads the best hit. "
       "Written LINKER/POLICY: bm25/random:3."},
      {"auxiliary, aux", "What the attacker knows before he searches. It is never counted as learned."},
      {"linker",
       "How the attacker finds a text: bm25 (words), rouge-l (common words in order), dense (vectors), and others. "
       "`oracle` always finds the right record, `random` any."},
      {"policy", "Which claims the attacker knows: random:3, first:3, last:3, all, given:SET."},
      {"bm25", "The usual formula of search engines: rare words that a text and a question share count most."},
      {"judge",
       "Who says what a text gives away of a claim: 1 all of it, 2 a part, 3 nothing. Built in: lexical, "
       "lexical-wordnet, rouge. A language model of yours: `residue model add`."},
      {"lexical",
       "The built-in judge. It compares words, so it misses paraphrase and inference: compare sanitizers by it, do not "
       "certify one."},
      {"rating", "What a judge said of a claim and a text: 1 same, 2 similar, 3 unsupported."},
      {"n", "How many records (or claims, where a metric is a share of claims) a number is of."},
      {"failed",
       "The sanitizer gave no usable text for the record: an error, nothing, a refusal. It counts as leaked, never as "
       "private."},
      {"missing",
       "Something that the number needs is not there: a judgment, a label, an answer. It counts as the worst, never as "
       "private, unless --missing drop."},
      {"not applicable, not_applicable",
       "The question has no sense for the record: it has no such label, or too few claims. It is not in the number."},
      {"coverage",
       "The share of the records that have a value. Where it is below 0.9 a gate fails, because few records may not "
       "speak for all."},
      {"interval, low, high",
       "A 95 % interval: records drawn again from the same kind would give a number in there 95 times of 100. Persons "
       "are drawn with all their records."},
      {"if_leaked, if_private",
       "The number if every failed and missing record counted as leaked, or as private. The truth is between them."},
      {"control",
       "A run or attacker that shows the end of the scale: `none` releases the originals, `remove-all` nothing; "
       "`oracle` always finds the record, `random` guesses."},
      {"absent attack, absent",
       "The same attack on a release without the record, its person and near copies of it: what others give away of "
       "him. It is the control of leak rates."},
      {"net",
       "What an attack learns beyond its control: (attack - control) / (1 - control). 1: all that others do not give "
       "away; 0: no more than they do; below 0: no gain."},
      {"gain",
       "Of the claims that the control does not learn, the share that the attack learns. Chance alone makes it larger "
       "than 0: hold it against leak_rate_gain_chance, what the second best hit gives away and the third does not."},
      {"tie set", "The records that an attacker finds equally good. He can only draw one of them."},
      {"criteria",
       "The three questions of regulators: can a person be singled out, linked, inferred about? `residue report "
       "--table criteria` answers them, and says what nobody tested."},
      {"advantage", "What guesses from a text get right beyond the best guess without it. 0: the text adds nothing."},
      {"none", "A control: the run that releases the originals. What it leaks is the most that can leak."},
      {"remove-all", "A control: the run that releases nothing. What it leaks was known before."},
      {"oracle",
       "A control: the attacker who always finds the right record. It tells what a text gives away from whether it is "
       "found."},
      {"random", "A control: the attacker who reads any text. What he learns stands in most texts."},
      {"stale",
       "A number is older than what it is of: texts, claims or labels changed since. `residue eval` brings it up to "
       "date."},
      {"gate", "A condition that fails the command: --fail-if 'leak_rate > 0.1'. For CI; exit code 1."},
      {"seed",
       "Where chance draws begin: the same seed draws the same. --seeds 3 evaluates three draws and reports their "
       "mean."},
      {"sample", "Only so many records are attacked, drawn by a seed. The texts that are searched are always all."},
      {"vote", "One of several answers of a model to the same question. The most frequent one counts."},
      {"canary",
       "A claim whose rating is known, asked with the others: a text that leads its judge to a wrong rating there is "
       "suspect."},
      {"egress",
       "Texts that leave this machine. Nothing does unless you allow a host for a dataset: `residue egress allow`."},
      {"tag", "What stands for a masked name: [NAME]. A token has a number, [NAME_1]; a surrogate looks like a name."},
      {"surrogate",
       "A name that stands for another one, drawn with the key of the store: without it nobody can tell which."},
      {"pseudonym, pseudonymization",
       "The same made-up name or tag for the same person everywhere. Whoever has the key can undo it, and records of "
       "one "
       "person can be told to belong together: it hides less than a mask."},
      {"random-mask",
       "A sanitizer that masks words drawn at random, whatever they say: `residue sanitize --with random-mask`. A "
       "baseline: whatever looks for identifiers should leave less behind at as many words kept."},
      {"pareto, frontier",
       "The runs to choose from: no other one gives away less and keeps more words. `residue compare DATASET --table "
       "pareto` lists them; intervals say whether a difference is one."},
      {"epsilon, delta",
       "A privacy budget: how much a release may depend on any one person. Small epsilon is private; delta is the "
       "chance that it does not hold, and has to be far below 1 / persons."},
      {"linkage_rate",
       "How often the attacker finds the right record. Of the originals (`none`) it is near 1; a guess finds 1 of all "
       "records. A low value does not say that nothing can be learned: see leak_rate."},
      {"linkage_rate_person", "As linkage_rate, where another record of the same person is a hit as well."},
      {"mean_risk",
       "How often an attacker is right who draws a person among his best hits: the mean of 1 / persons tied with the "
       "best, where the right one is among them. It is of this attacker: another one may do better."},
      {"max_risk", "The greatest 1 / persons tied with the best, of records whose person is among them."},
      {"anonymity_rank",
       "Where the record's own text stands among all: the median. It is no group that anybody could hide in, and no "
       "risk."},
      {"rank_bits", "How many bits the rank of the own text says more than chance."},
      {"open_recall_90, open_recall_95, open_recall_99",
       "The share of people that an attacker finds who claims only where 90, 95 or 99 % of his claims are right, and "
       "half of whose targets are not in the release."},
      {"semantic_distance",
       "What can NOT be learned of a record's claims: 1 nothing can, 0 everything stands there. The mean over "
       "records."},
      {"leak_rate",
       "Of the claims that the attacker did not know, the share that the text he found gives away, in full or in "
       "part."},
      {"full_leak_rate",
       "Of the claims that the attacker did not know, the share that the text he found gives away in full."},
      {"exposed_rate", "The share of records of which every claim is given away in full."},
      {"worst_decile",
       "The mean semantic_distance of the worst tenth of the records. Means hide them; people are harmed there."},
      {"excess_leakage", "How much more the text tells than what the attacker knew beforehand tells by itself."},
      {"rouge1_f, rouge2_f, rougeL_f",
       "How much of the original's words, pairs of words, or words in order the sanitized text keeps. A measure of "
       "use, not of privacy."},
  };
  return all;
}

namespace {

// Terms, metrics, attackers.
std::optional<std::string> named(const std::string& name) {
  for (const auto* list : {&terms(), &column_terms()}) {
    for (const Term& term : *list) {
      const std::vector<std::string> names = names_in(term);
      if (std::ranges::find(names, name) == names.end()) continue;
      const auto metric = query::find_metric(name);
      return std::string(term.text) + (metric ? " " + metric_words(query::definition(*metric)) : std::string());
    }
  }
  if (const auto metric = query::find_metric(name)) return metric_words(query::definition(*metric));
  if (auto words = column_words(name)) return words;
  if (auto words = protocol_words(name == "paper" ? std::string(query::kDefaultProtocol) : name)) return words;
  // A policy alone, as tables of attackers have it.
  return name.find('/') == std::string::npos && name.find(':') != std::string::npos ? protocol_words("bm25/" + name)
                                                                                    : std::nullopt;
}

}  // namespace

std::optional<std::string> explained(const std::string& name) {
  if (auto words = named(name)) return words;
  const auto column = split_column(name);
  if (!column) return std::nullopt;
  const auto about = explained(column->of);
  if (!about || column->field.empty()) return about;
  return fmt::format("The column {} of {}. {}: {}", column->field, column->of, column->field, *named(column->field));
}

std::vector<std::string> term_names() {
  std::vector<std::string> names{"paper"};
  for (const auto* list : {&terms(), &column_terms()}) {
    for (const Term& term : *list) {
      for (std::string& name : names_in(term)) names.push_back(std::move(name));
    }
  }
  for (const query::MetricDefinition& metric : query::metric_definitions()) names.emplace_back(metric.name);
  return names;
}

}  // namespace residue::cli
