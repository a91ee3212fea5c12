// residue_stub PORT_FILE [BEHAVIOUR]: serves until it is killed; for the sessions.
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>

#include "tests/stub/stub_server.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const residue::stub::Server server(argc > 2 ? argv[2] : "ok");
  const std::string name = argv[1];
  std::ofstream(name + ".new") << server.port() << '\n';
  std::rename((name + ".new").c_str(), name.c_str());
  ::alarm(120);  // a session that forgets it
  ::pause();
  return 0;
}
