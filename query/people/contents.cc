#include "query/people/contents.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/digest.h"
#include "base/error.h"
#include "query/judge/judging.h"
#include "query/link/attack_inputs.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"
#include "storage/catalog/sources/run.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

template <class Id>
std::string content_of(storage::Db& db, std::string_view sql, Id id) {
  storage::Statement find = db.prepare(sql);
  return find.bind(id).step() ? to_hex(find.text(0)) : "-";
}

}  // namespace

std::string contents_of_lens(storage::Db& db, const Lens& lens, RunId run) {
  storage::Statement sets = db.prepare(storage::sql::kClaimSetsInNameOrder);
  sets.bind(lens.dataset);
  std::string claims = "-";
  while (sets.step()) {
    if (sets.text(1) == lens.spec.claim_set) claims = to_hex(sets.text(2));
  }
  return content_of(db, storage::sql::kDatasetContent, lens.dataset) + "/" +
         content_of(db, storage::sql::kRunContentAndSubstitutions, run) + "/" + claims + "/" +
         to_hex(extra_content(db, lens.dataset, run, lens.spec)) + "/" + std::to_string(judge_revision(db, lens.judge));
}

void require_contents(storage::Db& db, const Lens& lens, RunId run, const std::string& before) {
  if (contents_of_lens(db, lens, run) == before) return;
  throw Error(Code::kTryAgain, "the texts or claims have changed since this was opened", "open it again");
}

void require_annotator(const std::string& name) {
  constexpr std::size_t kLongest = 100;
  const auto refuse = [](const char* what) {
    throw Error(Code::kUsage, what, "write --annotator NAME, for example initials");
  };
  if (!text::has_visible(name)) refuse("an annotator needs a name that can be seen");
  if (name.size() > kLongest) refuse("the name of an annotator has at most 100 bytes");
  // Characters that turn the direction of writing make one name look like another.
  if (text::escape_controls(name, text::Breaks::kEscape) != name) {
    refuse("the name of an annotator has no control characters, and none that turn the direction of writing");
  }
  const text::Span words = text::trim(name, {0, name.size()});
  if (words.begin != 0 || words.end != name.size()) refuse("the name of an annotator begins and ends without a space");
}

std::int64_t milliseconds_of(double seconds) {
  constexpr double kDay = 86'400;
  if (!(seconds >= 0 && seconds <= kDay)) {
    throw Error(Code::kBadInput, "the seconds are no time between 0 and a day", "leave them out where nobody measured");
  }
  return std::llround(seconds * 1000);
}

}  // namespace residue::query
