#include "page/html/modules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "base/embedded.h"
#include "base/error.h"

RESIDUE_EMBEDDED(aggregate)
RESIDUE_EMBEDDED(charts)
RESIDUE_EMBEDDED(elsewhere)
RESIDUE_EMBEDDED(interval)
RESIDUE_EMBEDDED(proof)
RESIDUE_EMBEDDED(release)
RESIDUE_EMBEDDED(sums)
RESIDUE_EMBEDDED(weights)
RESIDUE_EMBEDDED(whole)

namespace residue::page {
namespace {

constexpr std::string_view kImport = "import ", kExport = "export ", kFrom = " from './";

class Joining {
 public:
  explicit Joining(const Modules& modules) : modules_(modules) {}

  void add(std::string_view name) {
    if (!added_.insert(std::string(name)).second) return;
    const auto found = modules_.find(name);
    if (found == modules_.end()) throw Error(Code::kInternal, fmt::format("no module {}", name));
    std::string body;
    for (std::size_t at = 0; at < found->second.size();) {
      const std::size_t end = std::min(found->second.find('\n', at), found->second.size());
      std::string_view line = found->second.substr(at, end - at);
      at = end + 1;
      if (line.starts_with(kImport)) {
        const std::size_t from = line.find(kFrom) + kFrom.size();
        add(line.substr(from, line.find('\'', from) - from));
        continue;
      }
      if (line.starts_with(kExport)) line.remove_prefix(kExport.size());
      body.append(line).append("\n");
    }
    out_ += body;
  }
  [[nodiscard]] const std::string& str() const { return out_; }

 private:
  const Modules& modules_;
  std::set<std::string, std::less<>> added_;
  std::string out_;
};

}  // namespace

std::string joined(const Modules& modules, std::string_view first) {
  Joining all(modules);
  all.add(first);
  return all.str();
}

const Modules& web_modules() {
  static const Modules kModules = {{"aggregate.js", embedded_aggregate()}, {"charts.js", embedded_charts()},
                                   {"elsewhere.js", embedded_elsewhere()}, {"interval.js", embedded_interval()},
                                   {"proof.js", embedded_proof()},         {"release.js", embedded_release()},
                                   {"sums.js", embedded_sums()},           {"weights.js", embedded_weights()},
                                   {"whole.js", embedded_whole()}};
  return kModules;
}

}  // namespace residue::page
