// What the `content` fingerprints of datasets, claim sets and runs are made of: one place, so that whoever maintains
// one and whoever recomputes it agree.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/fingerprint.h"
#include "base/ids.h"

namespace residue::storage {

// Everything of a record beside its key and text, as one number.
struct RecordRest {
  std::optional<std::string_view> person, label;
  std::optional<TextId> task, meta;

  [[nodiscard]] std::int64_t hash() const {
    std::uint64_t h = 0;
    for (const auto& text : {person, label}) h = mix(h) ^ (text ? hash_of(1, *text) : 0);
    for (const auto& id : {task, meta}) h = mix(h) ^ (id ? mix(static_cast<std::uint64_t>(id->value)) : 0);
    return static_cast<std::int64_t>(h);
  }
};

// The `first` number of a variant's row: its text, or -1 where it failed.
inline std::int64_t variant_number(std::optional<TextId> text) { return text ? text->value : -1; }

//   dataset:   add(record key, text id, RecordRest::hash())
//   claim set: add(record key, text id, n)
//   run's claim set: add(record key | variant key, text id, n)
//   embedder:  add(the digest's 8 bytes, text id)
//   run:       add(record key | variant key, variant_number())      the automatic controls: the empty fingerprint

}  // namespace residue::storage
