// config.toml of a store: what a flag means where it is not given (docs/stores.md).
//
//   config.toml ── read_config ──> words by key ── Option::configured, arguments.cc ──> the bound variables
//
// The file is its owner's: after init no command writes it.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace residue::cli {

// Values by key, as words of a command line.
using Config = std::map<std::string, std::string, std::less<>>;

// Reads TOML. Throws Error{bad input} with `file`, the line, what is wrong and what to do: what is no TOML, a key that
// nobody knows with the nearest that is known, a value of another type or out of its range. Never quotes a value.
Config parse_config(std::string_view toml, const std::string& file);

// That of the store in `store`; empty where there is no file. Throws as parse_config, and Error{bad input} where it
// cannot be read, is no file or larger than 64 KiB.
Config read_config(const std::filesystem::path& store);

}  // namespace residue::cli
