#include "cli/cli.h"

int main(int argc, char** argv) { return residue::cli::run(argc, argv); }
