#include "ingest/sanitize/made_of.h"

#include "base/digest.h"
#include "storage/catalog/sources/program_answer.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

using storage::Statement;

std::string settings_of(std::string_view dataset, Sanitizer& sanitizer) {
  if (sanitizer.asking() != nullptr || !sanitizer.asked().empty()) return {};
  return TaggedHash("residue.made-of.v1").field("spec", sanitizer.spec()).field("dataset", dataset).bytes();
}

}  // namespace

MadeOf::MadeOf(storage::Store& store, DatasetId dataset, std::string_view name, std::string_view run,
               Sanitizer& sanitizer)
    : settings_(settings_of(name, sanitizer)),
      nothing_(store.facts().read()->find({})),
      find_(store.db().prepare(storage::sql::kProgramAnswerOfVariant)),
      keep_(store.db().prepare(storage::sql::kInsertOrUpdateProgramAnswer)) {
  Statement known = store.db().prepare(storage::sql::kRunByName);
  if (known.bind(dataset, run).step()) run_ = known.id<RunId>(0);
}

bool MadeOf::is_current(const RecordText& record) {
  if (settings_.empty() || !run_) return false;
  const bool made = find_.bind(*run_, record.id).step() && !find_.is_null(0);
  const bool current = made && find_.id<TextId>(1) == record.text_id && find_.text(2) == digest_for(record.person);
  if (current) {
    const auto text = find_.id<TextId>(0);
    if (text == record.text_id && text != nothing_) ++unchanged_;
  }
  find_.reset();
  return current;
}

void MadeOf::keep(RunId run, const RecordText& record) {
  if (settings_.empty()) return;
  keep_.run(run, record.id, record.text_id, Statement::Blob{digest_for(record.person)});
}

const std::string& MadeOf::digest_for(const std::string& person) {
  if (digest_.empty() || person != person_) {
    person_ = person;
    digest_ = TaggedHash("residue.made-of-record.v1").field("settings", settings_).field("person", person).bytes();
  }
  return digest_;
}

}  // namespace residue::ingest
