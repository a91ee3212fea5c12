// Sanitizers that release a data set instead of a text for each record: its texts belong to nobody.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

class Synthesizer : public Sanitizer {
 public:
  // How many texts the release has.
  [[nodiscard]] virtual std::uint64_t texts() const = 0;

  // Text `n` below texts(), or why there is none. Callable from several threads at once; depends on what it was made
  // from and `n` only.
  [[nodiscard]] virtual SanitizeOutput text(std::uint64_t n) const = 0;

  // dataset.content of the records that it has read.
  [[nodiscard]] virtual std::string made_from() const = 0;

  // What a person should know of the release, one line each.

  // Fails: no text is of this record.
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& /*input*/) const final {
    return {std::nullopt, "the method makes no text of a record", {}};
  }
};

}  // namespace residue::ingest
