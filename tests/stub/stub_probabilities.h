// The completions interface of the stub: log-probabilities of the tokens of a prompt.
#pragma once

#include <string>

namespace residue::stub {

bool is_completion(const std::string& body);

// Tokens are at most four bytes long and begin with the space before them. The first has no probability; ln P is -1, of
// tokens that begin with a capital -4, and twice that where "[REDACTED]" stands before them in the prompt.
// null-content: no probabilities at all.
std::string probabilities_reply(const std::string& body, const std::string& behaviour);

}  // namespace residue::stub
