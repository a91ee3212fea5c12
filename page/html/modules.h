// ES modules as one script: a page that opens from a file may not import another one.
//
//   a.js: import { f } from './b.js'; ...  ──┐
//   b.js: export function f ...            ──┴─> one module script, b before a, without imports and exports
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace residue::page {

// By file name.
using Modules = std::map<std::string, std::string_view, std::less<>>;

// `first` and all that it imports, each once, what is imported before who imports it. Imports are whole lines at the
// top, "import { a, b } from './b.js';", without other names for things; exports stand before a declaration at the
// begin of a line. All top-level names of all modules differ (a test says so), because they end in one scope. Throws
// Error{internal} for a module that is not there.
std::string joined(const Modules& modules, std::string_view first);

// Those of this program (web/modules).
const Modules& web_modules();

}  // namespace residue::page
