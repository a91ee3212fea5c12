#include "storage/facts/address.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>

#include "base/error.h"

// The EVP interface allocates for every copy of a state, which costs more than hashing a claim.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace residue::storage {

struct AddressKey::States {
  SHA256_CTX inner;
  SHA256_CTX outer;
};

AddressKey::AddressKey(std::string_view key) : states_(std::make_unique<States>()) {
  if (key.size() != 32) throw Error(Code::kInternal, "the address key must have 32 bytes");
  std::array<unsigned char, SHA256_CBLOCK> pad{};
  const auto start = [&](SHA256_CTX& state, unsigned char with) {
    pad.fill(with);
    for (std::size_t i = 0; i < key.size(); ++i) pad[i] = static_cast<unsigned char>(pad[i] ^ key[i]);
    SHA256_Init(&state);
    SHA256_Update(&state, pad.data(), pad.size());
  };
  start(states_->inner, 0x36);
  start(states_->outer, 0x5c);
  OPENSSL_cleanse(pad.data(), pad.size());
}

AddressKey::~AddressKey() { OPENSSL_cleanse(states_.get(), sizeof(States)); }

Address AddressKey::of(std::string_view text) const {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_CTX state = states_->inner;
  SHA256_Update(&state, text.data(), text.size());
  SHA256_Final(digest.data(), &state);
  state = states_->outer;
  SHA256_Update(&state, digest.data(), digest.size());
  SHA256_Final(digest.data(), &state);
  Address address{};
  std::copy_n(digest.begin(), address.size(), address.begin());
  return address;
}

}  // namespace residue::storage
