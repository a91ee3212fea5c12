#include "model/asking/too_long.h"

#include <optional>
#include <utility>

#include "model/asking/answer.h"
#include "storage/catalog/answers/attempt.h"

namespace residue::model {

bool known_too_long(const Transport& transport, std::uint64_t least) {
  const auto over = [&](const std::optional<std::int64_t>& limit) {
    return limit && least > static_cast<std::uint64_t>(*limit);
  };
  if (over(transport.longest_prompt) || over(transport.context)) return true;
  // What the user says of the longest prompt counts instead of what was found.
  if (!transport.counts_prompts || transport.longest_prompt) return false;
  return transport.cut_from && least >= static_cast<std::uint64_t>(*transport.cut_from);
}

std::vector<PromptGrowth::Seen> uncounted_from(storage::Store& store, storage::Db& db, const Sender& sender,
                                               std::uint64_t least) {
  std::vector<PromptGrowth::Seen> found;
  const auto answers = store.facts().read();
  storage::Statement row = db.prepare(storage::sql::kAttemptsSavedUncounted);
  // A word has a byte at least, so a shorter request has no prompt of so many.
  row.bind(sender.model, receiver_name(sender.url), static_cast<std::int64_t>(least), kLeastContext);
  while (row.step()) {
    PromptGrowth::Seen one;
    one.vote = VoteKey(row.text(0));
    one.attempt = static_cast<std::uint32_t>(row.integer(1));
    one.earlier = true;
    for (const storage::SavedAnswer& answer : answers->answers(one.vote)) {
      if (answer.attempt == one.attempt) one.least = decode(answer.envelope).least_tokens;
    }
    if (one.least >= least) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace residue::model
