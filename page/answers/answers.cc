#include "page/answers/answers.h"

#include <fmt/format.h>

#include <array>
#include <exception>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "page/serve/worker.h"

namespace residue::page {
namespace {

struct Answer {
  std::string_view method, path;
  Reply (*make)(const Viewer& viewer, const Wanted& wanted);
  bool kept = false;  // the same while the store does not change, and dear: kept whole
};

constexpr std::array kAnswers = {
    Answer{"GET", "/api/store", answer_store},
    Answer{"GET", "/api/metrics", answer_metrics},
    Answer{"GET", "/api/lenses", answer_lenses, true},
    Answer{"GET", "/api/runs", answer_runs, true},
    Answer{"GET", "/api/notes", answer_notes, true},
    Answer{"GET", "/api/compare", answer_compare, true},
    Answer{"GET", "/api/records", answer_records},
    Answer{"GET", "/api/record", answer_record},
    Answer{"GET", "/api/terms", answer_terms},
    Answer{"GET", "/api/votes", answer_votes},
    Answer{"GET", "/api/leaks", answer_leaks},
    Answer{"GET", "/api/search", answer_search},
    Answer{"GET", "/api/slices", answer_slices},
    Answer{"GET", "/api/status", answer_status},
    Answer{"GET", "/api/questions", answer_questions},
    Answer{"POST", "/api/sql", answer_sql},
    Answer{"GET", "/api/label", answer_label},
    Answer{"POST", "/api/label", answer_rating},
    Answer{"GET", "/api/agreement", answer_agreement},
    Answer{"POST", "/api/intruder/next", answer_intruder_next},
    Answer{"GET", "/api/intruder/search", answer_intruder_search},
    Answer{"GET", "/api/intruder/text", answer_intruder_text},
    Answer{"POST", "/api/intruder/answer", answer_intruder_answer},
    Answer{"POST", "/api/intruder/outcome", answer_intruder_outcome},
    Answer{"GET", "/api/intruder/report", answer_intruder_report},
    Answer{"POST", "/api/intruder/report", answer_intruder_outcomes},
};

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
      return one.kept ? kept_answer(one, viewer, request) : one.make(viewer, Wanted(request));
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
