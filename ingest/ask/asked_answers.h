// Writing the answers that were asked for here: of one name, to one task, about one run, all asked in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "ingest/batches/result.h"
#include "storage/catalog/answer_sets.h"
#include "storage/store.h"

namespace residue::ingest {

class AskedAnswers {
 public:
  AskedAnswers(storage::Db& db, storage::AnswerSet set) : set_(std::move(set)), writer_(db) {}

  // Throws Error{usage} where answers of this name came from a file.
  void check(storage::Db& db) const;

  // In each batch: answers that were asked for otherwise, or read by an older parser, go.
  void begin(storage::Db& db, const SpecDigest& digest, int parser);

  // All answers go.
  void clear() { writer_.clear(set_); }

  Outcome put(storage::WriteBatch& batch, RecordId record, std::int64_t about,
              const std::optional<std::string>& answer);

  void end() { writer_.end(); }

 private:
  const storage::AnswerSet set_;
  storage::AnswerSetWriter writer_;
};

}  // namespace residue::ingest
