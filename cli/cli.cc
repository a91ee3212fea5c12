#include "cli/cli.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/guarded.h"
#include "cli/help.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/print/wrap.h"

namespace residue::cli {
namespace {

// Whoever started this process may have closed a standard stream. Without a stand-in, the next file that is opened would
// get its number, and results would be printed into that file.
void keep_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) == -1)
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // still unusable
  }
}

void make_safe() {
  keep_standard_streams();
  ::umask(077);
  const rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);  // a core dump would hold original texts
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is a full disk: the write says so
  watch_signals();
}

int dispatch(const std::vector<std::string>& arguments) {
  const Words words = sort_words(arguments);
  if (words.version || words.help || words.command == nullptr) {
    Globals globals;
    globals.paged = std::ranges::find(words.rest, "--no-pager") == words.rest.end();
    Output out(globals);
    if (words.version) {
      out.write(version_text() + "\n");
    } else if (words.command != nullptr) {
      out.write(help_for(*words.command));
    } else {
      out.write(words.help ? help_text(words.group) : overview());
    }
    out.finish();
    return 0;
  }
  const auto execute = [&words] {
    const Invocation invocation = parse(words);
    Output out(invocation.globals);
    Context context{invocation.globals, out};
    if (!invocation.configured.empty()) out.note("from config.toml: " + invocation.configured);
    const int code = invocation.run(context);
    out.finish();
    return code;
  };
  return words.command->guarded ? run_guarded(execute) : execute();
}

int failed(Code code, const std::string& message, const std::string& hint) {
  std::string text = message_lines("residue: " + message, STDERR_FILENO);
  if (!hint.empty()) text += message_lines("  " + hint, STDERR_FILENO);
  [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, text.data(), text.size());
  return code == Code::kInterrupted ? interrupt_code() : static_cast<int>(code);
}

// No what(): it may quote a text.
int our_bug() {
  return failed(Code::kInternal, "an error inside residue: this is our bug, not yours",
                "please report the command and the version (residue --version), without your data");
}

}  // namespace

int report_errors(const std::function<int()>& work) {
  try {
    return work();
  } catch (const Error& error) {
    return failed(error.code(), error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    return failed(Code::kTryAgain, "out of memory", "use fewer --jobs, or a machine with more memory");
  } catch (const std::filesystem::filesystem_error& error) {
    const bool full = error.code() == std::errc::no_space_on_device || error.code().value() == EDQUOT;
    return failed(full ? Code::kTryAgain : Code::kIo, "a file cannot be changed: " + error.code().message(),
                  full ? "free some space and repeat the command" : "check the disk and its permissions");
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) return our_bug();
    return failed(Code::kTryAgain, "no thread could be started",
                  "use fewer --jobs, or raise the limits (ulimit -v, ulimit -u)");
  } catch (...) {
    return our_bug();
  }
}

int run(int argc, char** argv) {
  make_safe();
  return report_errors([&] { return dispatch({argv + std::min(argc, 1), argv + argc}); });
}

}  // namespace residue::cli
