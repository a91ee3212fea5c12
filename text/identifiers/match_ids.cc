// Numbers that a state gives to a person.
#include <array>
#include <span>
#include <string_view>

#include "text/identifiers/checksums.h"
#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

using Cues = std::span<const std::string_view>;

// Digits ('d'), letters ('u', of either case; 'U', a capital), alphanumerics ('a') and literal characters; '_' is one
// separator (space, hyphen, dot, slash) or none. The end of what fits at `at` and is a piece of nothing longer, or 0.
std::size_t fits(std::string_view t, std::size_t at, std::string_view pattern) {
  std::size_t i = at;
  for (const char wanted : pattern) {
    const char c = peek(t, i);
    bool same = false;
    switch (wanted) {
      case 'd':
        same = is_digit(c);
        break;
      case 'u':
        same = is_alpha(c);
        break;
      case 'U':
        same = is_upper(c);
        break;
      case 'a':
        same = is_alnum(c);
        break;
      case '_':
        if (c == ' ' || c == '-' || c == '.' || c == '/') ++i;
        continue;
      default:
        same = c == wanted;
    }
    if (!same) return 0;
    ++i;
  }
  const bool joined_before = at > 0 && (t[at - 1] == '-' || t[at - 1] == '_');
  const bool joined_behind = (peek(t, i) == '-' || peek(t, i) == '_') && is_alnum(peek(t, i + 1));
  return joined_before || joined_behind || !stands_alone(t, at, i) ? 0 : i;
}

// `plain` forms say by themselves what they are; the `common` ones need a cue.
struct Id {
  Cues plain;
  Cues common;
  Cues cues;
  bool (*valid)(std::string_view);
};

std::size_t find(std::string_view t, std::size_t at, const Id& id) {
  for (const std::string_view pattern : id.plain) {
    if (const std::size_t end = fits(t, at, pattern); end != 0 && id.valid(t.substr(at, end - at))) return end;
  }
  for (const std::string_view pattern : id.common) {
    const std::size_t end = fits(t, at, pattern);
    if (end != 0 && id.valid(t.substr(at, end - at)) && announced(t, at, id.cues)) return end;
  }
  return 0;
}

template <std::size_t N>
using Words = std::array<std::string_view, N>;

constexpr Words<1> kHyphened{"ddd-dd-dddd"};
constexpr Words<1> kSsnCommon{"ddd_dd_dddd"};
constexpr Words<4> kSsnCues{"ssn*", "social security", "taxpayer", "soc sec"};
constexpr Words<3> kItinCues{"itin*", "taxpayer", "tax id"};
constexpr Words<1> kNhsCommon{"ddd_ddd_dddd"};
constexpr Words<3> kNhsCues{"nhs", "national health", "chi"};
constexpr Words<1> kNinoPlain{"uu_dd_dd_dd_u"};
constexpr Words<1> kSteuerCommon{"dd_ddd_ddd_ddd"};
constexpr Words<5> kSteuerCues{"steuer*", "idnr", "identifikationsnummer", "tax", "tin"};
constexpr Words<1> kNirPlain{"d_dd_dd_da_ddd_ddd_dd"};
constexpr Words<3> kDniPlain{"dddddddd_u", "dd.ddd.ddd_u", "u_ddddddd_u"};
constexpr Words<1> kCodicePlain{"uuu_uuu_aaua_auaaau"};
constexpr Words<1> kBsnCommon{"dddd_dd_ddd"};
constexpr Words<1> kNine{"ddd_ddd_ddd"};
constexpr Words<4> kBsnCues{"bsn*", "burgerservice*", "sofi*", "citizen service"};
constexpr Words<1> kEleven{"ddddddddddd"};
constexpr Words<2> kPeselCues{"pesel*", "national id"};
constexpr Words<2> kPersonPlain{"dddddd-dddd", "dddddddd-dddd"};
constexpr Words<4> kPersonCommon{"dddddd_dddd", "dddddd+dddd", "dddddddd_dddd", "dddddddd+dddd"};
constexpr Words<3> kPersonCues{"person*", "samordningsnummer", "swedish"};
constexpr Words<1> kAadhaarPlain{"dddd dddd dddd"};
constexpr Words<1> kAadhaarCommon{"dddd_dddd_dddd"};
constexpr Words<3> kAadhaarCues{"aadhaar*", "aadhar*", "uid*"};
constexpr Words<1> kPanPlain{"UUUUUddddU"};
constexpr Words<2> kTfnCues{"tfn", "tax file"};
constexpr Words<2> kMedicareCommon{"dddd_ddddd_d", "dddd_ddddd_d_d"};
constexpr Words<1> kMedicareCues{"medicare*"};
constexpr Words<3> kSinCues{"sin", "social insurance", "assurance sociale"};
constexpr Words<1> kCpfPlain{"ddd.ddd.ddd-dd"};
constexpr Words<2> kCpfCues{"cpf", "cadastro"};

}  // namespace

std::size_t ssn(std::string_view t, std::size_t at) {
  return find(t, at, {kHyphened, kSsnCommon, kSsnCues, ssn_valid});
}
std::size_t itin(std::string_view t, std::size_t at) {
  return t[at] != '9' ? 0 : find(t, at, {kHyphened, kSsnCommon, kItinCues, itin_valid});
}
std::size_t nhs(std::string_view t, std::size_t at) { return find(t, at, {{}, kNhsCommon, kNhsCues, nhs_valid}); }
std::size_t nino(std::string_view t, std::size_t at) { return find(t, at, {kNinoPlain, {}, {}, nino_valid}); }
std::size_t steuerid(std::string_view t, std::size_t at) {
  return find(t, at, {{}, kSteuerCommon, kSteuerCues, steuerid_valid});
}
std::size_t nir(std::string_view t, std::size_t at) { return find(t, at, {kNirPlain, {}, {}, nir_valid}); }
std::size_t dni(std::string_view t, std::size_t at) { return find(t, at, {kDniPlain, {}, {}, dni_valid}); }
std::size_t codice_fiscale(std::string_view t, std::size_t at) {
  return find(t, at, {kCodicePlain, {}, {}, codice_fiscale_valid});
}
std::size_t bsn(std::string_view t, std::size_t at) {
  const std::size_t end = find(t, at, {{}, kBsnCommon, kBsnCues, bsn_valid});
  return end != 0 ? end : find(t, at, {{}, kNine, kBsnCues, bsn_valid});
}
std::size_t pesel(std::string_view t, std::size_t at) { return find(t, at, {{}, kEleven, kPeselCues, pesel_valid}); }
std::size_t personnummer(std::string_view t, std::size_t at) {
  return find(t, at, {kPersonPlain, kPersonCommon, kPersonCues, personnummer_valid});
}
std::size_t aadhaar(std::string_view t, std::size_t at) {
  return find(t, at, {kAadhaarPlain, kAadhaarCommon, kAadhaarCues, aadhaar_valid});
}
std::size_t pan(std::string_view t, std::size_t at) { return find(t, at, {kPanPlain, {}, {}, pan_valid}); }
std::size_t tfn(std::string_view t, std::size_t at) { return find(t, at, {{}, kNine, kTfnCues, tfn_valid}); }
std::size_t medicare(std::string_view t, std::size_t at) {
  return find(t, at, {{}, kMedicareCommon, kMedicareCues, medicare_valid});
}
std::size_t sin(std::string_view t, std::size_t at) { return find(t, at, {{}, kNine, kSinCues, sin_valid}); }
std::size_t cpf(std::string_view t, std::size_t at) { return find(t, at, {kCpfPlain, kEleven, kCpfCues, cpf_valid}); }

}  // namespace residue::text::match
