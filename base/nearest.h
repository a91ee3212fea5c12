// "Did you mean": the names closest to a mistyped one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace residue {

// Edits (insert, delete, replace, swap of neighbours) that lead from `a` to `b`, upper and lower case alike.
// Damerau-Levenshtein in its restricted form; cost |a|·|b|.
std::size_t edit_distance(std::string_view a, std::string_view b);

// At most `max` of `candidates` that could have been meant by `name`, nearest first, equals in the order given: within
// a third of its length (at least two edits, never all of it), or longer names that begin with it.
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates, std::size_t max);

// `; did you mean "a" or "b"?`, or nothing where there is no such name.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, std::size_t max = 2);

}  // namespace residue
