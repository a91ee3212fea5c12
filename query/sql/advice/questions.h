// Thirty questions as statements over the views: for people to begin with, for tests and for the bench.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/levels/readable.h"

namespace residue::query {

struct Question {
  std::string_view words;      // 'Whose records leak most?'
  std::string_view statement;  // without its semicolon; about the demo's dataset 'clinic', run 'scrub', record 'n-01'
  ReadLevel level;             // that it needs
};

std::vector<Question> questions();

// Whose numbers: one attacker on one sample of the records, and one judge.
struct AskedLens {
  std::string protocol;
  std::uint64_t sample = 0;
  std::string judge;
};

// What a statement is to be about instead of the demo.
struct AskedAbout {
  std::string dataset, run, record;
  std::optional<AskedLens> lens;  // none: every attacker by BM25, every judge
};

// The same statement about that: of this dataset alone, since runs of others may have the same name.
std::string statement_about(std::string_view statement, const AskedAbout& about);

// All of them, for people.
std::string_view questions_as_text();

}  // namespace residue::query
