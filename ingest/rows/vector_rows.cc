#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/read/json_parser.h"
#include "ingest/read/line_reader.h"
#include "ingest/read/npy.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/source_base.h"
#include "storage/vectors.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"id", "of", "run", "vector"};

VectorOf of_named(std::string_view name) {
  if (name == "record") return VectorOf::kRecord;
  if (name == "variant") return VectorOf::kVariant;
  if (name == "claim") return VectorOf::kClaim;
  throw Refusal{"field \"of\" has an unknown value", "write record, variant or claim"};
}

// Whose vector: `id` as the input has it.
void refer(VectorRow& row, VectorOf of, const std::string& id, const std::optional<std::string>& run) {
  row.of = of;
  row.key = id;
  row.run.reset();
  row.claim = 0;
  if (of == VectorOf::kClaim) {
    ClaimReference parts = claim_of(id, "id");
    row.key = std::move(parts.record);
    row.claim = parts.n;
    row.run = run;
  }
  if (of == VectorOf::kVariant) {
    if (!run) throw Refusal{"a variant's vector names no run", "add --run RUN, or a field \"run\""};
    row.run = run;
  }
}

void check_values(const std::vector<float>& values) {
  if (values.empty()) throw Refusal{"the vector is empty", "write one number for each dimension"};
  if (!std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); })) {
    throw Refusal{"the vector has a value that is not finite in single precision", "compute this vector again"};
  }
  if (std::all_of(values.begin(), values.end(), [](float x) { return x == 0; })) {
    throw Refusal{"the vector has no direction: in single precision all its values are 0",
                  "leave the row out, or compute it again; what is smaller than 1e-45 becomes 0"};
  }
}

class VectorRows final : public ReaderSource<VectorRow> {
 public:
  explicit VectorRows(const VectorSourceOptions& options)
      : ReaderSource(open_rows(options.path)),
        options_(options),
        id_("id", options),
        of_("of", options),
        run_("run", options),
        vector_("vector", options) {}

 private:
  bool take(const InputRow& input, VectorRow& row) override {
    row.line = input.line;
    const Value* id = id_.find(input, kIdAliases);
    if (absent(id, input.typed)) throw id_.missing("--map id=FIELD");
    const Value* vector = vector_.find(input);
    if (absent(vector, input.typed)) throw vector_.missing("--map vector=FIELD");
    std::optional<std::string> of = options_.of;
    if (const Value* said = of_.find(input); !absent(said, input.typed)) {
      const std::string word = string_of(*said, of_.name());
      if (of && word != *of) throw Refusal{"the row's \"of\" is not what --of says", "leave out --of"};
      of = word;
    }
    std::optional<std::string> run = options_.run;
    if (const Value* said = run_.find(input); !absent(said, input.typed)) run = string_of(*said, run_.name());
    refer(row, of_named(of.value_or("record")), id_of(*id, id_.name()), run);
    numbers(input.typed ? *vector : in_cell(*vector), row.values);
    check_values(row.values);
    return true;
  }

  // The array that a cell of a CSV file spells.
  const Value& in_cell(const Value& cell) {
    try {
      cells_.parse(cell.text, cell_, true);
    } catch (const Refusal& refusal) {
      if (refusal.cause == kNotFinite) throw;
      throw no_numbers();
    }
    return cell_;
  }

  static Refusal no_numbers() { return {"field \"vector\" is no array of numbers", "write it as [0.1, 0.2]"}; }

  static void numbers(const Value& array, std::vector<float>& values) {
    if (!array.is(Value::Kind::kArray)) throw no_numbers();
    if (array.items.size() > storage::kMaxDimension)
      throw Refusal{"the vector has more than 65,536 values", "use a smaller model"};
    values.clear();
    for (const Value& item : array.items) {
      double number = 0;
      const char* end = item.text.data() + item.text.size();
      const bool kind = item.is(Value::Kind::kInteger) || item.is(Value::Kind::kReal);
      if (!kind || std::from_chars(item.text.data(), end, number).ptr != end) throw no_numbers();
      values.push_back(static_cast<float>(number));
    }
  }

  VectorSourceOptions options_;
  Field id_, of_, run_, vector_;
  JsonParser cells_;
  Value cell_;
};

// The lines of an ids file; each is an id, none is blank.
class Ids {
 public:
  explicit Ids(const std::string& path) : path_(path), input_(open_bytes(path)), lines_(input_) {
    input_.begin();  // behind a byte order mark
  }

  // Nothing at the end.
  std::optional<std::string> next() {
    std::string_view line;
    if (lines_.next(line) == LineReader::Result::kEnd) return std::nullopt;
    if (lines_.blank() > 0) {
      throw Error(Code::kBadInput, fmt::format("{}: a line before line {} is blank", path_, lines_.number()),
                  "write the id of each row on a line of its own");
    }
    if (!valid_utf8(line)) {
      throw Error(Code::kBadInput, fmt::format("{}:{}: the line is not UTF-8", path_, lines_.number()),
                  "save the file as UTF-8");
    }
    return std::string(line);
  }

 private:
  std::string path_;
  InputBuffer input_;
  LineReader lines_;
};

std::uint64_t count_ids(const std::string& path) {
  Ids ids(path);
  std::uint64_t count = 0;
  while (ids.next()) ++count;
  return count;
}

class NpyRows final : public RowSource<VectorRow> {
 public:
  explicit NpyRows(const VectorSourceOptions& options)
      : input_(open_bytes(options.path)),
        npy_(input_, options.path),
        ids_(*options.ids),
        of_(of_named(options.of.value_or("record"))),
        run_(options.run) {
    const std::uint64_t count = count_ids(*options.ids);
    if (count == npy_.rows()) return;
    throw Error(Code::kBadInput,
                fmt::format("{} has {} ids where {} has {} rows", *options.ids, count, options.path, npy_.rows()),
                "write one id a line, in the order of the rows");
  }

  RowResult next(VectorRow& row, RowError& bad) override {
    if (!npy_.next(row.values)) return RowResult::kEnd;
    row.line = ++row_;
    const auto id = ids_.next();
    if (!id) throw Error(Code::kBadInput, "the file of ids became shorter while it was read", "repeat the command");
    try {
      refer(row, of_, *id, run_);
      check_values(row.values);
    } catch (Refusal& refusal) {
      bad = {row.line, std::move(refusal.cause), std::move(refusal.remedy)};
      return RowResult::kBad;
    }
    return RowResult::kRow;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return input_.source().bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return input_.source().bytes_total(); }

 private:
  InputBuffer input_;
  NpyReader npy_;
  Ids ids_;
  VectorOf of_;
  std::optional<std::string> run_;
  std::uint64_t row_ = 0;
};

bool names_npy(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  return path.ends_with(".npy");
}

}  // namespace

std::unique_ptr<RowSource<VectorRow>> open_vectors(const VectorSourceOptions& options) {
  if (!options.ids) {
    if (names_npy(options.path)) {
      throw Error(Code::kUsage, "a .npy file does not say whose vectors its rows are",
                  "add --ids FILE, with one id a line in the order of the rows");
    }
    check_map(options, kKnown);
    return std::make_unique<VectorRows>(options);
  }
  if (*options.ids == "-")
    throw Error(Code::kUsage, "--ids cannot be standard input: the ids are read twice", "use a file");
  if (!options.map.empty()) throw Error(Code::kUsage, "--map is for JSON Lines, not for .npy files", "leave it out");
  return std::make_unique<NpyRows>(options);
}

}  // namespace residue::ingest
