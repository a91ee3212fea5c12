#include "ingest/ask/asked_answers.h"

#include <fmt/format.h>

#include "base/error.h"
#include "ingest/files/answers.h"
#include "storage/catalog/answers/answer_set.h"

namespace residue::ingest {

using storage::Statement;

void AskedAnswers::check(storage::Db& db) const {
  Statement files = db.prepare(storage::sql::kAnswerSetExistsFromFiles);
  if (!files.bind(set_.run, set_.model, set_.task).step()) return;
  throw Error(Code::kUsage,
              fmt::format("the answers of {} to the task {} came from a file, and are not mixed with new ones",
                          set_.model, set_.task),
              "--as NAME gives the new answers another name");
}

void AskedAnswers::begin(storage::Db& db, const SpecDigest& digest, int parser) {
  writer_.begin();
  Statement asked = db.prepare(storage::sql::kAnswerSetDigestAndParser);
  const bool there = asked.bind(set_.run, set_.model, set_.task).step();
  if (there && asked.text(0) == digest.bytes() && asked.integer(1) == parser) return;
  asked.reset();
  check(db);
  writer_.clear(set_);
  db.prepare(storage::sql::kUpdateAnswerSetDigestAndParser)
      .run(set_.run, set_.model, set_.task, Statement::Blob{digest.bytes()}, static_cast<std::int64_t>(parser));
}

Outcome AskedAnswers::put(storage::WriteBatch& batch, RecordId record, std::int64_t about,
                          const std::optional<std::string>& answer) {
  std::optional<TextId> text;
  if (answer) text = batch.put_text(*answer, storage::PrivacyClass::kOriginal);
  return outcome_of(writer_.put(set_, {record, text, about}));
}

}  // namespace residue::ingest
