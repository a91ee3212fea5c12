// Names of months as dates are written in Europe: English, German, French, Spanish, Italian, Portuguese, Dutch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace residue::text {

enum class Calendar : std::uint8_t { kEnglish, kGerman, kFrench, kSpanish, kItalian, kPortuguese, kDutch };

struct MonthName {
  int month = 0;  // 1 to 12
  Calendar calendar = Calendar::kEnglish;
  bool cut = false;   // "Sept", "janv"
  bool word = false;  // also an English word in small letters: may, march, mars
};

// The month that `word` names, in letters of either case, without a full stop. Of several languages the first above.
std::optional<MonthName> month_named(std::string_view word);

// The same of `calendar` alone.
std::optional<MonthName> month_named(std::string_view word, Calendar calendar);

// Its whole name as it is written within a sentence ("March", "mars"), or its usual cut form. `month`: 1 to 12.
std::string_view month_name(Calendar calendar, int month, bool cut);

}  // namespace residue::text
