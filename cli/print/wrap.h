// Prose in lines of a width, and messages for whoever reads standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace residue::cli {

// `text` in lines of the given width, each behind `indent` spaces; safe to print. What is longer than a line is broken.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

// The lines of `text`, those that are longer than `width` as wrapped() breaks them; 0: as they are.
std::string fitted(std::string_view text, std::size_t width);

// A note, an error or a hint with its line end; safe to print. Where `fd` is a terminal it is broken between words at
// the terminal's width, further lines as far to the right as the first; elsewhere it is one line, for grep and logs.
std::string message_lines(std::string_view message, int fd);

}  // namespace residue::cli
