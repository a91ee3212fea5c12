// What users write as settings: addresses of servers and fields of requests, refused or understood.
#include <cstdint>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "model/server/endpoint.h"
#include "model/server/server_url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view words = residue::fuzz::view(data, size);
  const auto usage = [](const auto& read) {
    try {
      read();
    } catch (const residue::Error& error) {
      FUZZ_CHECK(error.code() == residue::Code::kUsage);
    }
  };
  usage([&] {
    const auto url = residue::model::parse_server_url(words);
    FUZZ_CHECK(!url.host.empty() && url.port > 0 && url.port < 65'536);
    const auto again = residue::model::parse_server_url(url.base + (url.query.empty() ? "" : "?" + url.query));
    FUZZ_CHECK(again.host == url.host && again.port == url.port && again.loopback == url.loopback);
  });
  usage([&] { (void)residue::model::parse_proxy_url(words); });
  usage([&] { (void)residue::model::body_field(words); });
  return 0;
}
