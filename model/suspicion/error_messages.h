// Messages of programs and servers where a text should stand.
#pragma once

#include <string_view>

namespace residue::model {

// Whether `text`, as a whole, is what a program or a server says when it fails: a status ("HTTP 502: Bad Gateway",
// "Error 500"), an exception ("KeyError: 'choices'", "java.lang.NullPointerException"), a traceback, a page or an
// object that names an error ("<html>...", {"detail": "Not Found"}), or a sentence that only they say ("CUDA out of
// memory."). A text that speaks of an error is none. White space at its ends is passed over; longer texts than 2,000
// bytes are none. Cost: linear.
bool is_error_message(std::string_view text);

}  // namespace residue::model
