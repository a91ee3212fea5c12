// Addresses of model servers: one form for all the ways in which people write them.
#pragma once

#include <string>
#include <string_view>

namespace residue::model {

struct ServerUrl {
  std::string base;       // "https://host[:port]/path", up to the version ("/v1"), no slash at its end
  std::string host;       // lower case, without port and brackets: what egress is allowed for
  int port = 0;           // the scheme's own where none was written
  bool loopback = false;  // localhost, 127.0.0.0/8, ::1: nothing leaves this machine
  std::string query;      // "api-version=2024-10-21"; empty: none
  std::string proxy;      // host of the proxy on the way; empty: none
  bool proxy_loopback = false;
};

// "models.example.org", "models.example.org via proxy.example.org": as plans and the ledger name it.
std::string receiver_name(const ServerUrl& url);

// Reads what a user wrote: with or without "/v1", with or without "/chat/completions", "/embeddings" or "/models", with
// or without a dot behind the host. Calls of other interfaces ("/v1/responses") are refused, and whatever else stands
// behind a version. A path that ends in neither gets "/v1", but for ".../v1beta/openai" (Gemini) and
// "/openai/deployments/NAME" (Azure), which needs the one query that is taken: "?api-version=VERSION". https, or http
// to loopback. Throws Error{usage}: another scheme, a user name or password, another query, a malformed host or port.
// The message does not repeat the address: it may hold a key. `what`: how the message calls it.
ServerUrl parse_server_url(std::string_view text, std::string_view what = "--url");

// "http://host:port" or "https://host:port" alone: what goes through it is encrypted for the server. `base` always has
// the port. Error{usage} as above, and without a port.
ServerUrl parse_proxy_url(std::string_view text);

// The same as it was stored: earlier versions left a port out that is the scheme's own.
ServerUrl stored_proxy(std::string_view base);

}  // namespace residue::model
