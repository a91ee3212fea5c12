#include "model/server/http_client.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "model/server/libcurl.h"

namespace residue::model {
namespace {

struct EasyDeleter {
  void operator()(CURL* easy) const { libcurl().easy_cleanup(easy); }
};
struct ListDeleter {
  void operator()(curl_slist* list) const { libcurl().slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, EasyDeleter>;
using List = std::unique_ptr<curl_slist, ListDeleter>;

void append(List& list, const std::string& line) {
  curl_slist* longer = libcurl().slist_append(list.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  (void)list.release();
  list.reset(longer);
}

constexpr std::size_t kKeptOfLargeReply = 4'096;

// One request on its way. Stays where it is: libcurl holds its address.
struct Exchange {
  HttpRequest request;
  std::size_t sent = 0;
  std::string reply;
  std::size_t reply_limit = 0;
  bool too_large = false;
  List headers, resolve;
  Easy easy;
};

std::size_t give_body(char* buffer, std::size_t size, std::size_t count, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  const std::size_t bytes = std::min(size * count, exchange.request.body.size() - exchange.sent);
  std::memcpy(buffer, exchange.request.body.data() + exchange.sent, bytes);
  exchange.sent += bytes;
  return bytes;
}

std::size_t take_reply(char* bytes, std::size_t size, std::size_t count, void* user) {
  auto& exchange = *static_cast<Exchange*>(user);
  if (exchange.reply.size() + size * count > exchange.reply_limit) {
    exchange.too_large = true;
    return 0;
  }
  exchange.reply.append(bytes, size * count);
  return size * count;
}

template <class Value>
void set(CURL* easy, CURLoption option, Value value) {
  if (libcurl().easy_setopt(easy, option, value) != CURLE_OK) {
    throw Error(Code::kInternal, "libcurl does not know an option that is needed", "install libcurl 7.85 or newer");
  }
}

struct Meaning {
  Delivery delivery = Delivery::kMaybeSent;
  std::string words;
};

// What the proxy's answer to CONNECT means. 407 and most others of 4xx: it never lets us through. 408, 425, 429, 5xx
// and the rest: try again later.
Meaning no_tunnel(long status) {
  constexpr std::array<long, 3> kLater{408, 425, 429};
  const std::string code = " (HTTP " + std::to_string(status) + ")";
  if (status == 407) return {Delivery::kRefusedByProxy, "the proxy wants a password" + code};
  const bool refuses = status >= 400 && status < 500 && std::ranges::find(kLater, status) == kLater.end();
  if (refuses) return {Delivery::kRefusedByProxy, "the proxy does not let this through" + code};
  return {Delivery::kNotSent, "the proxy makes no connection" + code};
}

// The file of certificate authorities that the environment names; null: the system's are meant.
const char* named_authorities() {
  const char* file = std::getenv("SSL_CERT_FILE");
  return file == nullptr || *file == '\0' ? nullptr : file;
}

// What a failed transfer means, and a word for it. Anything not known to be harmless may have reached the server.
Meaning meaning(CURLcode code, CURL* easy) {
  long tunnel = 0;
  libcurl().easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &tunnel);
  if (tunnel != 0 && (tunnel < 200 || tunnel > 299)) return no_tunnel(tunnel);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {Delivery::kNotSent, "the host is not known"};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {Delivery::kNotSent, "the proxy's host is not known"};
    case CURLE_PROXY:
      return {Delivery::kNotSent, "the proxy makes no connection"};
    case CURLE_COULDNT_CONNECT:
      return {Delivery::kNotSent, "nobody answers at this address"};
    case CURLE_SSL_CONNECT_ERROR:
      return {Delivery::kNotSent, "no secure connection"};
    case CURLE_SSL_CACERT_BADFILE:
      if (named_authorities() != nullptr)
        return {Delivery::kUntrusted, "the file that SSL_CERT_FILE names has no certificates that can be read"};
      return {Delivery::kUntrusted, "this machine knows no certificate authorities: install ca-certificates"};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR: {
      long proxy = 0;
      libcurl().easy_getinfo(easy, CURLINFO_PROXY_SSL_VERIFYRESULT, &proxy);
      return {Delivery::kUntrusted,
              proxy != 0 ? "the proxy's certificate is not trusted" : "the server's certificate is not trusted"};
    }
    case CURLE_OPERATION_TIMEDOUT: {
      curl_off_t ready = 0;
      libcurl().easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &ready);
      return {ready > 0 ? Delivery::kMaybeSent : Delivery::kNotSent, "timed out"};
    }
    case CURLE_PARTIAL_FILE:
      return {Delivery::kMaybeSent, "the reply was cut off"};
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_SEND_FAIL_REWIND:
      return {Delivery::kMaybeSent, "the connection was closed"};
    case CURLE_BAD_CONTENT_ENCODING:
      return {Delivery::kMaybeSent, "the reply cannot be unpacked"};
    case CURLE_WRITE_ERROR:
      return {Delivery::kMaybeSent, "the reply is too large"};
    default:
      return {Delivery::kMaybeSent, "the exchange failed"};
  }
}

bool names_localhost(const std::string& url) {
  const std::size_t at = url.find("://");
  return at != std::string::npos && url.compare(at + 3, 9, "localhost") == 0 &&
         url.find_first_of(":/", at + 3) == at + 12;
}

std::string port_of(const std::string& url) {
  const std::size_t begin = url.find("://") + 12;
  if (url[begin] != ':') return url.starts_with("https") ? "443" : "80";
  return url.substr(begin + 1, url.find('/', begin) - begin - 1);
}

}  // namespace

struct HttpClient::Impl {
  explicit Impl(HttpLimits how) : limits(how) {
    multi = libcurl().multi_init();
    if (multi == nullptr) throw std::bad_alloc();
  }
  ~Impl() {
    for (auto& [easy, exchange] : exchanges) libcurl().multi_remove_handle(multi, easy);
    exchanges.clear();
    libcurl().multi_cleanup(multi);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  HttpReply finish(CURL* easy, CURLcode code);

  HttpLimits limits;
  CURLM* multi = nullptr;
  std::unordered_map<CURL*, std::unique_ptr<Exchange>> exchanges;
};

HttpReply HttpClient::Impl::finish(CURL* easy, CURLcode code) {
  const auto found = exchanges.find(easy);
  Exchange& exchange = *found->second;
  HttpReply reply;
  reply.id = exchange.request.id;
  curl_off_t micros = 0;
  libcurl().easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &micros);
  reply.ms = micros / 1000;
  // A reply beyond the limit was given, and has to be paid: its beginning is kept, and cannot be used.
  if (exchange.too_large) exchange.reply.resize(std::min(exchange.reply.size(), kKeptOfLargeReply));
  if (code == CURLE_OK || exchange.too_large) {
    long status = 0;
    libcurl().easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_off_t after = 0;
    libcurl().easy_getinfo(easy, CURLINFO_RETRY_AFTER, &after);
    if (after > 0) reply.retry_after_s = after;
    reply.delivery = Delivery::kAnswered;
    reply.untouched = exchange.sent == 0;
    reply.status = static_cast<int>(status);
    reply.body = std::move(exchange.reply);
  } else {
    Meaning meant = meaning(code, easy);
    const bool not_sent = meant.delivery == Delivery::kMaybeSent && exchange.sent == 0;
    reply.delivery = not_sent ? Delivery::kNotSent : meant.delivery;
    reply.reason = std::move(meant.words);
  }
  libcurl().multi_remove_handle(multi, easy);
  exchanges.erase(found);
  return reply;
}

HttpClient::HttpClient(HttpLimits limits) : impl_(std::make_unique<Impl>(limits)) {}
HttpClient::~HttpClient() = default;

std::size_t HttpClient::in_flight() const { return impl_->exchanges.size(); }

void HttpClient::start(HttpRequest request) {
  auto exchange = std::make_unique<Exchange>();
  exchange->request = std::move(request);
  exchange->reply_limit = impl_->limits.reply_bytes;
  exchange->easy.reset(libcurl().easy_init());
  CURL* easy = exchange->easy.get();
  if (easy == nullptr) throw std::bad_alloc();
  append(exchange->headers, "Content-Type: application/json");
  append(exchange->headers, "Accept: application/json");
  append(exchange->headers, "Expect:");  // no second round for a long body
  if (!exchange->request.api_key.empty()) {
    const std::string& header = exchange->request.key_header;
    append(exchange->headers, (header.empty() ? "Authorization: Bearer " : header + ": ") + exchange->request.api_key);
    if (header == "x-api-key") append(exchange->headers, "anthropic-version: 2023-06-01");
  }
  const std::string& url = exchange->request.url;
  const std::string& proxy = exchange->request.proxy;
  for (const std::string& place : {url, proxy}) {
    if (names_localhost(place)) append(exchange->resolve, "localhost:" + port_of(place) + ":127.0.0.1,::1");
  }
  if (exchange->resolve) set(easy, CURLOPT_RESOLVE, exchange->resolve.get());
  set(easy, CURLOPT_URL, url.c_str());
  set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  set(easy, CURLOPT_PROXY, proxy.c_str());
  set(easy, CURLOPT_NOPROXY, proxy.empty() ? "*" : "");
  set(easy, CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));  // the key is none of the proxy's
  if (const char* file = named_authorities()) {
    set(easy, CURLOPT_CAINFO, file);
    set(easy, CURLOPT_PROXY_CAINFO, file);
  }
  set(easy, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  set(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");  // gateways compress unasked: what comes so is unpacked
  set(easy, CURLOPT_NOSIGNAL, 1L);
  set(easy, CURLOPT_POST, 1L);
  set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(exchange->request.body.size()));
  set(easy, CURLOPT_READFUNCTION, give_body);
  set(easy, CURLOPT_READDATA, exchange.get());
  set(easy, CURLOPT_WRITEFUNCTION, take_reply);
  set(easy, CURLOPT_WRITEDATA, exchange.get());
  set(easy, CURLOPT_HTTPHEADER, exchange->headers.get());
  set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(impl_->limits.connect_ms));
  set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(impl_->limits.total_ms));
  if (libcurl().multi_add_handle(impl_->multi, easy) != CURLM_OK) throw std::bad_alloc();
  impl_->exchanges.emplace(easy, std::move(exchange));
}

std::vector<HttpReply> HttpClient::wait(int ms) {
  std::vector<HttpReply> replies;
  const auto work = [&] {
    int running = 0;
    libcurl().multi_perform(impl_->multi, &running);
    int left = 0;
    while (const CURLMsg* message = libcurl().multi_info_read(impl_->multi, &left)) {
      if (message->msg == CURLMSG_DONE) replies.push_back(impl_->finish(message->easy_handle, message->data.result));
    }
  };
  work();
  if (!replies.empty()) return replies;
  libcurl().multi_poll(impl_->multi, nullptr, 0, ms, nullptr);
  work();
  return replies;
}

}  // namespace residue::model
