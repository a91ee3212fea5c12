#include "query/sql/advice/questions.h"

namespace residue::query {

std::vector<SqlQuestion> sql_questions() {
  std::vector<SqlQuestion> questions;
  std::string_view rest = embedded_questions();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + (line.size() < rest.size() ? 1 : 0));
    constexpr std::string_view kStart = "-- ";
    if (line.starts_with(kStart)) {
      questions.push_back({std::string(line.substr(kStart.size())), ""});
    } else if (!line.empty() && !questions.empty()) {
      std::string& sql = questions.back().sql;
      sql += (sql.empty() ? "" : "\n") + std::string(line);
    }
  }
  return questions;
}

}  // namespace residue::query
