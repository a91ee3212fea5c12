#include "text/identifiers/checksums.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "text/identifiers/matchers.h"

namespace residue::text {

namespace {

// An identifier without its separators, in capitals; longer ones than any here are cut, and so fail by their length.
class Compact {
 public:
  explicit Compact(std::string_view written) {
    for (const char c : written) {
      if (std::string_view(" -./\xC2\xA0").find(c) != std::string_view::npos) continue;
      if (size_ == bytes_.size()) break;
      bytes_[size_++] = residue::is_lower(c) ? static_cast<char>(c - 32) : c;
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] char at(std::size_t i) const { return bytes_[i]; }
  [[nodiscard]] int digit(std::size_t i) const { return bytes_[i] - '0'; }
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }
  [[nodiscard]] bool digits(std::size_t from, std::size_t count) const {
    if (from + count > size_) return false;
    return std::ranges::all_of(view().substr(from, count), is_digit);
  }
  [[nodiscard]] bool letters(std::size_t from, std::size_t count) const {
    if (from + count > size_) return false;
    return std::ranges::all_of(view().substr(from, count), residue::is_upper);
  }
  [[nodiscard]] int number(std::size_t from, std::size_t count) const {
    int value = 0;
    for (std::size_t i = from; i < from + count; ++i) value = value * 10 + digit(i);
    return value;
  }
  [[nodiscard]] int weighted(std::span<const int> weights) const {
    int sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += digit(i) * weights[i];
    return sum;
  }

 private:
  std::array<char, 24> bytes_{};
  std::size_t size_ = 0;
};

// The first `count` characters are digits, and there are no others.
bool all_digits(const Compact& id, std::size_t count) { return id.size() == count && id.digits(0, count); }

bool day_and_month(int day, int month) { return day >= 1 && day <= 31 && month >= 1 && month <= 12; }

}  // namespace

bool verhoeff_valid(std::string_view number) {
  // Products in the dihedral group of the pentagon: 0 to 4 turn it, 5 to 9 turn it over.
  const auto product = [](int a, int b) {
    if (a < 5) return b < 5 ? (a + b) % 5 : (a + b) % 5 + 5;
    return b < 5 ? (a - b + 5) % 5 + 5 : (a - b + 10) % 5;
  };
  constexpr std::array kPermutation{1, 5, 7, 6, 2, 8, 3, 0, 9, 4};
  int check = 0;
  std::size_t place = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    if (!is_digit(number[i])) continue;
    int value = number[i] - '0';
    for (std::size_t k = 0; k < place % 8; ++k) value = kPermutation[static_cast<std::size_t>(value)];
    check = product(check, value);
    ++place;
  }
  return place > 0 && check == 0;
}

bool ssn_valid(std::string_view written) {
  const Compact id(written);
  if (!all_digits(id, 9)) return false;
  const int area = id.number(0, 3);
  return area != 0 && area != 666 && area < 900 && id.number(3, 2) != 0 && id.number(5, 4) != 0;
}

bool itin_valid(std::string_view written) {
  const Compact id(written);
  if (!all_digits(id, 9) || id.at(0) != '9') return false;
  const int group = id.number(3, 2);
  return (group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group <= 92) || group >= 94;
}

bool nhs_valid(std::string_view written) {
  const Compact id(written);
  if (!all_digits(id, 10)) return false;
  constexpr std::array kWeights{10, 9, 8, 7, 6, 5, 4, 3, 2};
  return (11 - id.weighted(kWeights) % 11) % 11 == id.digit(9);  // a check of 10 is never given out: no digit
}

bool nino_valid(std::string_view written) {
  const Compact id(written);
  if (id.size() != 9 || !id.letters(0, 2) || !id.digits(2, 6) || id.at(8) < 'A' || id.at(8) > 'D') return false;
  if (std::string_view("DFIQUV").find(id.at(0)) != std::string_view::npos) return false;
  if (std::string_view("DFIOQUV").find(id.at(1)) != std::string_view::npos) return false;
  constexpr auto kNever = std::to_array<std::string_view>({"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"});
  return std::ranges::find(kNever, id.view().substr(0, 2)) == kNever.end();
}

bool steuerid_valid(std::string_view written) {
  const Compact id(written);
  if (!all_digits(id, 11) || id.at(0) == '0') return false;
  std::array<int, 10> times{};
  for (std::size_t i = 0; i < 10; ++i) ++times[static_cast<std::size_t>(id.digit(i))];
  const auto repeated = std::ranges::count_if(times, [](int n) { return n > 1; });
  if (repeated != 1 || *std::ranges::max_element(times) > 3) return false;
  int product = 10;
  for (std::size_t i = 0; i < 10; ++i) {
    const int sum = (id.digit(i) + product) % 10;
    product = (sum == 0 ? 10 : sum) * 2 % 11;
  }
  return (11 - product) % 10 == id.digit(10);
}

bool nir_valid(std::string_view written) {
  const Compact id(written);
  if (id.size() != 15 || id.at(0) < '1' || id.at(0) > '8' || !id.digits(0, 6) || !id.digits(7, 8)) return false;
  const int month = id.number(3, 2);
  if (month == 0 || (month > 12 && month < 20) || (month > 42 && month < 50)) return false;
  const char second = id.at(6);
  const bool corsica = id.at(5) == '2' && (second == 'A' || second == 'B');
  if (!corsica && !is_digit(second)) return false;
  // 2A counts as 19 and 2B as 18, in the place of the department.
  int rest = 0;
  for (std::size_t i = 0; i < 13; ++i) {
    int value = i == 6 && corsica ? (second == 'A' ? 9 : 8) : id.digit(i);
    if (i == 5 && corsica) value = 1;
    rest = (rest * 10 + value) % 97;
  }
  return 97 - rest == id.number(13, 2);
}

bool dni_valid(std::string_view written) {
  const Compact id(written);
  if (id.size() != 9 || !id.digits(1, 7) || !residue::is_upper(id.at(8))) return false;
  const std::size_t lead = std::string_view("XYZ").find(id.at(0));
  if (lead == std::string_view::npos && !is_digit(id.at(0))) return false;
  const int first = lead == std::string_view::npos ? id.digit(0) : static_cast<int>(lead);
  const auto rest = static_cast<std::size_t>((first * 10'000'000 + id.number(1, 7)) % 23);
  return std::string_view("TRWAGMYFPDXBNJZSQVHLCKE")[rest] == id.at(8);
}

bool codice_fiscale_valid(std::string_view written) {
  const Compact id(written);
  if (id.size() != 16 || !id.letters(0, 6) || !id.letters(8, 1) || !id.letters(11, 1) || !id.letters(15, 1))
    return false;
  if (std::string_view("ABCDEHLMPRST").find(id.at(8)) == std::string_view::npos) return false;
  // Where two people would have the same, digits become these letters (omocodia).
  const auto digit_or_letter = [&](std::size_t i) {
    return is_digit(id.at(i)) || std::string_view("LMNPQRSTUV").find(id.at(i)) != std::string_view::npos;
  };
  for (const std::size_t i : {6U, 7U, 9U, 10U, 12U, 13U, 14U}) {
    if (!digit_or_letter(i)) return false;
  }
  constexpr std::array kOdd{1,  0,  5, 7, 9, 13, 15, 17, 19, 21, 2,  4,  18,
                            20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23};
  int sum = 0;
  for (std::size_t i = 0; i < 15; ++i) {
    const int value = is_digit(id.at(i)) ? id.digit(i) : id.at(i) - 'A';
    sum += i % 2 == 0 ? kOdd[static_cast<std::size_t>(value)] : value;
  }
  return 'A' + sum % 26 == id.at(15);
}

bool bsn_valid(std::string_view written) {
  const Compact id(written);
  if (!all_digits(id, 9) || id.number(0, 9) == 0) return false;
  constexpr std::array kWeights{9, 8, 7, 6, 5, 4, 3, 2, -1};
  return id.weighted(kWeights) % 11 == 0;
}

bool pesel_valid(std::string_view written) {
  const Compact id(written);
  if (!all_digits(id, 11) || !day_and_month(id.number(4, 2), id.number(2, 2) % 20)) return false;
  constexpr std::array kWeights{1, 3, 7, 9, 1, 3, 7, 9, 1, 3};
  return (10 - id.weighted(kWeights) % 10) % 10 == id.digit(10);
}

bool personnummer_valid(std::string_view written) {
  const Compact id(written);
  const bool century = id.size() == 12;
  if (!(century || id.size() == 10) || !id.digits(0, id.size())) return false;
  if (century && id.number(0, 2) != 18 && id.number(0, 2) != 19 && id.number(0, 2) != 20) return false;
  const std::size_t from = century ? 2 : 0;
  const int day = id.number(from + 4, 2);
  return day_and_month(day > 60 ? day - 60 : day, id.number(from + 2, 2)) && luhn_valid(id.view().substr(from));
}

bool aadhaar_valid(std::string_view written) {
  const Compact id(written);
  return all_digits(id, 12) && id.at(0) >= '2' && verhoeff_valid(id.view());
}

bool pan_valid(std::string_view written) {
  const Compact id(written);
  return id.size() == 10 && id.letters(0, 5) && id.digits(5, 4) && id.letters(9, 1) &&
         std::string_view("ABCFGHJLPT").find(id.at(3)) != std::string_view::npos;
}

bool tfn_valid(std::string_view written) {
  const Compact id(written);
  constexpr std::array kWeights{1, 4, 3, 7, 5, 8, 6, 9, 10};
  return all_digits(id, 9) && id.number(0, 9) != 0 && id.weighted(kWeights) % 11 == 0;
}

bool medicare_valid(std::string_view written) {
  const Compact id(written);
  if ((!all_digits(id, 10) && !all_digits(id, 11)) || id.at(0) < '2' || id.at(0) > '6') return false;
  constexpr std::array kWeights{1, 3, 7, 9, 1, 3, 7, 9};
  return id.weighted(kWeights) % 10 == id.digit(8);
}

bool sin_valid(std::string_view written) {
  const Compact id(written);
  return all_digits(id, 9) && id.at(0) != '0' && id.at(0) != '8' && luhn_valid(id.view());
}

bool cpf_valid(std::string_view written) {
  const Compact id(written);
  if (!all_digits(id, 11) || id.view().find_first_not_of(id.at(0)) == std::string_view::npos) return false;
  for (std::size_t check = 9; check < 11; ++check) {
    int sum = 0;
    for (std::size_t i = 0; i < check; ++i) sum += id.digit(i) * static_cast<int>(check + 1 - i);
    if (sum * 10 % 11 % 10 != id.digit(check)) return false;
  }
  return true;
}

}  // namespace residue::text
