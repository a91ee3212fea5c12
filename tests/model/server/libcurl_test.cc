#include "model/server/libcurl.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace residue::model {
namespace {

bool is_loaded() {
  void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD);
  return library != nullptr;
}

// In a process of its own: others have asked a server here.
TEST(LibcurlDeathTest, IsLoadedByTheFirstWhoNeedsItAndNotBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        if (is_loaded()) std::exit(1);
        if (libcurl().version_info(CURLVERSION_NOW)->version_num < 0x075500) std::exit(2);
        std::exit(is_loaded() ? 0 : 3);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace residue::model
