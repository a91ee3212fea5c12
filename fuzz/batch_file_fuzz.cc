// Lines that batch servers return.
#include <cstdint>
#include <string_view>

#include "fuzz/fuzz.h"
#include "model/asking/batch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line = residue::fuzz::view(data, size);
  const residue::model::BatchAnswer answer = residue::model::read_batch_line(line);
  FUZZ_CHECK(residue::model::same_reply(answer.body, answer.body));
  FUZZ_CHECK(!answer.problem.empty() || answer.failed || !answer.body.empty());
  (void)residue::model::same_reply(line, answer.body);
  return 0;
}
