// What the body of a request says, as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "page/serve/request.h"

namespace residue::page {

class Body {
 public:
  // Throws Error{usage} for what is no JSON object.
  explicit Body(const Request& request);

  // Throw Error{usage} where it is not there, or of another kind.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::int64_t whole(std::string_view name) const;

  // Nothing where it is not there, or null. Throw Error{usage} for another kind.
  [[nodiscard]] std::optional<std::string> text_or_none(std::string_view name) const;
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  [[nodiscard]] bool yes(std::string_view name, bool otherwise) const;

 private:
  Json said_;
};

}  // namespace residue::page
