// Whose an evaluation is beside its run and its attacker: the judge's that rated, the answers' that were read, the
// embedder's whose vectors were compared; nobody's in the tiers text, label and link.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include "base/ids.h"

namespace residue::query {

using AnswerSetId = Id<struct AnswerSetTag>;  // a row of `answer_set`

class Witness {
 public:
  Witness() = default;
  Witness(JudgeId judge) : of_(judge) {}           // NOLINT(google-explicit-constructor): it is one
  Witness(AnswerSetId answers) : of_(answers) {}   // NOLINT(google-explicit-constructor)
  Witness(EmbedderId embedder) : of_(embedder) {}  // NOLINT(google-explicit-constructor)

  // Whichever it is, as the index evaluation_of has it; 0: nobody.
  [[nodiscard]] std::int64_t column() const {
    return std::visit(
        [](const auto& of) -> std::int64_t {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(of)>, std::monostate>) {
            return 0;
          } else {
            return of.value;
          }
        },
        of_);
  }

  // evaluation.judge_id, answer_set_id, embedder_id: at most one of them.
  [[nodiscard]] std::optional<JudgeId> judge() const { return one<JudgeId>(); }
  [[nodiscard]] std::optional<AnswerSetId> answers() const { return one<AnswerSetId>(); }
  [[nodiscard]] std::optional<EmbedderId> embedder() const { return one<EmbedderId>(); }

 private:
  template <class IdType>
  [[nodiscard]] std::optional<IdType> one() const {
    const auto* id = std::get_if<IdType>(&of_);
    return id == nullptr || id->value == 0 ? std::nullopt : std::optional(*id);
  }

  std::variant<std::monostate, JudgeId, AnswerSetId, EmbedderId> of_;
};

}  // namespace residue::query
