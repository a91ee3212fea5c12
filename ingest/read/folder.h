// A folder of text files as if it were one file of JSON Lines: {"id": name without .txt, "text": what the file holds}.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ingest/read/byte_source.h"

namespace residue::ingest {

struct TextFile {
  std::string path;
  std::string id;  // its name without .txt
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
};

// The files of `folder` whose names end in .txt, by name in byte order; folders below are not entered. Throws
// Error{not found|io}.
std::vector<TextFile> text_files(const std::string& folder);

bool is_folder(const std::string& path);

// Line n is the n-th file. Memory: one file. A byte order mark is dropped. Throws Error{bad input} for a folder without
// such files and, while reading, for a file that is no UTF-8 or longer than 16 MiB (it names the file).
std::unique_ptr<ByteSource> open_folder(const std::string& folder);

}  // namespace residue::ingest
