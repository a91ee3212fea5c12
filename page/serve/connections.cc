#include "page/serve/connections.h"

#include <microhttpd.h>
#include <sys/socket.h>

#include <algorithm>

namespace residue::page {

void* Connections::add(MHD_Connection* connection) {
  all_.push_back({connection, Clock::now()});
  const auto waiting = std::ranges::count_if(all_, [](const One& one) { return one.waits; });
  if (static_cast<std::size_t>(waiting) > most_) {
    const auto before = [](const One& a, const One& b) { return a.waits != b.waits ? a.waits : a.since < b.since; };
    end(*std::ranges::min_element(all_, before));
  }
  return &all_.back();
}

void Connections::asked(void* of) { static_cast<One*>(of)->waits = false; }

void Connections::answered(void* of) {
  One& one = *static_cast<One*>(of);
  one.waits = true;
  one.since = Clock::now();
}

void Connections::remove(void* of) {
  all_.remove_if([&](const One& one) { return &one == of; });
}

void Connections::end_late(Clock::time_point now) {
  for (One& one : all_) {
    if (one.waits && now - one.since >= patience_) end(one);
  }
}

void Connections::end(One& one) {
  const MHD_ConnectionInfo* const found =
      MHD_get_connection_info(one.connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (found != nullptr) ::shutdown(found->connect_fd, SHUT_RDWR);
  one.waits = false;  // MHD tells when it is gone
}

}  // namespace residue::page
