#include "base/keyed_hash.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "base/error.h"

// The EVP interface allocates for every copy of a state, which costs more than hashing a claim.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace residue {

struct KeyedHash::States {
  SHA256_CTX inner;
  SHA256_CTX outer;

  ~States() { OPENSSL_cleanse(this, sizeof(States)); }
};

KeyedHash::KeyedHash(std::string_view key) : states_(std::make_unique<States>()) {
  if (key.size() != kDigestBytes) throw Error(Code::kInternal, "a key must have 32 bytes");
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

KeyedHash::~KeyedHash() = default;
KeyedHash::KeyedHash(KeyedHash&&) noexcept = default;
KeyedHash& KeyedHash::operator=(KeyedHash&&) noexcept = default;

KeyedHash::Bytes KeyedHash::of(std::string_view message, std::string_view rest) const {
  Bytes digest{};
  auto* const bytes = reinterpret_cast<unsigned char*>(digest.data());
  SHA256_CTX state = states_->inner;
  SHA256_Update(&state, message.data(), message.size());
  SHA256_Update(&state, rest.data(), rest.size());
  SHA256_Final(bytes, &state);
  state = states_->outer;
  SHA256_Update(&state, digest.data(), digest.size());
  SHA256_Final(bytes, &state);
  return digest;
}

}  // namespace residue
