// Check digits and rules of numbers that states and banks give to people.
//
// Each takes an identifier as it is written: spaces, hyphens, dots and slashes are skipped, letters may be of either
// case. True only for the right number of characters, the rules of its parts and the check digit. Pure, no locale.
#pragma once

#include <string_view>

namespace residue::text {

// ISO/IEC 7812 check digit over the digits of `number` (other bytes are skipped).
bool luhn_valid(std::string_view number);

// ISO 13616: country, length for the country, and mod 97 = 1. Spaces and hyphens are skipped; letters of either case.
bool iban_valid(std::string_view iban);

// J. Verhoeff, 1969: the dihedral group of order ten; over all digits of `number`, the last of which is the check.
bool verhoeff_valid(std::string_view number);

bool ssn_valid(std::string_view id);             // US: area not 000, 666 or 9xx, group not 00, serial not 0000
bool itin_valid(std::string_view id);            // US: 9xx, group 50-65, 70-88, 90-92, 94-99
bool nhs_valid(std::string_view id);             // UK: 10 digits, weights 10 to 2, mod 11
bool nino_valid(std::string_view id);            // UK: two letters that are given out, six digits, A to D
bool steuerid_valid(std::string_view id);        // DE: 11 digits, one digit two or three times, ISO 7064 MOD 11,10
bool nir_valid(std::string_view id);             // FR: 13 characters and a key, 97 - n mod 97; Corsica 2A, 2B
bool dni_valid(std::string_view id);             // ES: DNI and NIE, a letter of n mod 23
bool codice_fiscale_valid(std::string_view id);  // IT: 16 characters, odd and even values, mod 26
bool bsn_valid(std::string_view id);             // NL: 9 digits, weights 9 to 2 and -1, mod 11
bool pesel_valid(std::string_view id);           // PL: 11 digits, a date, weights 1 3 7 9
bool personnummer_valid(std::string_view id);    // SE: a date and four digits, Luhn over the last ten
bool aadhaar_valid(std::string_view id);         // IN: 12 digits, the first 2 to 9, Verhoeff
bool pan_valid(std::string_view id);             // IN: AAAPA9999A, the fourth letter a kind of holder
bool tfn_valid(std::string_view id);             // AU: 9 digits, weights 1 4 3 7 5 8 6 9 10, mod 11
bool medicare_valid(std::string_view id);        // AU: 10 or 11 digits, the first 2 to 6, weights 1 3 7 9
bool sin_valid(std::string_view id);             // CA: 9 digits, Luhn, the first not 0 or 8
bool cpf_valid(std::string_view id);             // BR: 11 digits, not all the same, two check digits mod 11

}  // namespace residue::text
