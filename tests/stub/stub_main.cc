// residue_stub PORT_FILE [BEHAVIOUR [PRESET]]: serves, and refuses what the real server of a preset refuses, until it
// is killed or the shell that started it has ended; for the sessions.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/stub/stub_server.h"

int main(int argc, char** argv) {
  const std::string_view first = argc < 2 ? "" : argv[1];
  if (first.empty() || first.starts_with('-')) {
    const bool asked = first == "--help" || first == "-h";
    std::fputs(
        "residue_stub PORT_FILE [BEHAVIOUR [PRESET]]\n"
        "Serves a language model that is none on a port of this machine, which it writes into PORT_FILE, until it is\n"
        "killed or the shell that started it has ended. BEHAVIOUR (default: ok) says how it answers, such as\n"
        "context-1500 or refused: tests/stub has them. PRESET: it refuses what the real server of that preset "
        "refuses.\n",
        asked ? stdout : stderr);
    return asked ? 0 : 2;
  }
  // A clock would have to know how slow the program under test is: with a sanitizer a session takes minutes.
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) return 0;  // it ended before it could be watched
  residue::stub::Server server(argc > 2 ? argv[2] : "ok");
  if (argc > 3) server.imitate(argv[3]);
  const std::string name = argv[1];
  std::ofstream(name + ".new") << server.port() << '\n';
  std::rename((name + ".new").c_str(), name.c_str());
  ::alarm(3'600);  // for a shell that nobody closes
  ::pause();
  return 0;
}
