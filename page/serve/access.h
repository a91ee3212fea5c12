// Who may ask. The address that the program prints has a token behind '#', which a browser sends to nobody; the page
// hands it in and gets a cookie. A page of another origin has neither.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace residue::page {

// Header fields of a request that say whose it is; empty: not there.
struct Claimed {
  std::string_view host, origin, site;  // `site`: Sec-Fetch-Site
  std::string_view cookie, authorization;
};

class Access {
 public:
  // `port` 0: a Unix socket, whose address is its own. Draws token and cookie. Throws Error{io}.
  explicit Access(std::uint16_t port);

  [[nodiscard]] const std::string& token() const { return token_; }

  // What the browser is to keep: the value of Set-Cookie.
  [[nodiscard]] std::string cookie() const;

  // Whether the request is for this server, and not from a page of another origin.
  [[nodiscard]] bool is_ours(const Claimed& claimed) const;

  // In a time that does not depend on what is right of it.
  [[nodiscard]] bool is_token(std::string_view token) const;

  // Whether the cookie or, for programs, "Authorization: Bearer TOKEN" is there.
  [[nodiscard]] bool is_known(const Claimed& claimed) const;

 private:
  std::uint16_t port_;
  std::string token_, session_;  // 64 hexadecimal digits each
};

}  // namespace residue::page
