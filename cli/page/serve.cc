// serve: the store in a browser on this machine.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/child.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "page/answers/answers.h"
#include "page/answers/change.h"
#include "page/answers/viewer.h"
#include "page/serve/http_server.h"
#include "page/serve/kept.h"

namespace residue::cli {
namespace {

struct Options {
  std::uint32_t port = 0;
  std::optional<std::string> socket;
  std::uint32_t idle_minutes = 60;
  bool open = false, claims = false, originals = false;
};

int serve(Context& context, const Options& options) {
  if (options.socket && options.socket->empty()) {  // as of a variable that is not set: no port may be opened for it
    throw Error(Code::kUsage, "--socket names no file",
                "name a file that does not exist yet, or leave --socket out for 127.0.0.1");
  }
  // What keeps every answer from being made is told here: an older format, lost commits. It is closed again at once: a
  // process that has a store open does not fork.
  open_store(context, true).reset();
  page::Kept kept;
  const page::Viewer viewer{.store = store_folder(context),
                            .level = options.originals ? query::ReadLevel::kOriginals
                                     : options.claims  ? query::ReadLevel::kClaims
                                                       : query::ReadLevel::kReleased,
                            .version = version_text(),
                            .kept = &kept};
  page::ServerOptions how{.port = static_cast<std::uint16_t>(options.port),
                          .socket = options.socket.value_or(""),
                          .idle = std::chrono::minutes(options.idle_minutes),
                          .stop = interrupted,
                          .answer = [&](const page::Request& request) { return page::answer(viewer, request); },
                          .change = [&] { return page::change_json(viewer.store); },
                          .state = [&] { return page::state_of(viewer.store); },
                          .kept = &kept};
  if (options.port != 0 && options.socket)
    throw Error(Code::kUsage, "a socket has no port", "leave out --port, or --socket");
  if (options.open && options.socket) throw Error(Code::kUsage, "a browser opens no socket", "leave out --open");
  page::HttpServer server(std::move(how));
  context.out.write(server.address() + "\n");
  context.out.flush();
  context.out.note(
      fmt::format("texts are read at the level {}; Ctrl-C ends the server, and so {} without a question",
                  name_of(viewer.level),
                  options.idle_minutes == 1 ? "does a minute" : fmt::format("do {} minutes", options.idle_minutes)));
  if (options.open) {
    Child::shell({.command = "xdg-open " + shell_word(server.address()), .in = 0});
  }
  server.run();
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("--port", options->port, "of 127.0.0.1; 0 takes one that is free (0)").range(0U, 65'535U);
  syntax.add("--socket", options->socket, "a Unix socket instead, which must not exist yet").type("FILE");
  syntax.add("--idle", options->idle_minutes, "minutes without a question until it ends (60)").range(1U, 100'000U);
  syntax.flag("--open", options->open, "open a browser, too");
  syntax.flag("--claims", options->claims, "claims, labels and answers are read, too");
  syntax.flag("--originals", options->originals, "everything is read, the originals too");
  return [options](Context& context) { return serve(context, *options); };
}

}  // namespace

Command serve_command() {
  return {
      .name = "serve",
      .group = Group::kLook,
      .summary = "look at the store in a browser on this machine",
      .usage = "",
      .details =
          "Prints an address of 127.0.0.1 to open. It holds a token that nobody can guess, behind '#', where a browser "
          "keeps it to itself. Whoever has it reads what the server reads: runs, metrics, records, and the "
          "texts of runs. With --claims it reads claims, labels and answers, and what people said, too; with --originals "
          "everything. Keys, persons and labels of records are read at every level.\n"
          "The server changes nothing in the store but for the ratings and attempts that people make in it, and no "
          "evaluation waits for it. Each view has an address of its "
          "own, which can be kept. Nothing is loaded from elsewhere. It ends at Ctrl-C, or when nobody asked "
          "for an hour.",
      .examples = {{"residue serve", "runs and their texts"},
                   {"residue serve --originals --open", "originals beside what is left of them, in a browser"},
                   {"residue serve --socket view.sock", "for ssh -L 8000:./view.sock"}},
      .setup = setup};
}

}  // namespace residue::cli
