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
};

// Reads what a user wrote: with or without "/v1", with or without "/chat/completions" or "/embeddings", with or without
// a dot behind the host. A path that ends in neither gets "/v1". https, or http to loopback. Throws Error{usage}:
// another scheme, a user name or password, a query, a malformed host or port. The message does not repeat the address:
// it may hold a key. `what`: how the message calls it.
ServerUrl parse_server_url(std::string_view text, std::string_view what = "--url");

}  // namespace residue::model
