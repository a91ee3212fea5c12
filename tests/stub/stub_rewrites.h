// Scripted answers to the tasks of pseudonyms: replace, respond, restore, decide what matters.
#pragma once

#include <optional>
#include <string>

namespace residue::stub {

// Ann, Bob, Graz and Oslo become Ruth, Tom, Linz and Bergen, but for those that the request is about ("about Graz").
// A prompt "Write ..." or "Which ..." without instructions is answered "Dear reader, " and itself. Behaviours:
// "other-words" changes more than it says, "no-separator" forgets the line, "unlisted" says nothing of what it did.
std::optional<std::string> rewrite_answer(const std::string& body, const std::string& behaviour);

}  // namespace residue::stub
