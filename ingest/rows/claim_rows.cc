#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/label_words.h"
#include "ingest/rows/near_fields.h"
#include "ingest/rows/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"record", "claims", "claim", "n", "category"};
constexpr std::string_view kRecordAliases[] = {"record", "id",  "doc_id",           "record_id",
                                               "_id",    "uid", "conversation_hash"};
constexpr std::string_view kClaimsAliases[] = {"claims", "facts"};

constexpr std::string_view kOptional[] = {"claim", "n", "category"};

void require_words(std::string_view claim) {
  if (claim.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Refusal{"a claim is empty", "leave empty claims out"};
}

class ClaimRows final : public ReaderSource<ClaimsRow> {
 public:
  explicit ClaimRows(const ClaimSourceOptions& options)
      : ReaderSource(open_rows(options.path)),
        record_("record", options, options.record),
        claims_("claims", options, options.claims),
        claim_("claim", options),
        n_("n", options),
        category_("category", options),
        words_(options.words) {}

 private:
  [[nodiscard]] std::vector<std::string> of_fields() const override {
    PassedOver all = passed_over_;
    for (const Field* field : {&record_, &claims_, &claim_, &n_, &category_}) all.take(field->path());
    std::vector<std::string> notes = all.notes();
    if (beside_) notes.emplace_back("categories beside an array of claims are not used: write one claim in a row");
    return notes;
  }

  bool take(const InputRow& input, ClaimsRow& row) override {
    row = ClaimsRow{};
    row.line = input.line;
    const Value* record = record_.find(input, kRecordAliases);
    if (record == nullptr) throw record_.missing("--record", input);
    row.record = id_of(*record, record_.path());
    const Value* claims = claims_.find(input, kClaimsAliases);
    const Value* claim = claim_.find(input);
    const bool many = !absent(claims, input.typed);
    const bool one = !absent(claim, input.typed);
    if (many && one) throw Refusal{"both \"claims\" and \"claim\" are set", "write an array or one claim, not both"};
    if (!many && !one) throw claims_.missing("--claims", input);
    passed_over_.see(input);
    if (many) {
      row.replaces = true;
      beside_ = beside_ || !absent(category_.find(input), input.typed);
      if (!claims->is(Value::Kind::kArray)) throw Refusal{"field \"claims\" is no array", "write an array of strings"};
      for (std::string& text : strings_of(*claims, "claims")) {
        require_words(text);
        row.claims.push_back({std::move(text), {}, {}});
      }
      return true;
    }
    if (!claim->is(Value::Kind::kString)) throw Refusal{"field \"claim\" is no string", "write the claim as a string"};
    require_words(claim->text);
    ClaimsRow::Claim& made = row.claims.emplace_back();
    made.text = claim->text;
    const Value* n = n_.find(input);
    if (!absent(n, input.typed)) made.n = static_cast<std::uint32_t>(integer_of(*n, input.typed, "n", 1, UINT32_MAX));
    const Value* category = category_.find(input);
    if (!absent(category, input.typed)) {
      made.category = json_array(words_.categories(strings_of(*category, "category")));
    }
    return true;
  }

  Field record_, claims_, claim_, n_, category_;
  LabelWords words_;
  PassedOver passed_over_{kOptional, "not used"};
  bool beside_ = false;  // some row has an array and a category
};

}  // namespace

std::unique_ptr<RowSource<ClaimsRow>> open_claims(const ClaimSourceOptions& options) {
  if (!options.preset.empty())
    throw Error(Code::kUsage, "claims are read without a preset",
                "drop --preset; the preset mediq imports claims with the dataset");
  check_map(options, kKnown);
  return std::make_unique<ClaimRows>(options);
}

}  // namespace residue::ingest
