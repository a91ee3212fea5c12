#include "base/digest.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/error.h"

namespace residue {
namespace {

std::string little_endian(std::uint64_t number) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(number >> shift));
  return bytes;
}

}  // namespace

struct Sha256::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> state{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  EVP_DigestInit_ex(context_->state.get(), EVP_sha256(), nullptr);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Sha256& Sha256::add(std::string_view bytes) {
  EVP_DigestUpdate(context_->state.get(), bytes.data(), bytes.size());
  return *this;
}

std::string Sha256::finish() {
  std::string digest(kDigestBytes, '\0');
  EVP_DigestFinal_ex(context_->state.get(), reinterpret_cast<unsigned char*>(digest.data()), nullptr);
  return digest;
}

std::string sha256(std::string_view bytes) { return Sha256().add(bytes).finish(); }

std::string to_hex(std::string_view bytes) {
  static const char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1) {
    throw Error(Code::kIo, "no random numbers from the system");
  }
  return bytes;
}

void check_digest(std::string_view bytes) {
  if (bytes.size() != kDigestBytes)
    throw Error(Code::kCorrupt, "a digest that is not 32 bytes long", "restore the store from a backup");
}

void TaggedHash::put(std::string_view bytes) { message_.append(little_endian(bytes.size())).append(bytes); }

TaggedHash& TaggedHash::field(std::string_view tag, std::uint64_t number) { return field(tag, little_endian(number)); }

std::string TaggedHash::bytes() const { return sha256(message_); }

}  // namespace residue
