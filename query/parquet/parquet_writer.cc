#include "query/parquet/parquet_writer.h"

#include "base/error.h"

namespace residue::query {
namespace {

constexpr std::string_view kMagic = "PAR1";

// Adding up what all columns hold takes time: it is done after so many rows, or so much text.
constexpr std::int64_t kRowsBetweenLooks = 64;
constexpr std::size_t kTextBetweenLooks = 256U << 10U;

[[noreturn]] void broken(const char* what) { throw Error(Code::kInternal, what, "this is a bug of residue"); }

}  // namespace

ParquetWriter::ParquetWriter(std::vector<ParquetColumn> columns, Out out,
                             std::vector<std::pair<std::string, std::string>> facts, ParquetSizes sizes)
    : columns_(std::move(columns)), out_(std::move(out)), facts_(std::move(facts)), sizes_(sizes) {
  if (columns_.empty()) broken("parquet: a file without columns");
  for (const ParquetColumn& column : columns_) chunks_.emplace_back(column.type, compressor_);
  write(kMagic);
}

void ParquetWriter::write(std::string_view bytes) {
  out_(bytes);
  written_ += static_cast<std::int64_t>(bytes.size());
}

ChunkBuilder& ParquetWriter::next() {
  if (at_ == chunks_.size()) broken("parquet: a row is too wide");
  return chunks_[at_++];
}

ChunkBuilder& ParquetWriter::next(ParquetType type) {
  ChunkBuilder& chunk = next();
  if (chunk.type() != type) broken("parquet: a value is of another type than its column");
  return chunk;
}

void ParquetWriter::null() { next().null(); }
void ParquetWriter::boolean(bool value) { next(ParquetType::kBoolean).boolean(value); }
void ParquetWriter::int64(std::int64_t value) { next(ParquetType::kInt64).int64(value); }
void ParquetWriter::real(double value) { next(ParquetType::kDouble).real(value); }

void ParquetWriter::utf8(std::string_view value) {
  next(ParquetType::kUtf8).utf8(value);
  text_bytes_ += value.size();
}

void ParquetWriter::end_row() {
  if (at_ != chunks_.size()) broken("parquet: a row is too narrow");
  at_ = 0;
  ++group_rows_;
  if (group_rows_ >= sizes_.rows) return end_group();
  if (group_rows_ % kRowsBetweenLooks != 0 && text_bytes_ < kTextBetweenLooks) return;
  text_bytes_ = 0;
  std::size_t held = 0;
  for (const ChunkBuilder& chunk : chunks_) held += chunk.bytes();
  if (held >= sizes_.group_bytes) end_group();
}

void ParquetWriter::end_group() {
  if (group_rows_ == 0) return;
  ParquetGroup group{group_rows_, {}, {}};
  std::string pages;
  for (ChunkBuilder& chunk : chunks_) {
    group.chunks.push_back(chunk.finish(pages));
    group.offsets.push_back(written_);
    write(pages);
  }
  groups_.push_back(std::move(group));
  group_rows_ = 0;
}

void ParquetWriter::finish() {
  if (at_ != 0) broken("parquet: a row is not ended");
  end_group();
  const std::string footer = parquet_footer(columns_, groups_, facts_);
  write(footer);
  const auto size = static_cast<std::uint32_t>(footer.size());
  write({reinterpret_cast<const char*>(&size), sizeof size});
  write(kMagic);
}

}  // namespace residue::query
