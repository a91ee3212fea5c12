// Index segments: immutable single-file Xapian databases, built aside, checked by SHA-256, published by rename.
//
//   texts ── Analyzer ──> .tmp-PID-N/ (glass) ── compact ──> one file ── SHA-256, fsync ──> rename ──> fsync(index/)
//
// Inside: a document per candidate that has at least one term, in ascending candidate order; its data is the candidate
// id (8 bytes, little endian); terms with their frequencies, no positions, no term lists. Reliability notes, INDEX
// publish X1-X5; recording the segment in the catalog (X6) and deleting what it replaces (X7) is the caller's part.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/ids.h"

namespace residue::text {
class Analyzer;
}

namespace residue::index {

// A published segment, as the catalog records it.
struct Segment {
  std::string file;             // name below index/: run<id>-<first 16 hex digits of the hash>.glass
  std::string sha256;           // of the file, 64 hex digits
  std::uint64_t bytes = 0;      // of the file
  std::uint64_t documents = 0;  // those with at least one term; a segment may have none
};

// Builds one segment. Destroyed without publish(): nothing is left. Throws Error{io|corrupt}.
class SegmentBuilder {
 public:
  // The analyzer must outlive the builder. The caller holds the lock of index building.
  SegmentBuilder(const std::filesystem::path& index_dir, RunId run, const text::Analyzer& analyzer);
  ~SegmentBuilder();
  SegmentBuilder(const SegmentBuilder&) = delete;
  SegmentBuilder& operator=(const SegmentBuilder&) = delete;

  // In strictly ascending candidate order. A text without terms adds no document.
  void add(CandidateId candidate, std::string_view text);

  // Durable under its final name at return. Once only.
  Segment publish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Returns if the file's SHA-256 is `sha256`; Error{corrupt} if it differs or the file is gone, Error{io} if it cannot
// be read. Cost: reads the file once.
void verify_segment(const std::filesystem::path& file, std::string_view sha256);

}  // namespace residue::index
