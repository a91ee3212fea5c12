// Asks every library for its version: the one file in all walls (tests/base/layers_test.cc), and it does nothing else.
#include "cli/keep/libraries.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <histedit.h>
#include <lmdb.h>
#include <oneapi/tbb/version.h>
#include <openssl/crypto.h>
#include <openssl/opensslv.h>
#include <simdjson.h>
#include <sqlite3.h>
#include <toml++/toml.h>
#include <unicode/uvernum.h>
#include <unicode/uversion.h>
#include <xapian.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <array>
#include <nlohmann/json.hpp>

#include "model/server/libcurl.h"

namespace residue::cli {
namespace {

std::string dotted(int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); }

// 10203 is 1.2.3, for a library that counts in steps of `step`.
std::string packed(unsigned number, unsigned step) {
  return fmt::format("{}.{}.{}", number / (step * step), number / step % step, number % step);
}

std::string loaded_lmdb() {
  int major = 0, minor = 0, patch = 0;
  mdb_version(&major, &minor, &patch);
  return dotted(major, minor, patch);
}

std::string loaded_icu() {
  UVersionInfo version{};
  u_getVersion(version);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version, text.data());
  return text.data();
}

std::string loaded_openssl() { return OpenSSL_version(OPENSSL_VERSION_STRING); }

}  // namespace

std::vector<Library> libraries() {
  return {
      {"CLI11", "", CLI11_VERSION, "the command line"},
      {"curl", model::libcurl().version_info(CURLVERSION_NOW)->version, LIBCURL_VERSION, "asks language models"},
      {"Eigen", "", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION), "principal components"},
      {"fmt", "", packed(FMT_VERSION, 100), "formatting"},
      {"ICU", loaded_icu(), U_ICU_VERSION, "words and sentences"},
      {"libedit", "", fmt::format("{}.{}", LIBEDIT_MAJOR, LIBEDIT_MINOR), "the SQL shell"},
      {"LMDB", loaded_lmdb(), dotted(MDB_VERSION_MAJOR, MDB_VERSION_MINOR, MDB_VERSION_PATCH), "texts on disk"},
      {"nlohmann-json", "",
       dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH), "writes JSON"},
      {"OpenSSL", loaded_openssl(), OPENSSL_VERSION_STR, "digests"},
      {"simdjson", "",
       dotted(simdjson::SIMDJSON_VERSION_MAJOR, simdjson::SIMDJSON_VERSION_MINOR, simdjson::SIMDJSON_VERSION_REVISION),
       "reads JSON Lines"},
      {"SQLite", sqlite3_libversion(), SQLITE_VERSION, "the catalog on disk"},
      {"TBB", TBB_runtime_version(), TBB_VERSION_STRING, "threads"},
      {"toml++", "", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH), "reads config.toml"},
      {"Xapian", Xapian::version_string(), XAPIAN_VERSION, "the search index"},
      {"xxHash", "", packed(XXH_VERSION_NUMBER, 100), "hashing"},
      {"zlib", zlibVersion(), ZLIB_VERSION, "reads .gz files"},
      {"zstd", ZSTD_versionString(), ZSTD_VERSION_STRING, "compression"},
  };
}

}  // namespace residue::cli
