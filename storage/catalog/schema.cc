#include "storage/catalog/schema.h"

#include "base/error.h"

namespace residue::storage {

std::string of_schema(std::string_view first, std::string_view last) {
  const std::string_view schema = embedded_schema();
  const std::size_t begin = schema.find(first), end = schema.find(last, begin);
  if (begin == std::string_view::npos || end == std::string_view::npos) {
    throw Error(Code::kInternal, "the schema has lost a table", "please report this");
  }
  return std::string(schema.substr(begin, end + last.size() - begin));
}

}  // namespace residue::storage
