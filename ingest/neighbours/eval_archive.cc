#include "ingest/neighbours/eval_archive.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/neighbours/zip.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kSamples = "samples/", kShell = "/sample.json";

class EvalArchive final : public ByteSource {
 public:
  explicit EvalArchive(const std::string& path) : zip_(path) {
    const ZipArchive::Member* header = zip_.find("header.json");
    if (header == nullptr) header = zip_.find("_journal/start.json");  // of a log that is not finished
    if (header == nullptr) {
      throw Error(Code::kBadInput, fmt::format("{} is an archive, but no log of inspect_ai", shown_name(path)),
                  "name the .eval file, or unpack the archive");
    }
    parts_.push_back({"[", header});
    std::string before = ",[";
    for (const ZipArchive::Member& member : zip_.members()) {
      const std::string_view name = member.name;
      if (!name.starts_with(kSamples)) continue;
      if (name.ends_with(kShell)) {
        throw Error(Code::kBadInput, fmt::format("{} has samples in parts (version 3)", shown_name(path)),
                    "convert it: inspect log convert --to json --output-dir DIR FILE");
      }
      if (!name.ends_with(".json") || name.substr(kSamples.size()).find('/') != std::string_view::npos) continue;
      parts_.push_back({std::exchange(before, ","), &member});
    }
    parts_.push_back({before == "," ? "]]" : ",[]]", nullptr});
  }

  std::size_t read(char* to, std::size_t size) override {
    for (;;) {
      if (!pending_.empty()) {
        const std::size_t got = pending_.copy(to, size);
        pending_.erase(0, got);
        return got;
      }
      if (member_) {
        const std::size_t got = member_->read(to, size);
        if (got > 0) return got;
        member_.reset();
      }
      if (at_ == parts_.size()) return 0;
      const Part& part = parts_[at_++];
      pending_ = part.before;
      if (part.member == nullptr) continue;
      member_ = zip_.open(*part.member);
      read_ += part.member->packed;
    }
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_ == parts_.size() ? zip_.size() : read_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return zip_.size(); }

 private:
  struct Part {
    std::string before;
    const ZipArchive::Member* member;
  };
  ZipArchive zip_;
  std::vector<Part> parts_;
  std::size_t at_ = 0;
  std::uint64_t read_ = 0;
  std::string pending_;
  std::unique_ptr<ByteSource> member_;
};

}  // namespace

bool is_archive(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return false;
  char head[4] = {};
  std::ifstream file(path, std::ios::binary);
  file.read(head, sizeof head);
  return std::string_view(head, sizeof head) == "PK\x03\x04";
}

std::unique_ptr<ByteSource> open_eval_archive(const std::string& path) { return std::make_unique<EvalArchive>(path); }

}  // namespace residue::ingest
