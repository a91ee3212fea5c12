// What a reader must know before he believes the numbers of a report.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "query/report/report.h"

namespace residue::verbs {

using Names = std::set<std::string>;

// Runs of which a share of the linked texts told the judge what to say.
struct Suspect {
  std::string run;
  double share = 0;
};

// Of an attacker who knows every claim: so many records have no claim left that a judge could rate.
struct Unjudged {
  double records = 0;  // of the run with the most
  double of = 0;       // records that were attacked
};

struct ReportState {
  std::vector<std::string> stale;        // runs that changed since they were evaluated
  std::vector<std::string> partly;       // runs of which only `old_metrics` are stale
  Names old_metrics;                     // of these
  std::vector<query::OldMetric> old;     // stale metrics of all runs, for query::commands_for
  std::vector<std::string> unevaluated;  // runs, under this attacker and judge
  std::vector<Suspect> suspects;
  bool blind = false;         // every text is suspect, those of the originals too: it is the judge, not the texts
  std::optional<int> always;  // then the one rating that it gave everywhere, if it gave no other
  std::optional<Unjudged> unjudged;

  bool answered = false;                                          // there are metrics of answers to tasks
  std::map<std::string, Names> unanswered;                        // runs that the shown model did not answer, by task
  Names other_models;                                             // who answered as well
  std::map<std::string, std::map<std::string, Names>> embedders;  // runs by metric and whose vectors are behind it
  std::map<std::string, Names> unmeasured;                        // metrics of the judge without a value, by reason
};

ReportState state_of(const query::Report& report);

// Of the runs that are no control the one that leaks most, which a reader wants to look into. Null: none has a rate.
const query::ReportRun* leakiest(const query::Report& report);

}  // namespace residue::verbs
