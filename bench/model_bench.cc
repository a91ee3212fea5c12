// Asking a model: durable answers per second and the client's own CPU time per request, against a server on this
// machine in a process of its own; answers counted and read again before anything is printed.
//
//   model_bench [--answers N] [--flight N]
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cpu_time.h"
#include "model/asking/answer.h"
#include "model/asking/asker.h"
#include "model/asking/vote_key.h"
#include "model/tasks/claim_support.h"
#include "storage/store.h"
#include "tests/stub/stub_server.h"

namespace residue::bench {
namespace {

using namespace residue::model;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

long peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

// Its port comes through the pipe. Forked before anything else runs here.
class Server {
 public:
  Server() {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    child_ = fork();
    if (child_ == 0) {
      const stub::Server server;
      const int port = server.port();
      if (write(ends[1], &port, sizeof port) != sizeof port) _exit(1);
      pause();
      _exit(0);
    }
    if (read(ends[0], &port_, sizeof port_) != sizeof port_) throw std::runtime_error("no server");
  }
  ~Server() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

 private:
  pid_t child_ = 0;
  int port_ = 0;
};

std::string passage(std::size_t i) {
  return "A patient of " + std::to_string(20 + i % 70) + " years, number " + std::to_string(i) +
         ", came in with a cough that had lasted for two weeks and did not respond to treatment.";
}
constexpr std::string_view kClaim = "The patient has a cough.";

Questions questions(const Endpoint& endpoint, std::size_t count) {
  const SpecDigest spec = spec_digest(support_spec(endpoint.asking, support_template()));
  const std::vector<TextDigest> claim = {text_digest(kClaim)};
  Questions all;
  for (std::size_t i = 0; i < count; ++i)
    all.list.push_back({i, vote_key(spec, text_digest(passage(i)), claim, 0), 0, 0});
  const ChatBodies bodies(endpoint.asking, support_template(), support_schema(1));
  all.body = [bodies, spec](std::size_t i, std::uint32_t) {
    const std::string text = passage(i);
    const auto messages = support_messages(support_template(), spec, text, std::span(&kClaim, 1));
    return bodies.body(0, messages.user);
  };
  all.problem = [](std::size_t, const ChatReply& reply) { return parse_support(reply.content, 1).problem; };
  return all;
}

bool measure(const Server& server, std::size_t count, std::uint32_t flight) {
  std::string name = (std::filesystem::temp_directory_path() / "residue-bench-XXXXXX").string();
  const std::filesystem::path dir = mkdtemp(name.data());
  storage::Store::create(dir / "store");
  bool good = false;
  {
    storage::Store store(dir / "store" / ".residue");
    Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "stub-model";
    endpoint.transport.url = server.url();
    endpoint.transport.concurrency = flight;
    const Questions all = questions(endpoint, count);
    Budget budget;
    const double cpu = cpu_seconds(), wall = wall_seconds();
    const AskCounts counts = ask(store, endpoint, "d", all, budget, {});
    const double cpu_used = cpu_seconds() - cpu, wall_used = wall_seconds() - wall;
    std::size_t usable = 0;
    store.facts().read()->each_answer([&](const storage::SavedAnswer& answer) {
      const Envelope envelope = decode(answer.envelope);
      usable += parse_support(read_chat(envelope.status, envelope.body).content, 1).ratings.size();
    });
    good = usable == count && counts.requests == count;
    std::printf("%zu answers, %u in flight: %.0f a second, %.0f us of CPU each; %zu saved and usable%s; peak %ld MB\n",
                count, flight, static_cast<double>(count) / wall_used, cpu_used / static_cast<double>(count) * 1e6,
                usable, good ? "" : " (WRONG)", peak_mb());
  }
  std::filesystem::remove_all(dir);
  return good;
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  std::size_t answers = 20'000;
  std::uint32_t flight = 64;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--answers") == 0) answers = std::stoul(argv[i + 1]);
    if (std::strcmp(argv[i], "--flight") == 0) flight = static_cast<std::uint32_t>(std::stoul(argv[i + 1]));
  }
  const residue::bench::Server server;
  bool good = true;
  for (const std::size_t count : {answers / 10, answers, answers})
    good = residue::bench::measure(server, count, flight) && good;
  return good ? 0 : 1;
}
