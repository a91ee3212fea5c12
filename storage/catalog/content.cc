#include "storage/catalog/content.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/digest.h"
#include "base/error.h"

namespace residue::storage {
namespace {

// Text or blob; NULL is empty.
std::string_view bytes_of(sqlite3_value* value) {
  const void* bytes = sqlite3_value_blob(value);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

void answer(sqlite3_context* context, const std::string& content) {
  sqlite3_result_blob64(context, content.data(), content.size(), SQLITE_TRANSIENT);
}

using SqlFunction = void (*)(sqlite3_context*, int, sqlite3_value**);

constexpr SqlFunction kOfAttack = [](sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  answer(context, content_of_attack(bytes_of(values[0]), bytes_of(values[1])));
};
constexpr SqlFunction kWithCategories = [](sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  answer(context, content_with_categories(bytes_of(values[0]), bytes_of(values[1])));
};
constexpr SqlFunction kAtRevision = [](sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  answer(context, content_at_revision(bytes_of(values[0]), sqlite3_value_int64(values[1])));
};

}  // namespace

std::string content_of_attack(std::string_view claims, std::string_view extra) {
  return extra.empty() ? std::string(claims) : to_hex(claims).append(extra);
}

std::string content_with_categories(std::string_view attack, std::string_view categories) {
  return categories.empty() ? std::string(attack) : to_hex(attack) + "#" + to_hex(categories);
}

std::string content_at_revision(std::string_view judged, std::int64_t revision) {
  return revision == 0 ? std::string(judged) : fmt::format("{}@{}", to_hex(judged), revision);
}

void attach_content_functions(sqlite3* db) {
  const auto attach = [db](const char* name, SqlFunction function) {
    constexpr int kHow = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (sqlite3_create_function_v2(db, name, 2, kHow, nullptr, function, nullptr, nullptr, nullptr) != SQLITE_OK) {
      throw Error(Code::kInternal, "catalog: a function could not be registered", "this is a bug of residue");
    }
  };
  attach("content_of_attack", kOfAttack);
  attach("content_with_categories", kWithCategories);
  attach("content_at_revision", kAtRevision);
}

}  // namespace residue::storage
