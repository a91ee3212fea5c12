// Names that the owner gives: tags, saved views.
#pragma once

#include <string_view>

namespace residue::verbs {

// ^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,63}$; Error{usage} otherwise. `what` is "tag" or "view".
void check_owner_name(std::string_view what, std::string_view name);

}  // namespace residue::verbs
