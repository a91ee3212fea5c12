#include "model/server/request.h"

#include <utility>

namespace residue::model {

HttpRequest request_to(const Transport& transport, std::uint64_t id, std::string_view call, std::string body,
                       std::string key) {
  HttpRequest request;
  request.id = id;
  request.url = transport.url + std::string(call);
  if (!transport.query.empty()) request.url += "?" + transport.query;
  request.body = std::move(body);
  request.api_key = std::move(key);
  request.key_header = transport.key_header;
  request.proxy = transport.proxy;
  return request;
}

ServerUrl receiver_of(const Transport& transport) {
  ServerUrl url = parse_server_url(transport.url);
  if (transport.proxy.empty()) return url;
  const ServerUrl proxy = stored_proxy(transport.proxy);
  url.proxy = proxy.host;
  url.proxy_loopback = proxy.loopback;
  return url;
}

}  // namespace residue::model
