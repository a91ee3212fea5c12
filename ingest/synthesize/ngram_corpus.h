// A dataset's records as documents under control codes.
#pragma once

#include <functional>
#include <string>

#include "base/ids.h"
#include "ingest/synthesize/dp_ngrams.h"
#include "storage/store.h"

namespace residue::ingest {

// What a record's control code is: its label; the right answer of its task (its words, where it is one of the options);
// nothing. A record without one has the empty code.
enum class ControlCode { kLabel, kAnswer, kNone };

struct ReadCorpus {
  NgramCorpus corpus;   // of records that have a text
  std::string content;  // dataset.content
  std::string digest;   // SHA-256 of keys, persons, codes and texts, whatever their order and ids
};

// One snapshot of the dataset. Memory: 4 bytes a token and the vocabulary. Throws Error{bad input} if an input of the
// dataset was not read to its end, Error{interrupted}.
ReadCorpus read_corpus(storage::Store& store, DatasetId dataset, ControlCode code,
                       const std::function<bool()>& interrupted);

}  // namespace residue::ingest
