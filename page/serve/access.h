// Who may ask. The address that the program prints has a token behind '#', which a browser sends to nobody; the page
// hands it in and gets a cookie. A page of another origin has neither.
//
// Browsers send the cookies of a host to all its ports. So this one belongs to a path that nobody can guess: another
// server on 127.0.0.1 never gets it.
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

  // What the browser is to keep: the value of Set-Cookie, for requests below path().
  [[nodiscard]] std::string cookie() const;
  [[nodiscard]] const std::string& path() const { return path_; }  // "/" and 32 hexadecimal digits

  // Whether the request is for this server, and not from a page of another origin.
  [[nodiscard]] bool is_ours(const Claimed& claimed) const;

  // Takes the same time however much of the token is right.
  [[nodiscard]] bool is_token(std::string_view token) const;

  // Whether the cookie is there, where the request was for path(), or, for programs, "Authorization: Bearer TOKEN".
  [[nodiscard]] bool is_known(const Claimed& claimed, bool below_path) const;

 private:
  std::uint16_t port_;
  std::string token_, session_;  // 64 hexadecimal digits each
  std::string path_;
};

}  // namespace residue::page
