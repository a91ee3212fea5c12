#include "page/serve/kept.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace residue::page {
namespace {

using Sizes = std::array<std::uint64_t, 2>;  // of a name, of its bytes

}  // namespace

void Kept::begin(const std::string& state) {
  if (state == state_) return;
  state_ = state;
  all_.clear();
  bytes_ = 0;
}

Kept::Bytes Kept::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, [](const One& one) { return std::string_view(one.name); });
  return found == all_.end() ? nullptr : found->bytes;
}

void Kept::keep(One one) {
  const std::size_t size = one.name.size() + one.bytes->size();
  if (size > most_ || find(one.name) != nullptr) return;
  while (bytes_ + size > most_) {
    bytes_ -= all_.back().name.size() + all_.back().bytes->size();
    all_.pop_back();
  }
  bytes_ += size;
  all_.push_front(std::move(one));
}

void Kept::put(std::string name, Bytes bytes) { keep({std::move(name), std::move(bytes), true}); }

std::string Kept::news(std::size_t most_bytes) const {
  std::string news;
  for (const One& one : all_) {
    const Sizes sizes{one.name.size(), one.bytes->size()};
    if (!one.is_new || news.size() + sizeof sizes + sizes[0] + sizes[1] > most_bytes) continue;
    news.append(reinterpret_cast<const char*>(sizes.data()), sizeof sizes);
    news += one.name;
    news += *one.bytes;
  }
  return news;
}

void Kept::add(const std::string& state, std::string_view news) {
  if (state != state_) return;
  while (!news.empty()) {
    Sizes sizes{};
    if (news.size() < sizeof sizes) return;
    std::memcpy(sizes.data(), news.data(), sizeof sizes);
    news.remove_prefix(sizeof sizes);
    if (news.size() < sizes[0] || news.size() - sizes[0] < sizes[1]) return;
    keep({std::string(news.substr(0, sizes[0])),
          std::make_shared<const std::string>(news.substr(sizes[0], sizes[1])), false});
    news.remove_prefix(sizes[0] + sizes[1]);
  }
}

}  // namespace residue::page
