#include "cli/export/export_flags.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "query/export/new_file.h"
#include "storage/disk/files.h"
#include "storage/disk/leftovers.h"

namespace residue::cli {
namespace {

// The file that -o names; nothing where it is no file that gets a name at the end: standard output, a pipe, a device.
std::optional<std::string> new_output(const Context& context) {
  const auto& file = context.globals.output;
  if (!file || *file == "-") return std::nullopt;
  struct stat info = {};
  if (::stat(file->c_str(), &info) == 0 && !S_ISREG(info.st_mode)) return std::nullopt;
  return file;
}

}  // namespace

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

void require_new_output(const Context& context) {
  if (const auto file = new_output(context)) query::refuse_existing(*file);
}

void finish_new_output(Context& context) {
  context.out.flush();
  const auto file = new_output(context);
  if (!file) return;
  // The name is taken by an empty file of ours, which finish() replaces: that may replace nothing else.
  const storage::Leftover leftover(*file);
  const int fd = ::open(file->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0 && errno == EEXIST) {
    throw Error(Code::kUsage, fmt::format("{} exists already", *file), "name a file that does not exist yet");
  }
  if (fd >= 0) ::close(fd);  // else finish() says what is wrong
  try {
    context.out.finish();
  } catch (...) {
    if (fd >= 0) ::unlink(file->c_str());
    throw;
  }
  const std::filesystem::path folder = std::filesystem::path(*file).parent_path();
  storage::sync_path(folder.empty() ? "." : folder);
}

}  // namespace residue::cli
