#include "page/html/document.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "base/json.h"

namespace residue::page {
namespace {

TEST(Html, KeepsWordsWords) {
  EXPECT_EQ(escaped("<b>\"it's\" & so</b>"), "&lt;b&gt;&quot;it&#39;s&quot; &amp; so&lt;/b&gt;");
  EXPECT_EQ(escaped("a\u202Eb\x1B"), "a\\u{202e}b\\x1b");
  Html html;
  html.element("p", "1 < 2", {{"title", "\" onclick=\""}});
  EXPECT_EQ(html.str(), "<p title=\"&quot; onclick=&quot;\">1 &lt; 2</p>\n");
}

TEST(Document, Base64IsThatOfRfc4648) {
  for (const auto& [bytes, letters] : {std::pair{"", ""},
                                       {"f", "Zg=="},
                                       {"fo", "Zm8="},
                                       {"foo", "Zm9v"},
                                       {"foob", "Zm9vYg=="},
                                       {"fooba", "Zm9vYmE="},
                                       {"foobar", "Zm9vYmFy"}}) {
    EXPECT_EQ(base64(bytes), letters);
  }
}

TEST(Document, DataTurnNoLettersAround) {
  Document page;
  page.data = "{\"a\":\"\u202Eb\u00e9\U000E0041\U0001F355\"}";
  const std::string text = document_text(page);
  EXPECT_EQ(text.find("\u202E"), std::string::npos);
  const std::size_t begin = text.find("{\"a\""), end = text.find("</script>", begin);
  EXPECT_EQ(Json::parse(text.substr(begin, end - begin)), Json::parse(page.data));
}

TEST(Document, DataCannotEndTheirElement) {
  Document page;
  page.title = "<t>";
  page.style = "p{}";
  page.data = "{\"a\":\"</script><script>\"}";
  page.scripts = {"let a;"};
  const std::string text = document_text(page);
  EXPECT_NE(text.find("{\"a\":\"\\u003c/script>\\u003cscript>\"}"), std::string::npos);
  EXPECT_NE(text.find("<title>&lt;t&gt;</title>"), std::string::npos);
  // sha256 of "p{}" and of "let a;", by openssl.
  EXPECT_NE(text.find("style-src 'sha256-"), std::string::npos);
}

}  // namespace
}  // namespace residue::page
