#include "page/html/modules.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "base/error.h"

namespace residue::page {
namespace {

TEST(Modules, AreJoinedInTheOrderOfTheirImports) {
  const Modules modules = {
      {"a.js", "import { b } from './b.js';\nimport { c } from './c.js';\nexport const a = b + c;\n"},
      {"b.js", "import { c } from './c.js';\nexport const b = c;\n"},
      {"c.js", "// Words.\nexport const c = 1;\n"}};
  EXPECT_EQ(joined(modules, "a.js"), "// Words.\nconst c = 1;\nconst b = c;\nconst a = b + c;\n");
  EXPECT_THROW(joined(modules, "d.js"), Error);
}

// They end in one scope.
TEST(Modules, OfThisProgramShareNoNameAndUseNoOtherFormOfImport) {
  std::set<std::string> names;
  const std::regex declared("^(?:export )?(?:const|let|class|function\\*?)\\s+([A-Za-z_$][\\w$]*)");
  for (const auto& [file, source] : web_modules()) {
    const std::string text(source);
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      std::smatch found;
      if (std::regex_search(line, found, declared)) {
        EXPECT_TRUE(names.insert(found[1]).second) << file << ": " << found[1];
      }
      if (line.starts_with("import")) {
        EXPECT_TRUE(std::regex_match(line, std::regex(R"(import \{ [\w, ]+ \} from '\./\w+\.js';)"))) << file;
      }
      EXPECT_EQ(line.find("export default"), std::string::npos) << file;
      EXPECT_EQ(line.find("</script"), std::string::npos) << file;
      EXPECT_LE(line.size(), 200U) << file;
    }
  }
  EXPECT_GT(names.size(), 20U);
}

}  // namespace
}  // namespace residue::page
