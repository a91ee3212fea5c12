// Where an API key comes from: a variable or a file that nobody else can read.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "model/server/endpoint.h"
#include "storage/disk/files.h"

namespace residue::model {
namespace {

constexpr std::size_t kMaxKeyBytes = 16U << 10U;

// A key with a line break would end the header that it is sent in.
std::string checked(std::string key, const char* where) {
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r' || key.back() == ' ')) key.pop_back();
  for (const char c : key) {
    if (c <= ' ' || c == '\x7f') {
      throw Error(Code::kUsage,
                  fmt::format("the API key in {} holds a space, a line break or a control character", where),
                  "it has to be the key alone, on one line");
    }
  }
  if (key.empty()) throw Error(Code::kUsage, fmt::format("the API key in {} is empty", where), "put the key there");
  return key;
}

}  // namespace

std::string load_api_key(const Transport& transport) {
  if (!transport.key_env.empty()) {
    const char* value = std::getenv(transport.key_env.c_str());
    if (value == nullptr) {
      throw Error(Code::kNotFound, fmt::format("the variable {} of the API key is not set", transport.key_env),
                  fmt::format("export {}=...", transport.key_env));
    }
    return checked(value, "the variable");
  }
  if (transport.key_file.empty()) return {};
  struct stat status {};
  if (::stat(transport.key_file.c_str(), &status) != 0) {
    throw Error(Code::kNotFound, fmt::format("cannot read the API key's file {}", transport.key_file),
                "residue model add names another one");
  }
  if ((status.st_mode & 077) != 0) {
    throw Error(Code::kUsage, fmt::format("others can read the API key's file {}", transport.key_file),
                fmt::format("chmod 600 {}", transport.key_file));
  }
  return checked(storage::read_small_file(transport.key_file, kMaxKeyBytes), "the file");
}

}  // namespace residue::model
