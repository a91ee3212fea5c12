#include "ingest/mask/oracle_spans.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/hash.h"
#include "base/json.h"
#include "ingest/method/span_masking.h"
#include "storage/catalog/sources/label.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

constexpr std::array kParams{SanitizerParam{"annotator", "", "only this annotator's marks; empty: those of all"},
                             SanitizerParam{"quasi", "yes", "no: leave indirect identifiers in the text"},
                             SanitizerParam{"share", "1", "the share of the spans to replace", real_from(0, 1)},
                             SanitizerParam{"replacement", "tag", "tag: [PERSON]; stars: ****; token: [PERSON_1]"}};

struct Mark {
  std::size_t begin = 0, end = 0;
  std::string type, words;
};

struct Choice {
  std::string annotator;
  bool quasi = true;
  double share = 1;
};

// A label of the kind span, if it is one that `choice` wants masked.
std::optional<Mark> mark_of(const Json& label, const Choice& choice) {
  const auto word = [&](const char* name) {
    const Json* found = label.find(name);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
  };
  const std::string identifier = text::lower(word("identifier"));
  if (identifier == "no_mask" || (!choice.quasi && identifier == "quasi")) return std::nullopt;
  if (!choice.annotator.empty() && word("annotator") != choice.annotator) return std::nullopt;
  const std::string type = text::lower(word("type"));
  return Mark{label.at("start").get<std::size_t>(), label.at("end").get<std::size_t>(), type.empty() ? "masked" : type,
              word("text")};
}

class OracleSpans final : public Sanitizer {
 public:
  OracleSpans(const SanitizerSetting& setting, Choice choice, Masking masking)
      : choice_(std::move(choice)), masking_(masking), seed_(setting.seed) {
    if (setting.store == nullptr) return;
    storage::Statement labels = setting.store->db().prepare(storage::sql::kLabelSpansWithRecordKey);
    const auto texts = setting.store->facts().read();
    labels.bind(setting.dataset);
    bool any = false;
    while (labels.step()) {
      any = true;
      const std::string payload = texts->text(labels.id<TextId>(1));
      auto mark = mark_of(Json::parse(payload).value(), choice_);
      if (!mark) continue;
      content_.add(labels.text(0), static_cast<std::int64_t>(hash_bytes(payload)));
      marks_[std::string(labels.text(0))].push_back(*std::move(mark));
    }
    if (marks_.empty()) {
      throw Error(Code::kUsage,
                  any ? "oracle-spans: these settings replace none of the gold spans"
                      : "oracle-spans: the dataset has no labels of the kind span",
                  any ? "check --param annotator= and quasi="
                      : "residue ingest labels DATASET FILE --kind span brings them in");
    }
  }

  [[nodiscard]] std::string spec() const override {
    const Json params{{"annotator", choice_.annotator},
                      {"quasi", choice_.quasi ? "yes" : "no"},
                      {"share", choice_.share},
                      {"replacement", name_of(masking_)}};
    return Json{{"method", "oracle-spans"},
                {"version", "oracle-spans/2"},
                {"params", params},
                {"seed", seed_},
                {"labels", content_.hex()}}
        .sorted()
        .dump();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    std::vector<MaskedSpan> spans;
    const auto found = marks_.find(std::string(input.key));
    if (found != marks_.end()) {
      for (const Mark& mark : found->second) {
        const bool inside = mark.begin < mark.end && mark.end <= input.text.size();
        if (!inside || (!mark.words.empty() && input.text.substr(mark.begin, mark.end - mark.begin) != mark.words)) {
          return {std::nullopt, "a gold span does not fit the text any more", {}};
        }
        if (unit_draw(hash_of(seed_ ^ mark.begin, input.key, mark.end)) < choice_.share)
          spans.push_back({mark.begin, mark.end, mark.type, std::nullopt});
      }
    }
    return mask(input.text, std::move(spans), masking_);
  }

 private:
  const Choice choice_;
  const Masking masking_;
  const std::uint64_t seed_;
  std::unordered_map<std::string, std::vector<Mark>> marks_;  // by record
  Fingerprint content_;
};

}  // namespace

std::span<const SanitizerParam> oracle_spans_params() { return kParams; }

std::unique_ptr<Sanitizer> make_oracle_spans(const SanitizerSetting& setting) {
  const std::string& quasi = setting.params.at("quasi");
  if (quasi != "yes" && quasi != "no") {
    throw Error(Code::kUsage, "oracle-spans: quasi is neither yes nor no", "--param quasi=no");
  }
  return std::make_unique<OracleSpans>(
      setting, Choice{setting.params.at("annotator"), quasi == "yes", number_param(setting, "share")},
      masking_named(setting.params.at("replacement"), "oracle-spans"));
}

}  // namespace residue::ingest
