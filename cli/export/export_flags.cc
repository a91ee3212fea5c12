#include "cli/export/export_flags.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>

#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"

namespace residue::cli {

query::ReadLevel ExportFlags::level() const {
  if (originals) return query::ReadLevel::kOriginals;
  return claims ? query::ReadLevel::kClaims : query::ReadLevel::kReleased;
}

void add_export_flags(Syntax& syntax, ExportFlags& flags) {
  syntax.flag("--claims", flags.claims, "also claims, labels and answers");
  syntax.flag("--originals", flags.originals, "all texts, the originals too").excludes("--claims");
  syntax.flag("--no-text", flags.no_text, "no texts at all").excludes("--claims").excludes("--originals");
  syntax.add("--timeout", flags.timeout_s, "seconds for everything, writing included (3600)").range(0.1, 86400.0);
}

query::SqlOptions export_options(const Context& context, const ExportFlags& flags) {
  query::SqlOptions options;
  options.store = store_folder(context);
  options.timeout_ms = static_cast<int>(flags.timeout_s * 1000);
  options.most_rows = std::numeric_limits<std::uint64_t>::max();
  options.texts = !flags.no_text;
  options.level = flags.level();
  options.interrupted = interrupted;
  return options;
}

const char* texts_text(const ExportFlags& flags) {
  if (flags.no_text) return "it has no texts";
  switch (flags.level()) {
    case query::ReadLevel::kReleased:
      return "its texts are those of runs";
    case query::ReadLevel::kClaims:
      return "it has claims, and texts of runs: keep it as safe as the store";
    case query::ReadLevel::kOriginals:
      return "it has originals: keep it as safe as the store";
  }
  return "";
}

}  // namespace residue::cli
