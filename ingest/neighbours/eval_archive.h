// A log of inspect_ai in its format .eval, a ZIP archive, as the JSON that its format .json has.
//
//   header.json (or _journal/start.json), samples/ID_epoch_N.json ... ─> [header, [sample, sample, ...]]
//
// inspect_ai, src/inspect_ai/log/_recorders/eval.py.
#pragma once

#include <memory>
#include <string>

#include "ingest/read/byte_source.h"

namespace residue::ingest {

// Whether the file begins as a ZIP archive does; not so for what is no regular file.
bool is_archive(const std::string& path);

// Throws as ZipArchive, and Error{bad input} for an archive that is no such log, or one in parts (version 3). Memory:
// one sample, packed.
std::unique_ptr<ByteSource> open_eval_archive(const std::string& path);

}  // namespace residue::ingest
