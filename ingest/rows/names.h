// What may be called what: datasets, runs, claim sets, and the keys of records.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::ingest {

inline constexpr std::size_t kMaxKeyBytes = 1024;

// Why a row cannot be stored; rows.h adds the line. Neither text quotes the input.
struct Problem {
  std::string cause;
  std::string remedy;
};

// ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$, a run's name also with '@' (NAME@2: round 2); Error{usage} otherwise. `what` is
// "dataset", "run", "claim set".
void check_name(std::string_view what, std::string_view name);

// 'none' and 'remove-all': the automatic controls of every dataset.
bool is_control(std::string_view run);

// A record's key: not empty, no NUL, at most kMaxKeyBytes.
std::optional<Problem> check_key(std::string_view key);

// Nothing but white space.
bool is_blank(std::string_view text);

}  // namespace residue::ingest
