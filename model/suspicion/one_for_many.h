// One text for many records: what a sanitizer, or a model behind it, says instead of working.
//
//   texts of a run, their originals ──> equal texts, equal wordings ──> which of them count as failed
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/ids.h"
#include "storage/store.h"

namespace residue::model {

// Why such a text failed, as errors of variants say it.
inline constexpr std::string_view kOneForMany = "suspected: one text for many records";

struct GivenText {
  TextId original, text;
};

// By place in `given`: whether the text was given for at least 3 records, and 1 % of `records`, whose originals differ.
// Texts are one where they are equal, or where they are less than 400 bytes and their wording (text/words/wording.h) is
// equal; then the originals must differ in their wording. A text without a word outside its tags is a value. It depends
// on nothing but texts and originals. Cost: the texts are read once, of the originals a few.
std::vector<bool> one_for_many(std::span<const GivenText> given, std::size_t records,
                               const storage::Facts::Reader& texts);

// The records of an aligned run whose texts failed so; none where its texts are meant, and none of other runs. The same
// that an evaluation sees (query/inputs/snapshot.h). The caller holds the catalog's snapshot.
std::unordered_set<RecordId> one_for_many(storage::Db& db, const storage::Facts::Reader& texts, RunId run);

// Whether `text`, which the run has, cannot have failed so: it is long, and stands there too seldom. Cost: reads at
// most this text.
bool surely_not_one_for_many(storage::Db& db, const storage::Facts::Reader& texts, RunId run, TextId text);

// Whether `text`, which the run has for `record`, failed so.
bool is_one_for_many(storage::Db& db, const storage::Facts::Reader& texts, RunId run, RecordId record, TextId text);

}  // namespace residue::model
