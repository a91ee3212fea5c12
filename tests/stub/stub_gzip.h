// Replies as gateways send them: in gzip's frame.
#pragma once

#include <string>
#include <string_view>

namespace residue::stub {

// RFC 1952, of stored blocks: every reader of gzip unpacks them.
std::string gzipped(std::string_view bytes);

}  // namespace residue::stub
