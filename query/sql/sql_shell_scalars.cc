#include "query/sql/sql_shell_scalars.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "text/characters/unicode.h"

namespace residue::query {
namespace {

struct Call {
  const TextFunction* function;
  const TextTools* tools;
};

void call(sqlite3_context* context, int count, sqlite3_value** values) {
  const Call& call = *static_cast<const Call*>(sqlite3_user_data(context));
  try {
    std::vector<SqlValue> arguments;
    for (sqlite3_value* value : std::span(values, static_cast<std::size_t>(count))) {
      arguments.push_back(sql_value_of(value));
    }
    answer_with(context, call_text_function(*call.function, arguments, *call.tools));
  } catch (const Error& error) {
    const std::string why =
        error.hint().empty() ? std::string(error.what()) : fmt::format("{}; {}", error.what(), error.hint());
    sqlite3_result_error(context, why.c_str(), -1);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (const std::exception&) {
    sqlite3_result_error(context, "it cannot be answered", -1);
  }
}

}  // namespace

void answer_with(sqlite3_context* context, const SqlValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    sqlite3_result_int64(context, *whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_result_double(context, *real);
  }
}

SqlValue sql_value_of(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return sqlite3_value_int64(value);
    case SQLITE_FLOAT:
      return sqlite3_value_double(value);
    case SQLITE_TEXT: {
      const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
      return std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
    }
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
      return SqlBlob{std::string(bytes == nullptr ? "" : bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)))};
    }
    default:
      return {};
  }
}

void attach_text_functions(sqlite3* db, const TextTools& tools, std::string_view sql) {
  const std::string lower = text::lower(sql);
  for (const TextFunction& function : text_functions()) {
    if (lower.find(function.name) != std::string::npos) warm_up(function, tools);
    auto data = std::make_unique<Call>(Call{&function, &tools});
    // Any number of arguments: SQLite's own stubs of the same name are hidden, and a wrong number is told by us.
    const int code = sqlite3_create_function_v2(db, std::string(function.name).c_str(), -1,
                                                SQLITE_UTF8 | SQLITE_DIRECTONLY | SQLITE_DETERMINISTIC, data.release(),
                                                call, nullptr, nullptr, [](void* p) { delete static_cast<Call*>(p); });
    if (code == SQLITE_BUSY) continue;  // a host that loads us by a statement keeps its own function of this name
    if (code != SQLITE_OK) throw Error(Code::kIo, fmt::format("sql: {}", sqlite3_errmsg(db)), "residue check");
  }
}

}  // namespace residue::query
