// Amounts of money: a currency before or behind a number.
#include <array>
#include <string_view>

#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

constexpr auto kSigns = std::to_array<std::string_view>(
    {"$", "US$", "A$", "C$", "\xE2\x82\xAC", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xB9", "\xE2\x82\xBD", "\xE2\x82\xBA"});
constexpr auto kCodes = std::to_array<std::string_view>(
    {"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK",
     "HUF", "INR", "BRL", "MXN", "ZAR", "RUB", "TRY", "KRW", "SGD", "HKD", "ILS", "AED", "RON"});
constexpr auto kWords = std::to_array<std::string_view>(
    {"dollar", "dollars", "euro", "euros", "bucks", "cents", "rupees", "yen", "yuan", "pesos", "francs", "roubles",
     "rubles", "kronor", "kroner", "zloty", "shekels", "pounds sterling", "quid"});

// 1,200.50, 1.200,50, 20k, 3.5 million; the end, or 0.
std::size_t amount(std::string_view t, std::size_t at) {
  std::size_t end = digits(t, at, 16);
  if (end == at) return 0;
  for (int groups = 0; groups < 6; ++groups) {
    const char c = peek(t, end);
    if ((c != '.' && c != ',' && c != '\'') || !is_digit(peek(t, end + 1))) break;
    end = digits(t, end + 1, 4);
  }
  for (const std::string_view size : words({"k", "m", "bn", "mn"})) {
    if (continues(t, end, size) && !word_at(t, end + size.size())) return end + size.size();
  }
  const std::size_t next = after_space(t, end);
  for (const std::string_view size : words({"thousand", "million", "billion", "trillion", "lakh", "crore"})) {
    if (next != 0 && continues(t, next, size) && !word_at(t, next + size.size())) return next + size.size();
  }
  return end;
}

// The end of a currency at `i`, or 0.
std::size_t currency(std::string_view t, std::size_t i) {
  for (const std::string_view sign : kSigns) {
    if (continues_as_written(t, i, sign)) return i + sign.size();
  }
  for (const std::string_view code : kCodes) {
    if (continues_as_written(t, i, code) && !word_at(t, i + 3)) return i + 3;
  }
  for (const std::string_view word : kWords) {
    if (continues(t, i, word) && !word_at(t, i + word.size())) return i + word.size();
  }
  return 0;
}

}  // namespace

std::size_t money(std::string_view t, std::size_t at) {
  if (at > 1 && std::string_view(".,").find(t[at - 1]) != std::string_view::npos && is_digit(t[at - 2])) return 0;
  if (is_digit(t[at])) {
    const std::size_t end = amount(t, at);
    const std::size_t next = after_space(t, end);
    return currency(t, next != 0 ? next : end);
  }
  // Letters that are no currency: most capitalized words.
  if (is_alpha(t[at]) && !is_upper(peek(t, at + 1)) && peek(t, at + 1) != '$') return 0;
  std::size_t from = 0;
  for (const std::string_view sign : kSigns) {
    if (continues_as_written(t, at, sign)) from = at + sign.size();
  }
  for (const std::string_view code : kCodes) {
    if (continues_as_written(t, at, code) && (is_digit(peek(t, at + 3)) || after_space(t, at + 3) != 0)) from = at + 3;
  }
  if (from == 0) return 0;
  const std::size_t next = after_space(t, from);
  const std::size_t end = amount(t, next != 0 ? next : from);
  return end != 0 && !word_at(t, end) ? end : 0;
}

}  // namespace residue::text::match
