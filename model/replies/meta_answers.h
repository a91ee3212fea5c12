// Words about the task where a text should stand: what models say of their rules, of a text that they want first, of
// what they did; and refusals in other languages: nine of Europe, Turkish, Chinese, Japanese, Korean and Arabic.
#pragma once

#include <string_view>

namespace residue::model {

// Whether one of these forms of words stands in `text`: "against my guidelines", "usage policies", "you would like me
// to", "the text has been anonymized", "es tut mir leid, aber", "je ne peux pas". Authors use some of them too: it
// takes more to know an answer by.
bool speaks_of_the_task(std::string_view text);

// Whether one stands in it that hardly anybody else says: "against my guidelines", "as a responsible AI", "not
// comfortable rewriting", "please share the text".
bool surely_speaks_of_the_task(std::string_view text);

}  // namespace residue::model
