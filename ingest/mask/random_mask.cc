#include "ingest/mask/random_mask.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/json.h"
#include "ingest/method/span_masking.h"
#include "text/words/words.h"

namespace residue::ingest {
namespace {

constexpr std::array kParams{SanitizerParam{"rate", "0.3", "the share of words to mask", real_from(0, 1)},
                             SanitizerParam{"replacement", "tag", "tag: [MASKED]; stars: ****; token: [MASKED_1]"}};

class RandomMask final : public Sanitizer {
 public:
  RandomMask(double rate, Masking masking, std::uint64_t seed) : rate_(rate), masking_(masking), seed_(seed) {}

  [[nodiscard]] std::string spec() const override {
    const Json params{{"rate", rate_}, {"replacement", name_of(masking_)}};
    return Json{{"method", "random-mask"}, {"version", "random-mask/2"}, {"params", params}, {"seed", seed_}}
        .sorted()
        .dump();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    std::vector<text::Span> words;
    text::words(input.text, words);
    std::vector<MaskedSpan> drawn;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (unit_draw(hash_of(seed_, input.key, i)) < rate_)
        drawn.push_back({words[i].begin, words[i].end, "masked", std::nullopt});
    }
    return mask(input.text, std::move(drawn), masking_);
  }

 private:
  double rate_;
  Masking masking_;
  std::uint64_t seed_;
};

}  // namespace

std::span<const SanitizerParam> random_mask_params() { return kParams; }

std::unique_ptr<Sanitizer> make_random_mask(const SanitizerSetting& setting) {
  return std::make_unique<RandomMask>(number_param(setting, "rate"),
                                      masking_named(setting.params.at("replacement"), "random-mask"), setting.seed);
}

}  // namespace residue::ingest
