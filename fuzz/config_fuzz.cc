// config.toml as its owner writes it: a refusal that names the line, or values that a command line takes.
#include "cli/config.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& [key, value] : residue::cli::parse_config(residue::fuzz::view(data, size), "config.toml")) {
      FUZZ_CHECK(!value.empty());
      const bool number = key == "seeds" || key == "seed";
      FUZZ_CHECK(number || key == "judge" || key == "protocol" || key == "model");
      FUZZ_CHECK(!number || value.find_first_not_of("0123456789") == std::string::npos);
    }
  } catch (const residue::Error& error) {
    FUZZ_CHECK(error.code() == residue::Code::kBadInput);
    FUZZ_CHECK(std::string_view(error.what()).starts_with("config.toml, line "));
    FUZZ_CHECK(!error.hint().empty());
  }
  return 0;
}
