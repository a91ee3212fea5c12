#include "page/answers/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/serve/worker.h"

namespace residue::page {
namespace {

// What an answer may be asked by, besides its own names.
constexpr std::string_view kLensNames = "dataset protocol judge sample", kTableNames = "offset limit counts format";
enum Traits : unsigned { kOfLens = 1, kTable = 2, kKept = 4 };  // kKept: dear, the same until the store changes

struct Answer {
  std::string_view method, path;
  Reply (*make)(const Viewer& viewer, const Wanted& wanted);
  unsigned traits = 0;
  std::string_view names = {};
};

constexpr std::array kAnswers = {
    Answer{"GET", "/api/store", answer_store},
    Answer{"GET", "/api/metrics", answer_metrics},
    Answer{"GET", "/api/lenses", answer_lenses, kOfLens | kKept},
    Answer{"GET", "/api/runs", answer_runs, kOfLens | kKept, "seeds where sort desc notes model columns group"},
    Answer{"GET", "/api/notes", answer_notes, kOfLens | kKept, "seeds"},
    Answer{"GET", "/api/compare", answer_compare, kOfLens | kTable | kKept, "baseline run seeds before after"},
    Answer{"GET", "/api/records", answer_records, kOfLens | kTable,
           "run metric slice model sort desc state outcome"},
    Answer{"GET", "/api/record", answer_record, kOfLens, "record run terms"},
    Answer{"GET", "/api/terms", answer_terms, kOfLens, "record run"},
    Answer{"GET", "/api/votes", answer_votes, kOfLens, "record run n format"},
    Answer{"GET", "/api/leaks", answer_leaks, kOfLens | kTable, "run record rating outcome category"},
    Answer{"GET", "/api/search", answer_search, kOfLens | kTable, "run q in k"},
    Answer{"GET", "/api/slices", answer_slices, kOfLens | kTable, "run metric model"},
    Answer{"GET", "/api/status", answer_status, 0, "dataset"},
    Answer{"GET", "/api/questions", answer_questions, kOfLens, "run record"},
    Answer{"POST", "/api/sql", answer_sql, 0, "format"},
    Answer{"GET", "/api/label", answer_label, kOfLens, "run annotator order show skip"},
    Answer{"POST", "/api/label", answer_rating, kOfLens, "run annotator order"},
    Answer{"GET", "/api/agreement", answer_agreement, kOfLens, "run sample_only"},
    Answer{"POST", "/api/intruder/next", answer_intruder_next, kOfLens, "run annotator"},
    Answer{"GET", "/api/intruder/search", answer_intruder_search, kOfLens, "run annotator target q"},
    Answer{"GET", "/api/intruder/text", answer_intruder_text, kOfLens, "run annotator target code"},
    Answer{"POST", "/api/intruder/answer", answer_intruder_answer, kOfLens, "run annotator"},
    Answer{"POST", "/api/intruder/outcome", answer_intruder_outcome, kOfLens, "run annotator"},
    Answer{"GET", "/api/intruder/report", answer_intruder_report, kOfLens, "run annotator"},
    Answer{"POST", "/api/intruder/report", answer_intruder_outcomes, kOfLens, "run annotator"},
};

std::vector<std::string_view> names_of(const Answer& answer) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view words) {
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      names.push_back(words.substr(0, end));
      words.remove_prefix(std::min(end + 1, words.size()));
    }
  };
  if ((answer.traits & kOfLens) != 0) add(kLensNames);
  add(answer.names);
  if ((answer.traits & kTable) != 0) add(kTableNames);
  return names;
}

// A condition that nobody reads would select everything.
void require_known_names(const Answer& answer, const Request& request) {
  const std::vector<std::string_view> names = names_of(answer);
  for (const auto& [name, value] : request.query) {
    if (std::ranges::find(names, name) != names.end()) {
      if (name != "format" || value == "csv" || value == "json") continue;
      throw Error(Code::kUsage, "format is csv or json", "change format");
    }
    throw Error(Code::kUsage, "the address asks by a name that is not known here",
                names.empty() ? "nothing may stand behind ?"
                              : fmt::format("known are {}", fmt::join(names, ", ")));
  }
}

int status_of(Code code) {
  switch (code) {
    case Code::kUsage:
    case Code::kBadInput:
      return 400;
    case Code::kNotFound:
      return 404;
    case Code::kBusy:
      return 409;
    case Code::kTryAgain:
      return 503;
    default:
      return 500;
  }
}

Reply kept_answer(const Answer& answer, const Viewer& viewer, const Request& request) {
  const Wanted wanted(request);
  if (wanted.csv()) return answer.make(viewer, wanted);
  Json asked = Json::object();
  for (const auto& [name, value] : request.query) asked[name] = value;
  const auto body = kept_or(viewer, fmt::format("answer {} {}", request.path, asked.dump()),
                            [&] { return answer.make(viewer, wanted).body; });
  return {.body = *body};
}

}  // namespace

Reply answer(const Viewer& viewer, const Request& request) {
  bool known = false;
  for (const Answer& one : kAnswers) {
    if (one.path != request.path) continue;
    known = true;
    if (one.method != request.method) continue;
    try {
      require_known_names(one, request);
      return (one.traits & kKept) != 0 ? kept_answer(one, viewer, request) : one.make(viewer, Wanted(request));
    } catch (const Error& error) {
      return failed(status_of(error.code()), error.what(), error.hint());
    } catch (const std::exception&) {
      return failed(500, "the answer could not be made",
                    "residue check; if it finds nothing, this is a bug of residue");
    }
  }
  return {.status = known ? 405 : 404, .type = "text/plain"};
}

}  // namespace residue::page
