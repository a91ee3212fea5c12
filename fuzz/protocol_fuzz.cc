// Protocols as users write them: a refusal, or a protocol whose canonical name means the same.
#include <cstdint>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "query/inputs/protocol.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    for (const auto& protocol : residue::query::parse_protocols(residue::fuzz::view(data, size))) {
      FUZZ_CHECK(residue::query::parse_protocol(protocol.name()) == protocol);
    }
  } catch (const residue::Error& error) {
    FUZZ_CHECK(error.code() == residue::Code::kUsage);
  }
  return 0;
}
