// What the stub says to tasks other than rating claims: claims of a text, other words, vectors.
#pragma once

#include <optional>
#include <string>

namespace residue::stub {

// The answer to a task about `text` that is no rating; empty: it refuses. Nothing if the request is another one.
//   claims       the sentences of the text, as JSON or as lines, as the instructions ask; "numbered": lines with
//   numbers other words  "Somebody says: " and the statement
//   questions about a text: stub_answers.h
// A text with the word UNSPEAKABLE is refused.
std::optional<std::string> text_answer(const std::string& body, const std::string& text, const std::string& behaviour);

bool is_embedding(const std::string& body);

// Vectors of 8 dimensions, or as many as asked for: texts with common words are near each other.
std::string embeddings_reply(const std::string& body, const std::string& behaviour);

}  // namespace residue::stub
