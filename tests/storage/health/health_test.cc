#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "storage/health/finding.h"
#include "storage/health/machine.h"
#include "storage/health/mounts.h"
#include "storage/health/place.h"
#include "storage/health/store_files.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

// A folder that goes away, and a kernel that tells what is written into it.
class StoreHealth : public ::testing::Test {
 protected:
  StoreHealth() : mask_(::umask(077)) {  // as the program has it
    std::string name = (fs::temp_directory_path() / "residue-health-XXXXXX").string();
    dir_ = fs::canonical(::mkdtemp(name.data()));
    kernel_ = {dir_ / "proc", dir_ / "sys"};
  }
  ~StoreHealth() override {
    ::umask(mask_);
    fs::remove_all(dir_);
  }

  static void put(const fs::path& file, const std::string& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << bytes;
  }
  void mount(const std::string& type, const std::string& device = "253:1") {
    put(kernel_.proc / "self" / "mountinfo",
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 " + device + " / " + dir_.string() + " rw shared:1 - " + type +
            " /dev/mapper/home rw\n3 1 8:9 / " + dir_.string() + "x rw - xfs /dev/sdb rw\n");
  }
  static Finding of(const Findings& all, const std::string& check) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Finding& one) { return one.check == check; });
    return found == all.end() ? Finding{} : *found;
  }
  Finding place(const std::string& check) { return of(look_at_place(dir_, 0, kernel_), check); }

  mode_t mask_;
  fs::path dir_;
  Kernel kernel_;
};

TEST_F(StoreHealth, TellsFileSystemsThatAreUnsafeOrDoNotLast) {
  const struct {
    const char* type;
    Health health;
  } cases[] = {{"ext4", Health::kOk},       {"xfs", Health::kOk},          {"btrfs", Health::kOk},
               {"nfs4", Health::kProblem},  {"cifs", Health::kProblem},    {"fuse.sshfs", Health::kProblem},
               {"tmpfs", Health::kWarning}, {"overlay", Health::kWarning}, {"fuse.gocryptfs", Health::kOk}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.type);
    mount(one.type);
    const Finding found = place("file system");
    EXPECT_EQ(found.health, one.health);
    EXPECT_EQ(found.said.find(std::string(one.type) + " on " + dir_.string()), 0U) << found.said;
    EXPECT_EQ(found.remedy.empty(), one.health == Health::kOk);
  }
}

TEST_F(StoreHealth, SeesEncryptionOfTheDeviceOrBelowIt) {
  mount("ext4");
  EXPECT_EQ(place("encryption").health, Health::kWarning);
  const fs::path device = kernel_.sys / "dev" / "block" / "253:1";
  put(device / "dm" / "uuid", "LVM-abc\n");
  EXPECT_EQ(place("encryption").health, Health::kWarning);
  put(device / "slaves" / "dm-0" / "dm" / "uuid", "CRYPT-LUKS2-0123-home\n");
  EXPECT_EQ(place("encryption").said, "what is stored is encrypted by LUKS2");
  put(device / "slaves" / "sdb" / "size", "1\n");  // a volume that lies on a plain disk as well
  EXPECT_EQ(place("encryption").health, Health::kWarning);
  mount("fuse.gocryptfs", "0:99");
  EXPECT_EQ(place("encryption").said, "what is stored is encrypted by gocryptfs");
}

TEST_F(StoreHealth, ComparesFreeSpaceWithTheStore) {
  mount("ext4");
  EXPECT_EQ(of(look_at_place(dir_, std::uint64_t{1} << 60U, kernel_), "free space").health, Health::kWarning);
}

TEST_F(StoreHealth, NamesWhatOthersMayUse) {
  const fs::path store = dir_ / "s" / ".residue";
  Store::create(dir_ / "s");
  EXPECT_EQ(of(look_at_files(store, kernel_), "permissions").health, Health::kOk);
  EXPECT_EQ(of(look_at_files(store, kernel_), "owner").health, Health::kOk);
  ::chmod((store / "facts" / "data.mdb").c_str(), 0640);
  const Finding found = of(look_at_files(store, kernel_), "permissions");
  EXPECT_EQ(found.health, Health::kProblem);
  EXPECT_EQ(found.said, "others may use facts/data.mdb");
  EXPECT_EQ(found.remedy, "chmod -R go= " + store.string());
  ::chmod((store / "facts" / "data.mdb").c_str(), 0600);
  fs::create_symlink("/", store / "link");
  EXPECT_EQ(of(look_at_files(store, kernel_), "permissions").said, "links lead out of the store: link");
}

TEST_F(StoreHealth, NamesWhatKilledCommandsLeft) {
  const fs::path store = dir_ / "s" / ".residue";
  Store::create(dir_ / "s");
  EXPECT_EQ(of(look_at_files(store, kernel_), "leftovers").health, Health::kOk);
  put(store / "backup-12" / "catalog.db", "x");
  put(store / "index" / ".tmp-3" / "x", "x");
  EXPECT_EQ(of(look_at_files(store, kernel_), "leftovers").said,
            "of a command that runs now, or was killed: backup-12, index/.tmp-3");
}

TEST_F(StoreHealth, NamesWhoHoldsTheStore) {
  const fs::path store = dir_ / "s" / ".residue";
  Store::create(dir_ / "s");
  EXPECT_EQ(of(look_at_files(store), "locks").said, "nobody else uses the store");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const Store open(store);
    if (::write(ready[1], "x", 1) == 1) ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::string said = of(look_at_files(store), "locks").said;
  EXPECT_NE(said.find("store.lock by process " + std::to_string(holder) + " (storage_test)"), std::string::npos)
      << said;
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(StoreHealth, SeesSwapThatAThiefCanRead) {
  const auto swap = [&] { return of(look_at_machine(0, kernel_), "swap"); };
  const std::string head = "Filename Type Size Used Priority\n";
  put(kernel_.proc / "swaps", head);
  EXPECT_EQ(swap().said, "none");
  put(kernel_.proc / "swaps", head + "/dev/zram0 partition 1 0 100\n");
  EXPECT_EQ(swap().health, Health::kOk);
  put(kernel_.proc / "swaps", head + "/dev/sda2 partition 1 0 -2\n");
  EXPECT_EQ(swap().health, Health::kWarning);
  put(kernel_.proc / "swaps", head + "/dev/dm-1 partition 1 0 -2\n");
  put(kernel_.sys / "class" / "block" / "dm-1" / "dev", "253:7\n");
  put(kernel_.sys / "dev" / "block" / "253:7" / "dm" / "uuid", "CRYPT-PLAIN-swap\n");
  EXPECT_EQ(swap().health, Health::kOk);
}

TEST_F(StoreHealth, ComparesVersionsAsNumbers) {
  EXPECT_TRUE(older("3.40.1", "3.51.3"));
  EXPECT_TRUE(older("3.51.2", "3.51.3"));
  EXPECT_TRUE(older("3.9.0", "3.10"));
  EXPECT_FALSE(older("3.51.3", "3.51.3"));
  EXPECT_FALSE(older("4.0", "3.51.3"));
}

}  // namespace
}  // namespace residue::storage
