#include "cli/flags/new_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
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
