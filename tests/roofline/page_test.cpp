// Assembling the page, and what must not break out of it.
#include "roofline/page/assemble.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

#include "roofline/page/model.h"
#include "roofline/view/style.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

using Json = nlohmann::ordered_json;

PageParts small_parts() {
  return {"<title>{{title}}</title><style>{{style}}</style>{{data}}|{{plotly}}|{{script}}", "a{}",
          "plot()", "draw()"};
}

TEST(Page, FillsEachPlaceOnce) {
  EXPECT_EQ(assemble_page(small_parts(), "T", Json{{"a", 1}}),
            R"(<title>T</title><style>a{}</style>{"a":1}|plot()|draw())");
}

TEST(Page, DoesNotSearchWhatItFilledIn) {
  const std::string page = assemble_page(small_parts(), "{{script}}", Json{{"a", "{{script}}"}});
  EXPECT_TRUE(contains_all(page, {"<title>{{script}}</title>", R"({"a":"{{script}}"})"}));
}

TEST(Page, RefusesATemplateWithUnknownPlaces) {
  PageParts parts = small_parts();
  parts.page = "{{nowhere}}";
  EXPECT_THROW(assemble_page(parts, "", {}), std::logic_error);
  parts.page = "{{data";
  EXPECT_THROW(assemble_page(parts, "", {}), std::logic_error);
}

/// {one} is a list to one compiler, and to another the block itself.
TEST(Page, OneBlockIsAListOfOne) {
  const Json one = Json::object({{"kind", "rule"}});
  for (const Json& around :
       {page::section("id", "title", "lead", one), page::group(one), page::folded("more", one)})
    EXPECT_EQ(around["blocks"], Json::array({one})) << around;
}

TEST(Page, TitlesAreText) {
  EXPECT_EQ(html_text("<b>&\"x\"</b>"), "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;");
  EXPECT_TRUE(contains(assemble_page(small_parts(), "</title><script>", {}),
                       "<title>&lt;/title&gt;&lt;script&gt;</title>"));
}

TEST(Page, DataCannotEndItsElement) {
  const Json evil = {{"</script><script>alert(1)</script>", "<!--<script>"},
                     {"lines", "a\u2028b\u2029c"},
                     {"and", "&amp; ]]>"}};
  const std::string text = json_in_html(evil);
  for (const char* part : {"<", ">", "&", "\u2028", "\u2029"}) EXPECT_FALSE(contains(text, part));
  EXPECT_EQ(Json::parse(text), evil) << "and says the same";
}

TEST(Page, BytesThatAreNoTextStillGiveAPage) {
  EXPECT_EQ(Json::parse(json_in_html(Json{{"name", "caf\xe9"}}))["name"], "caf\uFFFD");
}

// Test vectors of RFC 4648, section 10.
TEST(Page, WritesImagesInBase64) {
  const std::string head = "data:image/svg+xml;base64,";
  EXPECT_EQ(svg_data_uri(""), head);
  EXPECT_EQ(svg_data_uri("f"), head + "Zg==");
  EXPECT_EQ(svg_data_uri("fo"), head + "Zm8=");
  EXPECT_EQ(svg_data_uri("foo"), head + "Zm9v");
  EXPECT_EQ(svg_data_uri("foob"), head + "Zm9vYg==");
  EXPECT_EQ(svg_data_uri("\xff\xfe\xfd"), head + "//79");
}

TEST(Page, SortsFilesByTheirNames) {
  PageParts parts = page_parts();
  EXPECT_TRUE(contains(parts.page, "<!DOCTYPE html>"));
  EXPECT_LT(parts.script.find("const model ="), parts.script.find("function drawChart("));
  EXPECT_LT(parts.script.find("function drawChart("), parts.script.find("\nbuildFrame();"));
  parts.add("a/b.css", "b{}");
  parts.add("c.js", "c()");
  parts.add("d.min.js", "d()");
  EXPECT_TRUE(parts.style.ends_with("b{}"));
  EXPECT_TRUE(parts.script.ends_with("c()"));
  EXPECT_EQ(parts.plotly, "d()");
}

TEST(Page, HasEachColourOnLightAndOnDarkPaper) {
  const std::string styles = colour_styles();
  for (const PaletteColour& colour : palette()) {
    const std::string name = "--" + colour.name + ": ";
    std::size_t count = 0;
    for (std::size_t at = styles.find(name); at != styles.npos; at = styles.find(name, at + 1))
      ++count;
    EXPECT_GE(count, 3u) << colour.name << ": light, chosen dark, the reader's dark";
  }
}

TEST(PageModel, GathersReasonsAndLeavesOutWhatIsNotKnown) {
  const Json reasons = page::reasons({{"no GPU", "v1"}, {"no time", "v2"}, {"no GPU", "v3"}});
  EXPECT_EQ(reasons["items"], Json::parse(R"([["no GPU", "v1, v3"], ["no time", "v2"]])"));
  EXPECT_EQ(page::facts({{"a", "1"}, {"b", ""}})["items"], Json::parse(R"([["a", "1"]])"));
  EXPECT_EQ(page::code("<b>")["html"], "<code>&lt;b&gt;</code>");
}

TEST(PageModel, TagsHoldEveryChoiceOfASwitch) {
  const Json block =
      page::with_tags(page::text("a"), {{"model", "omp"}, {"model", "cuda"}, {"level", "l2"}});
  EXPECT_EQ(block["tags"], Json::parse(R"({"model": ["omp", "cuda"], "level": ["l2"]})"));
  EXPECT_FALSE(page::with_tags(page::text("a"), {}).contains("tags"));
}

TEST(Page, NumbersKeepEveryDigit) {
  const Json numbers = {0.1, 1e-300, 24542200000LL, 1.0 / 3.0, nullptr};
  EXPECT_EQ(Json::parse(json_in_html(numbers)), numbers);
}

}  // namespace
}  // namespace roofline::test
