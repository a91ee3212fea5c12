// Sanitizers that release a data set instead of a text for each record: its texts belong to nobody.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/method/sanitizer.h"
#include "numbers/stats/privacy_spending.h"

namespace residue::ingest {

// What a release promises to whoever's data it was made of.
struct Promise {
  std::string release;      // 32 bytes; of releases with the same noise on the same data it is the same
  std::string unit;         // 'person' or 'record': all data of one is protected together
  std::uint64_t units = 0;  // how many there are
  std::string noise;        // where it is from: 'store key', 'seed', 'none'
  numbers::Spending spending;
};

class Synthesizer : public Sanitizer {
 public:
  // How many texts the release has.
  [[nodiscard]] virtual std::uint64_t texts() const = 0;

  // Text `n` below texts(), or why there is none. Callable from several threads at once; depends on what it was made
  // from and `n` only.
  [[nodiscard]] virtual SanitizeOutput text(std::uint64_t n) const = 0;

  // dataset.content of the records that it has read.
  [[nodiscard]] virtual std::string made_from() const = 0;

  // Of a method with differential privacy, also where it was told to have none; nothing for all others.
  [[nodiscard]] virtual std::optional<Promise> promise() const { return std::nullopt; }

  // Fails: no text is of this record.
  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& /*input*/) const final {
    return {std::nullopt, "the method makes no text of a record", {}};
  }
};

}  // namespace residue::ingest
