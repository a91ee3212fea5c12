// Vectors of words from a file, in the text form of GloVe and word2vec: a word and its numbers on each line, between
// single spaces; a first line of two whole numbers (how many words, how many numbers each) is passed over.
#pragma once

#include <string>

#include "text/predict/word_model.h"
#include "text/predict/word_vectors.h"

namespace residue::ingest {

struct WordVectorFile {
  text::WordVectors::Given vectors;  // of the words that the model knows, as they are spelled
  std::string content;               // fingerprint of all lines, whatever their order
};

// Throws Error{bad input} that names the line: numbers that are none or not finite, fewer or more than on the first
// line, a line of over 16 MiB; and where no word of the model has a vector.
WordVectorFile read_word_vectors(const std::string& file, const text::WordModel& model);

}  // namespace residue::ingest
