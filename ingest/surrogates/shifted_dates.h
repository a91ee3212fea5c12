// Dates and times moved, in the form that they are written in.
#pragma once

#include <string>
#include <string_view>

namespace residue::ingest {

// A date in any of the forms of text/recognizers.h moved by `days` in the same form. A day or month that there is not
// ("30 February") counts as the last one that there is. "Q3 2008", "summer of 1998" and "mid-2007" move by whole years.
// Empty where it is no date.
std::string shifted_date(std::string_view date, int days);

// All numbers of four digits moved by the whole years of `days`, of what is no date that can be moved.
std::string with_other_years(std::string_view words, int days);

// "1990", "1990-1995", "1990-95" and "2006/07" moved by whole years, "1990s" by decades; empty where that is nothing such.
std::string shifted_years(std::string_view years, int days);

// The same for a time of day, by minutes, within the day.
std::string shifted_time(std::string_view time, int minutes);

}  // namespace residue::ingest
