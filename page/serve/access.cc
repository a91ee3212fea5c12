#include "page/serve/access.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/digest.h"

namespace residue::page {
namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::string_view kBearer = "Bearer ";

// Looks at every byte, so that the time says nothing.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differing |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differing == 0;
}

// The value of a cookie; empty where it is not there.
std::string_view cookie_named(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const std::size_t end = cookies.find(';');
    std::string_view one = cookies.substr(0, end);
    cookies = end == std::string_view::npos ? std::string_view() : cookies.substr(end + 1);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) return one.substr(name.size() + 1);
  }
  return {};
}

std::string cookie_name(std::uint16_t port) { return fmt::format("residue-{}", port); }  // a host's ports share cookies

}  // namespace

Access::Access(std::uint16_t port)
    : port_(port),
      token_(to_hex(random_bytes(kSecretBytes))),
      session_(to_hex(random_bytes(kSecretBytes))),
      path_("/" + to_hex(random_bytes(kSecretBytes / 2))) {}

std::string Access::cookie() const {
  return fmt::format("{}={}; Path={}/; HttpOnly; SameSite=Strict", cookie_name(port_), session_, path_);
}

bool Access::is_ours(const Claimed& claimed) const {
  const auto named = [&](std::string_view name) {
    if (port_ != 0) return claimed.host == fmt::format("{}:{}", name, port_);
    // A socket is reached through a port that somebody else has chosen, such as ssh.
    std::string_view rest = claimed.host;
    if (!rest.starts_with(name)) return false;
    rest.remove_prefix(name.size());
    return rest.empty() || (rest.size() > 1 && rest.size() <= 6 && rest.front() == ':' &&
                            rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
  };
  if (!named("127.0.0.1") && !named("localhost")) return false;
  if (!claimed.origin.empty() && claimed.origin != fmt::format("http://{}", claimed.host)) return false;
  return claimed.site.empty() || claimed.site == "same-origin" || claimed.site == "none";
}

bool Access::is_token(std::string_view token) const { return same(token, token_); }

bool Access::is_known(const Claimed& claimed, bool below_path) const {
  if (below_path && same(cookie_named(claimed.cookie, cookie_name(port_)), session_)) return true;
  return claimed.authorization.starts_with(kBearer) && is_token(claimed.authorization.substr(kBearer.size()));
}

}  // namespace residue::page
