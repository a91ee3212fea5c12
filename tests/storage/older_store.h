// A store of tests/storage/stores in a folder of its own, which goes with it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace residue::storage {

class OlderStore {
 public:
  explicit OlderStore(int format) {
    std::string name = (std::filesystem::temp_directory_path() / "residue-older-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    const std::string command = "zstd -qdc '" RESIDUE_SOURCE_DIR "/tests/storage/stores/format-" +
                                std::to_string(format) + ".tar.zst' | tar xf - -C '" + folder_.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << "zstd and tar unpack it";
  }
  OlderStore(const OlderStore&) = delete;
  OlderStore& operator=(const OlderStore&) = delete;
  ~OlderStore() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::filesystem::path dir() const { return folder_ / ".residue"; }

 private:
  std::filesystem::path folder_;
};

}  // namespace residue::storage
