// What the server of `residue serve` answers from: a store, and how much of it may be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "page/serve/kept.h"
#include "page/serve/request.h"
#include "query/report/report.h"
#include "query/sql/levels/readable.h"
#include "storage/store.h"

namespace residue::page {

struct Viewer {
  std::filesystem::path store;  // as verbs::find_store gives it
  query::ReadLevel level = query::ReadLevel::kReleased;
  std::string version;   // of the program
  Kept* kept = nullptr;  // what answers find out for later ones; null: they do not

  [[nodiscard]] bool claims() const { return level != query::ReadLevel::kReleased; }
  [[nodiscard]] bool originals() const { return level == query::ReadLevel::kOriginals; }
};

// What a request asks for, by name.
class Wanted {
 public:
  explicit Wanted(const Request& request) : request_(request) {}

  // Empty where it is not there.
  [[nodiscard]] std::string text(std::string_view name) const;
  // Throw Error{usage} where it is not there, or no number from 0 to `most`.
  [[nodiscard]] std::string needed(std::string_view name) const;
  [[nodiscard]] std::uint64_t number(std::string_view name, std::uint64_t otherwise, std::uint64_t most) const;

  // Which sample of the records, over how many seeds: nothing where it is not said. Throw Error{usage}.
  [[nodiscard]] std::optional<std::uint64_t> sample() const;
  [[nodiscard]] std::optional<std::uint32_t> seeds() const;

  [[nodiscard]] bool csv() const { return text("format") == "csv"; }
  [[nodiscard]] const Request& request() const { return request_; }

 private:
  const Request& request_;
};

// Annotators by the names they gave; at the level released by numbers, in the order in which they are asked for.
class AnnotatorNames {
 public:
  explicit AnnotatorNames(const Viewer& viewer) : named_(viewer.claims()) {}
  std::string shown(const std::string& name);

 private:
  bool named_;
  std::map<std::string, std::size_t> numbers_;
};

// What an earlier answer found out under this name, or `make` does now, for later ones, too.
Kept::Bytes kept_or(const Viewer& viewer, const std::string& name, const std::function<std::string()>& make);

// Open to be read. No statement is run (rows.h) before it is closed again.
std::unique_ptr<storage::Store> open_to_read(const Viewer& viewer);

// The attacker, the judge and the sample that are asked for, by default those evaluated last. The store is open
// meanwhile, and not behind it. Throws as query::find_lens.
query::Lens lens_of(const Viewer& viewer, const Wanted& wanted);

// What `report` says under it, without remarks, of its first seed. The store is open meanwhile.
query::Report report_of(const Viewer& viewer, const query::Lens& lens);

// {"protocol", "sample", "judge"}: what an answer names, so that nobody has to guess what it was made of.
Json lens_json(const query::Lens& lens);

// Throws Error{not found} for a run that there is not, or that has no numbers of this lens.
void require_evaluated(const Viewer& viewer, const query::Lens& lens, const std::string& run);

// The names of the rows of a lens in the views, as a condition: "dataset = '...' AND protocol = '...' ...".
std::string rows_of(const query::Lens& lens, bool judged);

// A table of record, state, outcome, value and weight: those of the rows of `scores` that agree with the condition, which
// are of one metric and of the attack on one run, with how that attack ended where there is a value. The view has
// outcomes only where a judge looked. The link of a record that failed says where another text points: that is no
// outcome of the attack on it.
std::string attacked_scores(const query::Lens& lens, const std::string& run, const std::string& where);

}  // namespace residue::page
