// --context FILE: what people say of a release, for the page that it is decided on.
#pragma once

#include <string>
#include <string_view>

#include "page/release/release_page.h"

namespace residue::cli {

// TOML with texts in quotes: recipient, release_type, controls, purpose, law, background, harm, conditions, review,
// signed_by; and threshold, a number from 0 to 1, with threshold_source. Throws Error{bad input} with the line for what
// is no TOML, an unknown key with the nearest, a value of another type; never quotes a value.
page::ReleaseContext parse_context(std::string_view toml, const std::string& file);

// Throws as parse_context, and Error{not found}, Error{io}; of more than 1 MiB Error{bad input}.
page::ReleaseContext read_context(const std::string& file);

// The keys, "recipient, release_type, ...".
std::string context_keys();

}  // namespace residue::cli
