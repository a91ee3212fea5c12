// Trained zstd dictionaries. A dictionary contains text of its samples: one family per PrivacyClass, never mixed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ZSTD_CDict_s;
struct ZSTD_DDict_s;

namespace residue::storage {

// When a class has collected this much new short text in one transaction, its dictionary is trained.
inline constexpr std::size_t kTrainingBytes = 256U << 10U;
inline constexpr std::size_t kTrainingTexts = 256;
inline constexpr std::size_t kDictionaryBytes = 32U << 10U;
inline constexpr std::size_t kMaxDictionaryTextBytes = 16U << 10U;  // longer texts do without

// A dictionary with the zstd dictionary ID `number`, from `samples` laid end to end; empty if they are too alike or too
// few to train on. About 4 ms for kTrainingBytes.
std::string train_dictionary(const std::string& samples, const std::vector<std::size_t>& sizes, std::uint32_t number);

// A dictionary digested for use; immutable, usable by several threads.
class Dictionary {
 public:
  // Error{corrupt} if `bytes` are not a trained dictionary with that number.
  Dictionary(std::string_view bytes, std::uint32_t number);
  ~Dictionary();
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] const ZSTD_CDict_s* encoder() const { return encoder_; }
  [[nodiscard]] const ZSTD_DDict_s* decoder() const { return decoder_; }

 private:
  std::uint32_t number_;
  ZSTD_CDict_s* encoder_ = nullptr;
  ZSTD_DDict_s* decoder_ = nullptr;
};

}  // namespace residue::storage
