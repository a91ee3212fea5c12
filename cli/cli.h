// The program: words in, exit code out.
#pragma once

#include <functional>

namespace residue::cli {

// Runs one command line. Makes the process safe for confidential texts first: files 0600, no core dumps. Every error
// ends here as "residue: MESSAGE" and an indented hint on standard error, and as an exit code (base/error.h).
int run(int argc, char** argv);

// Runs `work`; an error becomes its message on standard error and its exit code.
int report_errors(const std::function<int()>& work);

}  // namespace residue::cli
