// The table as a stream of Arrow: batches of columns, made when they are asked for.
#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "python/tables/arrow_abi.h"
#include "python/tables/table.h"

namespace residue::python {
namespace {

constexpr std::uint64_t kBatchRows = 65'536;
constexpr std::size_t kBatchBytes = 1U << 30U;  // of texts; offsets have 32 bits

const char* format_of(ColumnType type) {
  switch (type) {
    case ColumnType::kEmpty:
      return "n";
    case ColumnType::kWhole:
      return "l";
    case ColumnType::kReal:
      return "g";
    case ColumnType::kBlob:
      return "z";
    case ColumnType::kText:
    case ColumnType::kMixed:
      return "u";
  }
  return "n";
}

// --- the schema ---

struct SchemaParts {
  std::string name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

// Children that somebody moved away have no release any more.
void release_schema(ArrowSchema* schema) {
  auto* parts = static_cast<SchemaParts*>(schema->private_data);
  for (ArrowSchema& child : parts->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete parts;
  schema->release = nullptr;
}

void fill_schema(ArrowSchema& schema, const char* format, const std::string& name, std::size_t children) {
  auto* parts = new SchemaParts{name, std::vector<ArrowSchema>(children), {}};
  for (ArrowSchema& child : parts->children) parts->pointers.push_back(&child);
  schema = {format,
            parts->name.c_str(),
            nullptr,
            children == 0 ? kArrowNullable : 0,
            static_cast<std::int64_t>(children),
            parts->pointers.data(),
            nullptr,
            release_schema,
            parts};
}

// --- a batch ---

struct ArrayParts {
  std::vector<std::uint8_t> valid;  // bits
  std::vector<std::int64_t> whole;
  std::vector<double> real;
  std::vector<std::int32_t> ends;
  std::string bytes;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

void release_array(ArrowArray* array) {
  auto* parts = static_cast<ArrayParts*>(array->private_data);
  for (ArrowArray& child : parts->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete parts;
  array->release = nullptr;
}

void add_text(ArrayParts& parts, const query::PackedValue& value) {
  if (value.type == 'i') parts.bytes += std::to_string(value.whole);
  if (value.type == 'r') parts.bytes += fmt::format("{}", value.real);
  if (value.type == 't' || value.type == 'b') parts.bytes += value.text;
  parts.ends.push_back(static_cast<std::int32_t>(parts.bytes.size()));
}

void fill_column(ArrowArray& array, ColumnType type, Column::Reader& reader, std::uint64_t rows) {
  auto* parts = new ArrayParts();
  array = {static_cast<std::int64_t>(rows), 0, 0, 0, 0, nullptr, nullptr, nullptr, release_array, parts};
  parts->valid.assign((rows + 7) / 8, 0);
  if (type != ColumnType::kWhole && type != ColumnType::kReal) parts->ends.push_back(0);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const query::PackedValue value = reader.next();
    if (value.type == 'n') {
      ++array.null_count;
    } else {
      parts->valid[row / 8] = static_cast<std::uint8_t>(parts->valid[row / 8] | (1U << (row % 8)));
    }
    if (type == ColumnType::kWhole) {
      parts->whole.push_back(value.whole);
    } else if (type == ColumnType::kReal) {
      parts->real.push_back(value.type == 'i' ? static_cast<double>(value.whole) : value.real);
    } else if (type != ColumnType::kEmpty) {
      add_text(*parts, value);
    }
  }
  if (type == ColumnType::kWhole) parts->buffers = {parts->valid.data(), parts->whole.data()};
  if (type == ColumnType::kReal) parts->buffers = {parts->valid.data(), parts->real.data()};
  if (type == ColumnType::kText || type == ColumnType::kBlob || type == ColumnType::kMixed) {
    parts->buffers = {parts->valid.data(), parts->ends.data(), parts->bytes.data()};
  }
  array.n_buffers = static_cast<std::int64_t>(parts->buffers.size());
  array.buffers = parts->buffers.data();
}

// --- the stream ---

struct StreamParts {
  std::shared_ptr<const Table> table;
  std::vector<Column::Reader> readers, ahead;
  std::uint64_t given = 0;

  // Rows of the next batch: as many as fit.
  std::uint64_t next_rows() {
    std::uint64_t rows = 0;
    std::vector<std::size_t> bytes(ahead.size(), 0);
    while (given + rows < table->rows && rows < kBatchRows) {
      bool full = false;
      for (std::size_t i = 0; i < ahead.size(); ++i) {
        bytes[i] += ahead[i].next().text.size() + sizeof(std::int64_t) * 4;  // of a number as text at most
        full = full || bytes[i] > kBatchBytes;
      }
      ++rows;
      if (full) break;
    }
    return rows;
  }
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const auto* parts = static_cast<StreamParts*>(stream->private_data);
  try {
    const auto& columns = parts->table->columns;
    fill_schema(*out, "+s", "", columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fill_schema(*out->children[i], format_of(columns[i].type()), columns[i].name(), 0);
    }
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto* parts = static_cast<StreamParts*>(stream->private_data);
  *out = {};
  if (parts->given == parts->table->rows) return 0;  // without release: the end
  try {
    const std::uint64_t rows = parts->next_rows();
    auto* batch = new ArrayParts();
    batch->buffers = {nullptr};
    batch->children.resize(parts->table->columns.size());
    for (ArrowArray& child : batch->children) batch->pointers.push_back(&child);
    *out = {static_cast<std::int64_t>(rows),
            0,
            0,
            1,
            static_cast<std::int64_t>(batch->children.size()),
            batch->buffers.data(),
            batch->pointers.data(),
            nullptr,
            release_array,
            batch};
    for (std::size_t i = 0; i < batch->children.size(); ++i) {
      fill_column(batch->children[i], parts->table->columns[i].type(), parts->readers[i], rows);
    }
    parts->given += rows;
  } catch (const std::bad_alloc&) {
    if (out->release != nullptr) out->release(out);
    return ENOMEM;
  }
  return 0;
}

const char* get_last_error(ArrowArrayStream* /*stream*/) { return "not enough memory"; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<StreamParts*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

pybind11::capsule arrow_stream(const std::shared_ptr<const Table>& table) {
  auto parts = std::make_unique<StreamParts>();
  parts->table = table;
  for (const Column& column : table->columns) {
    parts->readers.emplace_back(column);
    parts->ahead.emplace_back(column);
  }
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{get_schema, get_next, get_last_error, release_stream, parts.release()});
  return pybind11::capsule(stream.release(), "arrow_array_stream", [](PyObject* capsule) {
    auto* held = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
    if (held->release != nullptr) held->release(held);
    delete held;
  });
}

}  // namespace residue::python
