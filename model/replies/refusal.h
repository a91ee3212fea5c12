// Refusals in words. A model that declines writes a sentence where a claim, a paraphrase or a rewritten text should
// stand; taken for one, it would make the original look perfectly private.
#pragma once

#include <string_view>

namespace residue::model {

// Whether the first two sentences of `words` decline to answer, in English: an apology or another courtesy and that
// the writer cannot do it ("I'm sorry, but I can't ..."), that it cannot do this ("I cannot comply with this
// request"), that it is a program ("As an AI language model, ..."), that a policy forbids it, or that a text is
// missing. "I cannot sleep" declines nothing.
bool declines(std::string_view words);

// The same of an answer to `source`, which may itself be a text that declines. A refusal in the source's own words is
// none if the answer has other words too, or if the source is about as short.
bool declines(std::string_view words, std::string_view source);

// Of an answer that should be `source` in other words: declining may then be what the source does. So where the source
// itself declines, where the words may as well be an author's ("Please provide the ...", "I can't go on helping her"),
// and where they are more than 600 bytes, they are a refusal only if they have nothing of the source but words that
// refusals are made of; a source of nothing else cannot be told from one. Where the source does not speak so, words
// about the task (meta_answers.h), and refusals of more than 600 bytes, are refusals too if not one in four of their
// other words is the source's.
bool declines_to_reword(std::string_view words, std::string_view source);

// Whether `claim` has to do with `text`: a number or a word other than the most frequent ones of English stands in
// both, or five letters of one. Case counts only beyond ASCII.
bool shares_words(std::string_view claim, std::string_view text);

}  // namespace residue::model
