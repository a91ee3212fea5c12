// What separates the columns of a CSV file, as its header line says.
#pragma once

#include <optional>
#include <string>

#include "ingest/read/byte_source.h"

namespace residue::ingest {

// The one of , ; | and the tab that stands in the header line outside of quotes; `usual` where none does. `input`
// stands at the header and stays there. Of a file whose name says it has tabs (`usual`), a tab decides. Throws
// Error{bad input} where several stand there: nobody knows which of them is a part of a name.
char separator_of(InputBuffer& input, char usual, const std::string& name);

// The separator that a first line "sep=;" names, as spreadsheets write and read it; such a line is taken from `input`.
std::optional<char> separator_named(InputBuffer& input);

std::string separator_name(char separator);  // "semicolons"

}  // namespace residue::ingest
