// A request as an endpoint's transport wants it: its address, key header and proxy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/server/endpoint.h"
#include "model/server/http_client.h"
#include "model/server/server_url.h"

namespace residue::model {

// `call`: "/chat/completions" ...
HttpRequest request_to(const Transport& transport, std::uint64_t id, std::string_view call, std::string body,
                       std::string key);

// Who gets what is sent there: the server, and the proxy on the way.
ServerUrl receiver_of(const Transport& transport);

}  // namespace residue::model
