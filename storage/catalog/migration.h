// A catalog of an earlier format, written anew in today's schema. What changed with each format:
//
//   3  evaluations name their judge, answers or embedder in columns of their own (before: all in judge_id)
//   4  ids of records are never given again; aggregate.unknown; metric_definition.optional; later: answers about texts
//   that
//      belong to no record, releases with differential privacy, sources of claims, texts that are meant
//   5  pages with checksums; the count of commits
//   6  places of records among all candidates; datasets of people who were never released
//   7  how labels came about, attempts of people in the intruder test; tags, notes and the making of runs; saved views
//   8  strata of the intruder test's targets, which answers were given blind, who read outcomes
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "storage/catalog/sqlite.h"

namespace residue::storage {

// Writes `fresh`, which must not exist, of format `to`, with all rows of `old`, which is of format `from` and has no
// log.
void migrate_catalog(const std::filesystem::path& old, int from, const std::filesystem::path& fresh, int to,
                     const std::function<void(const std::string&)>& progress);

// An empty catalog of today's schema, in one file without a log, with its identity. No rows: not even its uuid.
std::unique_ptr<Db> make_catalog(const std::filesystem::path& file, int version);

}  // namespace residue::storage
