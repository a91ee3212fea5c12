#include "verbs/sql.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace residue::verbs {

using Clock = std::chrono::steady_clock;
using Millis = std::chrono::milliseconds;

void sql(query::SqlOptions options, std::string_view script, const SqlSinks& sinks) {
  const Clock::time_point until = Clock::now() + Millis(options.timeout_ms);
  while (!script.empty()) {
    options.timeout_ms =
        static_cast<int>(std::max<std::int64_t>(0, std::chrono::duration_cast<Millis>(until - Clock::now()).count()));
    query::SqlSink sink{.columns = sinks.columns, .row = sinks.row};
    if (sinks.place) sink.place = [&](std::size_t byte) { sinks.place(script, byte); };
    sink.advice = sinks.advice;
    const query::SqlEnd end = query::run_statement(options, script, sink);
    if (sinks.end) sinks.end(end);
    script.remove_prefix(end.next);
    const std::size_t next = script.find_first_not_of(" \t\r\n;");
    script = next == std::string_view::npos ? std::string_view() : script.substr(next);
  }
}

}  // namespace residue::verbs
