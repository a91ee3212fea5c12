// Identifiers of rows and texts: distinct types, so that a run is never passed for a record.
#pragma once

#include <cstdint>
#include <functional>

namespace residue {

// A dense positive number. The value is meaningful inside one store only and never enters a result.
template <class Tag>
struct Id {
  std::int64_t value = 0;

  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using TextId = Id<struct TextTag>;  // a text in facts/
using DatasetId = Id<struct DatasetTag>;
using RecordId = Id<struct RecordTag>;
using RunId = Id<struct RunTag>;
using VariantId = Id<struct VariantTag>;  // a row of `variant`
using ClaimSetId = Id<struct ClaimSetTag>;
using AuxiliaryId = Id<struct AuxiliaryTag>;
using ProtocolId = Id<struct ProtocolTag>;
using JudgeId = Id<struct JudgeTag>;
using EvaluationId = Id<struct EvaluationTag>;
using EmbedderId = Id<struct EmbedderTag>;
using VectorId = Id<struct VectorTag>;    // a vector in facts/
using RequestId = Id<struct RequestTag>;  // claims put to a judge together: a hash, not dense; 0: a claim alone

// What an attack can point at: the record id of an aligned run's variant (the controls `none` and `remove-all`
// included), or the variant id of a synthetic run's. Which of the two is a property of the run.
using CandidateId = Id<struct CandidateTag>;

}  // namespace residue

template <class Tag>
struct std::hash<residue::Id<Tag>> {
  std::size_t operator()(residue::Id<Tag> id) const noexcept { return std::hash<std::int64_t>{}(id.value); }
};
