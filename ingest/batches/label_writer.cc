#include "ingest/batches/label_writer.h"

#include <cstdint>
#include <map>
#include <utility>

#include "base/json.h"
#include "ingest/batches/label_subject.h"
#include "storage/catalog/sources/label.h"

namespace residue::ingest {

LabelWriter::LabelWriter(storage::Db& db, DatasetId dataset, std::string kind, std::string annotator)
    : dataset_(dataset),
      kind_(std::move(kind)),
      annotator_(std::move(annotator)),
      family_(annotator_.substr(0, annotator_.find('/') + 1)),
      labels_(db.prepare(storage::sql::kLabelsOfRecordByAnnotatorPrefix)),
      insert_(db.prepare(storage::sql::kInsertLabel)),
      erase_(db.prepare(storage::sql::kDeleteLabel)) {}

Outcome LabelWriter::replace(storage::WriteBatch& batch, RecordId record, const std::vector<Json>& payloads) {
  std::map<std::int64_t, TextId> wanted;  // subject by payload
  for (const Json& payload : payloads) {
    const std::string subject = label_subject(kind_, payload);
    wanted.emplace(batch.put_text(payload.sorted().dump(), storage::PrivacyClass::kOriginal).value,
                   batch.put_text(subject, storage::PrivacyClass::kOriginal));
  }
  std::vector<std::int64_t> old;
  bool had = false;
  labels_.bind(dataset_, kind_, record, family_);
  while (labels_.step()) {
    had = true;
    if (labels_.text(2) == annotator_ && wanted.erase(labels_.integer(1)) > 0) continue;
    old.push_back(labels_.integer(0));
  }
  for (const std::int64_t label : old) erase_.run(label);
  for (const auto& [payload, subject] : wanted) {
    insert_.run(dataset_, kind_, record, annotator_, subject, TextId{payload});
  }
  if (old.empty() && wanted.empty()) return Outcome::kSame;
  return had ? Outcome::kChanged : Outcome::kNew;
}

}  // namespace residue::ingest
