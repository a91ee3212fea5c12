#include "query/sql/levels/id_set.h"

#include <cstddef>
#include <cstring>

namespace residue::query {
namespace {

constexpr std::int64_t kBits = 4'096;
constexpr std::size_t kBytes = kBits / 8;

}  // namespace

std::string IdSet::bytes_of(const std::vector<std::int64_t>& ids) {
  std::vector<std::int64_t> numbers;
  std::string bits;
  for (const std::int64_t id : ids) {
    if (numbers.empty() || numbers.back() != id / kBits) {
      numbers.push_back(id / kBits);
      bits.append(kBytes, '\0');
    }
    const auto bit = static_cast<std::size_t>(id % kBits);
    char& byte = bits[bits.size() - kBytes + bit / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | (1U << (bit % 8)));
  }
  const std::uint64_t count = numbers.size();
  std::string bytes(reinterpret_cast<const char*>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]);
  return bytes + bits;
}

IdSet::IdSet(std::string_view bytes) : numbers_(bytes.data() + sizeof count_) {
  std::memcpy(&count_, bytes.data(), sizeof count_);
  bits_ = numbers_ + count_ * sizeof(std::int64_t);
}

bool IdSet::contains(std::int64_t id) const {
  if (id < 0) return false;
  const std::int64_t wanted = id / kBits;
  std::uint64_t first = 0, last = count_;
  while (first < last) {
    const std::uint64_t middle = (first + last) / 2;
    std::int64_t number = 0;
    std::memcpy(&number, numbers_ + middle * sizeof number, sizeof number);
    if (number == wanted) {
      const auto bit = static_cast<std::size_t>(id % kBits);
      return (static_cast<unsigned char>(bits_[middle * kBytes + bit / 8]) >> (bit % 8) & 1U) != 0;
    }
    (number < wanted ? first : last) = number < wanted ? middle + 1 : middle;
  }
  return false;
}

}  // namespace residue::query
