#define ZDICT_STATIC_LINKING_ONLY
#include "storage/facts/dictionary.h"

#include <zdict.h>
#include <zstd.h>

#include <new>

#include "base/error.h"

namespace residue::storage {

namespace {
constexpr int kLevel = 1;
}

std::string train_dictionary(const std::string& samples, const std::vector<std::size_t>& sizes, std::uint32_t number) {
  ZDICT_fastCover_params_t parameters{};
  parameters.k = 200;
  parameters.d = 8;
  parameters.f = 18;
  parameters.accel = 2;
  parameters.zParams.compressionLevel = kLevel;
  parameters.zParams.dictID = number;
  std::string dictionary(kDictionaryBytes, '\0');
  const std::size_t size =
      ZDICT_trainFromBuffer_fastCover(dictionary.data(), dictionary.size(), samples.data(), sizes.data(),
                                      static_cast<unsigned>(sizes.size()), parameters);
  if (ZDICT_isError(size) != 0U) return {};
  dictionary.resize(size);
  return dictionary;
}

Dictionary::Dictionary(std::string_view bytes, std::uint32_t number) : number_(number) {
  if (number == 0 || ZDICT_getDictID(bytes.data(), bytes.size()) != number) {
    throw Error(Code::kCorrupt, "dictionary " + std::to_string(number) + " of facts/ is damaged",
                "restore the store from a backup");
  }
  encoder_ = ZSTD_createCDict(bytes.data(), bytes.size(), kLevel);
  decoder_ = ZSTD_createDDict(bytes.data(), bytes.size());
  if (encoder_ == nullptr || decoder_ == nullptr) {
    ZSTD_freeCDict(encoder_);
    ZSTD_freeDDict(decoder_);
    throw Error(Code::kCorrupt, "dictionary " + std::to_string(number) + " of facts/ cannot be loaded",
                "restore the store from a backup");
  }
}

Dictionary::~Dictionary() {
  ZSTD_freeCDict(encoder_);
  ZSTD_freeDDict(decoder_);
}

}  // namespace residue::storage
