// A store in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "storage/store.h"

namespace residue::model::testing {

class ModelStore : public ::testing::Test {
 protected:
  ModelStore() {
    const bool memory = ::access("/dev/shm", W_OK) == 0;
    const auto parent = memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
    std::string name = (parent / "residue-model-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    storage::Store::create(dir_);
    open();
  }
  ~ModelStore() override {
    store_.reset();
    std::filesystem::remove_all(dir_);
  }
  void open() {
    store_.reset();
    store_ = std::make_unique<storage::Store>(dir_ / ".residue");
  }
  storage::Store& store() { return *store_; }
  std::int64_t number(const char* sql) {
    storage::Statement row = store().db().prepare(sql);
    return row.step() ? row.integer(0) : -1;
  }

  std::filesystem::path dir_;
  std::unique_ptr<storage::Store> store_;
};

}  // namespace residue::model::testing
