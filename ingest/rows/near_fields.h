// Fields that nothing here reads though their name is near one that is: "persn", "Person", "patient-id".
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/read/value.h"

namespace residue::ingest {

// The field among `keys` that could have been meant by `field`, which none of them is: the same letters in another
// spelling, one edit away (two where the name is long), or another word for it ("patient" for "person"). Only names of
// letters, digits and a few signs: a longer one may be somebody's text.
std::optional<std::string> near_field(std::string_view field, std::span<const Value> keys);

// Whether the letters and digits of both are the same, upper and lower case alike.
bool same_letters(std::string_view a, std::string_view b);

// Whether a field of a CSV row has a name that is more likely a cell: a number, a sentence. Then the file's first line,
// which should name the columns, is a row.
bool header_is_a_row(const InputRow& row);

// Collects what a file's rows have, and says at its end what of it was passed over.
class PassedOver {
 public:
  // `fields`: those that are read under their own name and may be absent. `what`: what becomes of others: "kept as
  // metadata", "not used".
  PassedOver(std::span<const std::string_view> fields, std::string_view what) : fields_(fields), what_(what) {}

  // Whether its fields are others than those of the row before. Cost: little where they are not.
  bool see(const InputRow& row);
  void take(std::string_view path);  // what --map or a flag named

  // "\"persn\" is kept as metadata, where no field is called \"person\": --map person=persn reads it as that".
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  std::span<const std::string_view> fields_;
  std::string_view what_;
  std::vector<std::string> names_, taken_;
  std::size_t last_ = 0;  // a hash of the row before
};

}  // namespace residue::ingest
