// Pure functions on UTF-8 text (ingest admits nothing else) keep what their headers promise.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.h"
#include "text/characters/unicode.h"
#include "text/encodings/decoded.h"
#include "text/identifiers/recognizers.h"
#include "text/words/analyzer.h"
#include "text/words/sentences.h"

namespace text = residue::text;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = residue::fuzz::view(data, size);
  std::size_t end = 0;
  for (const auto& entity : text::recognize(input)) {  // any bytes
    FUZZ_CHECK(end <= entity.begin && entity.begin < entity.end && entity.end <= size);
    end = entity.end;
  }
  const auto decoded = text::decoded(input);  // any bytes
  if (!text::valid_utf8(input)) return 0;
  FUZZ_CHECK(!decoded || text::valid_utf8(*decoded));
  std::string store;
  FUZZ_CHECK(text::valid_utf8(text::compared(input, store)));
  end = 0;
  for (const text::Span& sentence : text::sentences(input)) {
    FUZZ_CHECK(end <= sentence.begin && sentence.begin < sentence.end && sentence.end <= size);
    end = sentence.end;
  }
  std::vector<std::string> terms;
  for (const text::Analyzer* analyzer : {&text::Analyzer::fsp(), &text::Analyzer::plain()}) {
    analyzer->terms(input, terms);
    for (const std::string& term : terms) {
      FUZZ_CHECK(!term.empty() && term.size() <= 245 && term.find('\0') == std::string::npos);
    }
  }
  return 0;
}
