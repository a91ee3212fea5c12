#include "page/serve/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/serve/assets.h"
#include "page/serve/connections.h"
#include "page/serve/worker.h"
#include "storage/disk/leftovers.h"
#include "text/characters/unicode.h"

namespace residue::page {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostBodyBytes = 1U << 20U;
constexpr std::size_t kHeadBytes = 32U << 10U;  // MHD refuses a longer address or longer header fields
constexpr std::size_t kMostArguments = 40;
constexpr unsigned kMostConnections = 64;
constexpr std::size_t kMostWaiting = 48;  // connections without a whole request: the rest is for those who ask
constexpr unsigned kSecondsWithoutBytes = 30;  // of who does not take his answer
constexpr std::size_t kMostWorkers = 8;
constexpr int kLookMs = 200;  // between two looks at whether to stop

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri "
    "'none'; "
    "form-action 'none'; frame-ancestors 'none'";

// --- the socket ---

int tcp_socket(std::uint16_t& port) {
  const int made = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) throw Error(Code::kIo, fmt::format("no socket: {}", std::strerror(errno)));
  const int on = 1;
  ::setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (::bind(made, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(made, 64) != 0 ||
      ::getsockname(made, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int why = errno;
    ::close(made);
    throw Error(why == EADDRINUSE || why == EACCES ? Code::kUsage : Code::kIo,
                fmt::format("port {}: {}", port, std::strerror(why)), "name another one: --port N; 0 takes a free one");
  }
  port = ntohs(address.sin_port);
  return made;
}

// Why nothing can listen there, in words that say what to do.
std::string_view remedy(int why, const sockaddr_un& address) {
  if (why == ENOENT || why == ENOTDIR) return "its folder is not there: name another one, or make it";
  if (why != EADDRINUSE) return "name a file that is not there yet";
  const int asked = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool left = asked >= 0 && ::connect(asked, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
                    errno == ECONNREFUSED;
  if (asked >= 0) ::close(asked);
  return left ? "nobody listens there, a server that was killed may have left it: remove it, or name another file"
              : "name a file that is not there yet";
}

int unix_socket(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof address.sun_path) {
    throw Error(Code::kUsage, "the name of the socket is too long", "a name of at most 107 bytes");
  }
  std::memcpy(address.sun_path, path.c_str(), path.native().size());
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) throw Error(Code::kIo, fmt::format("no socket: {}", std::strerror(errno)));
  const mode_t before = ::umask(0177);
  const bool bound = ::bind(made, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  const int why = errno;
  ::umask(before);
  if (!bound || ::listen(made, 64) != 0) {
    const int code = bound ? errno : why;
    ::close(made);
    throw Error(Code::kUsage, fmt::format("socket {}: {}", path.string(), std::strerror(code)),
                std::string(remedy(code, address)));
  }
  return made;
}

// --- what MHD says ---

std::string_view field(MHD_Connection* connection, const char* name) {
  const char* const value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

Claimed claimed_by(MHD_Connection* connection) {
  return {.host = field(connection, "Host"),
          .origin = field(connection, "Origin"),
          .site = field(connection, "Sec-Fetch-Site"),
          .cookie = field(connection, "Cookie"),
          .authorization = field(connection, "Authorization")};
}

// What says whose a request is, and how long it is, may be said once.
struct Fields {
  std::set<std::string, std::less<>> seen;
  bool good = true;
};

MHD_Result look_at_field(void* to, MHD_ValueKind /*kind*/, const char* key, std::size_t key_size, const char* value,
                         std::size_t value_size) {
  Fields& fields = *static_cast<Fields*>(to);
  const std::string name = text::lower(std::string_view(key, key_size));
  const std::string_view said = value == nullptr ? "" : std::string_view(value, value_size);
  constexpr std::array<std::string_view, 6> kOnce = {"host",           "origin",        "sec-fetch-site",
                                                     "content-length", "authorization", "transfer-encoding"};
  const bool again = std::ranges::find(kOnce, name) != kOnce.end() && !fields.seen.insert(name).second;
  if (again || said.find('\0') != std::string_view::npos) fields.good = false;
  return fields.good ? MHD_YES : MHD_NO;
}

struct Arguments {
  Request& request;
  std::size_t count = 0;
  bool good = true;
};

MHD_Result add_argument(void* to, MHD_ValueKind /*kind*/, const char* key, std::size_t key_size, const char* value,
                        std::size_t value_size) {
  Arguments& all = *static_cast<Arguments*>(to);
  const std::string_view name(key, key_size), said = value == nullptr ? "" : std::string_view(value, value_size);
  all.good = ++all.count <= kMostArguments && text::valid_utf8(name) && text::valid_utf8(said) &&
             said.find('\0') == std::string_view::npos && name.find('\0') == std::string_view::npos;
  if (all.good) all.request.query[std::string(name)] = said;
  return all.good ? MHD_YES : MHD_NO;
}

// What stands for a request until it is looked at: one whose address has a NUL, which ends what MHD hands on of it.
char cut_address;

void* look_at_address(void* /*server*/, const char* address, MHD_Connection* /*connection*/) {
  return std::strstr(address, "%00") == nullptr ? nullptr : &cut_address;
}

// Connections and what their requests have come to.
struct Asked {
  explicit Asked(MHD_Connection* of) : connection(of) {}
  MHD_Connection* connection;
  int refused = 0;          // a status: what is wrong was seen before the body came
  bool below_path = false;  // asked below Access::path()
  Request request;
  std::unique_ptr<Worker> worker;
  std::string state;  // of the store when the worker began
  std::optional<Reply> reply;
};

}  // namespace

class HttpServer::Impl {
 public:
  explicit Impl(ServerOptions options) : options_(std::move(options)), access_(listen()), used_(Clock::now()) {
    daemon_ =
        MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, options_.port, nullptr, nullptr, &Impl::handle, this,
                         MHD_OPTION_LISTEN_SOCKET, socket_, MHD_OPTION_CONNECTION_LIMIT, kMostConnections,
                         MHD_OPTION_CONNECTION_TIMEOUT, kSecondsWithoutBytes, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                         kHeadBytes, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, &Impl::completed,
                         this, MHD_OPTION_NOTIFY_CONNECTION, &Impl::connected, this, MHD_OPTION_URI_LOG_CALLBACK,
                         look_at_address, nullptr, MHD_OPTION_END);
    if (daemon_ == nullptr) {
      ::close(socket_);
      throw Error(Code::kIo, "the server cannot start", "too many files may be open");
    }
  }

  ~Impl() {
    for (Asked& asked : asked_) {
      if (asked.worker) MHD_resume_connection(asked.connection);  // MHD stops only where nothing is suspended
    }
    MHD_stop_daemon(daemon_);
    // Only what this server has made: somebody may have put another file there.
    struct stat now {};
    if (!options_.socket.empty() && ::lstat(options_.socket.c_str(), &now) == 0 && now.st_ino == made_.st_ino &&
        now.st_dev == made_.st_dev) {
      ::unlink(options_.socket.c_str());
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] std::string address() const {
    const std::string host = options_.port == 0 ? "localhost" : fmt::format("127.0.0.1:{}", options_.port);
    return fmt::format("http://{}/#{}", host, access_.token());
  }

  void run() {
    const int events = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    while (!(options_.stop && options_.stop()) && Clock::now() - used_ < options_.idle) {
      std::vector<pollfd> watched{{events, POLLIN, 0}};
      for (const Asked& asked : asked_) {
        if (asked.worker) watched.push_back({asked.worker->pipe(), POLLIN, 0});
      }
      MHD_UNSIGNED_LONG_LONG wait = kLookMs;
      if (MHD_get_timeout(daemon_, &wait) == MHD_NO) wait = kLookMs;
      ::poll(watched.data(), watched.size(), static_cast<int>(std::min<unsigned long long>(wait, kLookMs)));
      for (Asked& asked : asked_) {
        if (!asked.worker || !(asked.worker->read() || asked.worker->late())) continue;
        asked.reply = asked.worker->finish();
        keep(asked);
        asked.worker.reset();
        used_ = Clock::now();
        MHD_resume_connection(asked.connection);
      }
      connections_.end_late();
      MHD_run(daemon_);
    }
  }

 private:
  std::uint16_t listen() {
    if (options_.socket.empty()) {
      socket_ = tcp_socket(options_.port);
    } else {
      socket_ = unix_socket(options_.socket);
      leftover_.emplace(options_.socket);  // where the process is ended before it can tidy up
      ::lstat(options_.socket.c_str(), &made_);
      options_.port = 0;
    }
    return options_.port;
  }

  static MHD_Result handle(void* self, MHD_Connection* connection, const char* path, const char* method,
                           const char* /*version*/, const char* bytes, std::size_t* size, void** of) {
    Impl& server = *static_cast<Impl*>(self);
    try {
      if (const bool cut = *of == &cut_address; cut || *of == nullptr) {
        Asked& begun = server.asked_.emplace_back(connection);
        *of = &begun;
        server.begin(begun, path, method);
        if (cut && begun.refused == 0) begun.refused = 400;
        return MHD_YES;
      }
      Asked& asked = *static_cast<Asked*>(*of);
      if (*size > 0) {
        server.add_body(asked, {bytes, *size});
        *size = 0;
        return MHD_YES;
      }
      Connections::asked(kept_of(connection));
      return server.answer(asked);
    } catch (const std::exception&) {
      return MHD_NO;  // closes the connection
    }
  }

  static void connected(void* self, MHD_Connection* connection, void** of, MHD_ConnectionNotificationCode what) {
    Connections& all = static_cast<Impl*>(self)->connections_;
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
      *of = all.add(connection);
    else
      all.remove(*of);
  }

  static void* kept_of(MHD_Connection* connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
  }

  static void completed(void* self, MHD_Connection* connection, void** of, MHD_RequestTerminationCode /*how*/) {
    Connections::answered(kept_of(connection));
    if (*of == nullptr || *of == &cut_address) return;
    auto& all = static_cast<Impl*>(self)->asked_;
    all.remove_if([&](const Asked& one) { return &one == *of; });  // ends its worker
    *of = nullptr;
  }

  void begin(Asked& asked, std::string_view path, std::string_view method) const {
    Request& request = asked.request;
    request.path = path;
    request.method = method;
    Fields fields;
    MHD_get_connection_values_n(asked.connection, MHD_HEADER_KIND, look_at_field, &fields);
    if (request.path.starts_with(access_.path() + "/api/")) {
      request.path.erase(0, access_.path().size());
      asked.below_path = true;
    }
    if (!fields.good || (fields.seen.contains("content-length") && fields.seen.contains("transfer-encoding"))) {
      asked.refused = 400;
    } else if (!access_.is_ours(claimed_by(asked.connection))) {
      asked.refused = 403;
    } else if (method != "GET" && method != "POST") {
      asked.refused = 405;
    } else if (!text::valid_utf8(path) || path.find('\0') != std::string_view::npos) {
      asked.refused = 400;
    }
    Arguments arguments{request};
    MHD_get_connection_values_n(asked.connection, MHD_GET_ARGUMENT_KIND, add_argument, &arguments);
    if (!arguments.good && asked.refused == 0) asked.refused = 400;
  }

  static void add_body(Asked& asked, std::string_view bytes) {
    if (asked.request.method != "POST") asked.refused = 400;
    if (asked.refused != 0) return;
    if (asked.request.body.size() + bytes.size() > kMostBodyBytes) {
      asked.refused = 413;
      asked.request.body.clear();
      return;
    }
    asked.request.body.append(bytes);
  }

  MHD_Result answer(Asked& asked) {
    if (asked.refused != 0) return refuse(asked, asked.refused);
    if (asked.reply) return send(asked, *asked.reply);
    const Request& request = asked.request;
    if (!request.path.starts_with("/api/")) return send_asset(asked);
    if (request.path == "/api/session") return begin_session(asked);
    if (!access_.is_known(claimed_by(asked.connection), asked.below_path)) return refuse(asked, 403);
    if (request.path == "/api/change" && request.method == "GET") {
      if (options_.kept != nullptr) look_at_state();
      return send(asked, {.body = options_.change()});
    }
    used_ = Clock::now();
    const auto working = std::count_if(asked_.begin(), asked_.end(), [](const Asked& one) { return !!one.worker; });
    if (static_cast<std::size_t>(working) >= kMostWorkers) {
      return send(asked, failed(503, "there are too many questions at a time", "try again"));
    }
    if (options_.kept != nullptr) asked.state = look_at_state();
    const auto answer = [&] {
      Reply reply = options_.answer(request);
      if (options_.kept != nullptr) reply.news = options_.kept->news(kMostNewsBytes);
      return reply;
    };
    asked.worker = Worker::start(answer, options_.limit);
    if (!asked.worker) return send(asked, failed(503, "no process could be started", "try again later"));
    MHD_suspend_connection(asked.connection);
    return MHD_YES;
  }

  std::string look_at_state() {
    std::string state = options_.state();
    options_.kept->begin(state);
    return state;
  }

  void keep(Asked& asked) {
    if (options_.kept != nullptr) options_.kept->add(asked.state, asked.reply->news);
    asked.reply->news.clear();
  }

  MHD_Result begin_session(Asked& asked) const {
    if (asked.request.method != "POST") return refuse(asked, 405);
    if (!access_.is_token(asked.request.body)) return refuse(asked, 403);
    return send(asked, {.body = Json({{"path", access_.path()}}).dump()}, access_.cookie());
  }

  static MHD_Result send_asset(Asked& asked) {
    if (asked.request.method != "GET") return refuse(asked, 405);
    const std::optional<Asset> found = asset(asked.request.path);
    if (!found) return refuse(asked, 404);
    MHD_Response* const response =
        MHD_create_response_from_buffer(found->bytes.size(), const_cast<char*>(found->bytes.data()),  // NOLINT
                                        MHD_RESPMEM_PERSISTENT);
    return queue(asked, 200, response, found->type);
  }

  static MHD_Result refuse(Asked& asked, int status) { return send(asked, {.status = status, .type = "text/plain"}); }

  static MHD_Result send(Asked& asked, const Reply& reply, const std::string& cookie = {}) {
    MHD_Response* const response =
        MHD_create_response_from_buffer(reply.body.size(), const_cast<char*>(reply.body.data()),  // NOLINT: copied
                                        MHD_RESPMEM_MUST_COPY);
    if (response != nullptr && !cookie.empty()) MHD_add_response_header(response, "Set-Cookie", cookie.c_str());
    if (response != nullptr && !reply.file.empty()) {
      MHD_add_response_header(response, "Content-Disposition",
                              fmt::format("attachment; filename=\"{}\"", reply.file).c_str());
    }
    return queue(asked, reply.status, response, reply.type);
  }

  static MHD_Result queue(Asked& asked, int status, MHD_Response* response, std::string_view type) {
    if (response == nullptr) return MHD_NO;
    const std::string typed = std::string(type) + "; charset=utf-8";
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, const char*>>{{"Content-Type", typed.c_str()},
                                                                    {"Content-Security-Policy", kPolicy.data()},
                                                                    {"X-Content-Type-Options", "nosniff"},
                                                                    {"X-Frame-Options", "DENY"},
                                                                    {"Referrer-Policy", "no-referrer"},
                                                                    {"Cross-Origin-Opener-Policy", "same-origin"},
                                                                    {"Cross-Origin-Resource-Policy", "same-origin"},
                                                                    {"Cache-Control", "no-store"}}) {
      MHD_add_response_header(response, name, value);
    }
    if (status == 405) MHD_add_response_header(response, "Allow", "GET, POST");
    const MHD_Result queued = MHD_queue_response(asked.connection, static_cast<unsigned>(status), response);
    MHD_destroy_response(response);
    return queued;
  }

  ServerOptions options_;
  int socket_ = -1;
  struct stat made_ {};  // the socket's file
  std::optional<storage::Leftover> leftover_;
  Access access_;  // behind the port, which listen() finds
  Clock::time_point used_;
  std::list<Asked> asked_;
  Connections connections_{kMostWaiting, options_.patience};  // behind the options
  MHD_Daemon* daemon_ = nullptr;
};

HttpServer::HttpServer(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
HttpServer::~HttpServer() = default;
std::string HttpServer::address() const { return impl_->address(); }
void HttpServer::run() { impl_->run(); }

}  // namespace residue::page
