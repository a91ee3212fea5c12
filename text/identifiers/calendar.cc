#include "text/identifiers/calendar.h"

#include <algorithm>
#include <array>
#include <vector>

namespace residue::text {
namespace {

using Names = std::array<std::string_view, 12>;
constexpr std::size_t kCalendars = 7;

constexpr std::array<Names, kCalendars> kFull{
    Names{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December"},
    Names{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
          "Dezember"},
    Names{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
          "décembre"},
    Names{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
          "noviembre", "diciembre"},
    Names{"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
          "novembre", "dicembre"},
    Names{"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
          "novembro", "dezembro"},
    Names{"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober",
          "november", "december"},
};
constexpr std::array<Names, kCalendars> kCut{
    Names{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
    Names{"Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"},
    Names{"janv", "févr", "mars", "avr", "mai", "juin", "juil", "août", "sept", "oct", "nov", "déc"},
    Names{"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"},
    Names{"gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"},
    Names{"jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"},
    Names{"jan", "feb", "mrt", "apr", "mei", "jun", "jul", "aug", "sep", "okt", "nov", "dec"},
};

struct Other {
  std::string_view name;
  MonthName month;
};
// Other ways to write them.
constexpr auto kOther = std::to_array<Other>({{"sept", {9, Calendar::kEnglish, true, false}},
                                              {"jänner", {1, Calendar::kGerman, false, false}},
                                              {"maerz", {3, Calendar::kGerman, false, false}},
                                              {"fevrier", {2, Calendar::kFrench, false, false}},
                                              {"aout", {8, Calendar::kFrench, false, false}},
                                              {"decembre", {12, Calendar::kFrench, false, false}},
                                              {"setiembre", {9, Calendar::kSpanish, false, false}},
                                              {"marco", {3, Calendar::kPortuguese, false, false}}});

// English words that are whole names of months as well.
constexpr auto kWords = std::to_array<std::string_view>({"may", "march", "august", "mars", "marco", "mayo"});

// One byte of a name in small letters; of Latin-1 letters, the second one.
char small(std::string_view text, std::size_t i) {
  const char c = text[i];
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c + 32);
  if (i == 0 || text[i - 1] != '\xC3') return c;
  return static_cast<unsigned char>(c) < 0xA0 ? static_cast<char>(static_cast<unsigned char>(c) + 0x20) : c;
}

bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (small(a, i) != small(b, i)) return false;
  }
  return true;
}

struct Row {
  std::string_view name;
  MonthName month;
};

// By the first letter; of one name the languages in their order, whole names first.
const std::array<std::vector<Row>, 26>& rows() {
  static const auto table = [] {
    std::array<std::vector<Row>, 26> made;
    const auto add = [&](std::string_view name, MonthName month) {
      month.word = month.word || std::ranges::any_of(kWords, [&](std::string_view word) { return same(word, name); });
      made[static_cast<std::size_t>(small(name, 0) - 'a')].push_back({name, month});
    };
    for (const auto* names : {&kFull, &kCut}) {
      if (names == &kCut) {
        for (const Other& other : kOther) add(other.name, other.month);
      }
      for (std::size_t calendar = 0; calendar < kCalendars; ++calendar) {
        for (std::size_t i = 0; i < 12; ++i) {
          const std::string_view name = (*names)[calendar][i];
          const bool cut = name != kFull[calendar][i];
          add(name, {static_cast<int>(i) + 1, static_cast<Calendar>(calendar), cut, false});
        }
      }
    }
    return made;
  }();
  return table;
}

template <class Fits>
std::optional<MonthName> find(std::string_view word, const Fits& fits) {
  if (word.size() < 3) return std::nullopt;
  const char first = small(word, 0);
  if (first < 'a' || first > 'z') return std::nullopt;
  for (const Row& row : rows()[static_cast<std::size_t>(first - 'a')]) {
    if (same(row.name, word) && fits(row.month)) return row.month;
  }
  return std::nullopt;
}

}  // namespace

std::optional<MonthName> month_named(std::string_view word) {
  return find(word, [](const MonthName&) { return true; });
}

std::optional<MonthName> month_named(std::string_view word, Calendar calendar) {
  return find(word, [&](const MonthName& month) { return month.calendar == calendar; });
}

std::string_view month_name(Calendar calendar, int month, bool cut) {
  return (cut ? kCut : kFull)[static_cast<std::size_t>(calendar)][static_cast<std::size_t>(month) - 1];
}

}  // namespace residue::text
