#include "storage/facts/address.h"

#include <algorithm>

namespace residue::storage {

Address AddressKey::of(std::string_view text) const {
  const KeyedHash::Bytes digest = hash_.of(text);
  Address address{};
  std::copy_n(digest.begin(), address.size(), address.begin());
  return address;
}

}  // namespace residue::storage
