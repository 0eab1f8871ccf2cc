// Every page says what the records say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <vector>

#include "harness/kernel.h"
#include "tests/text.h"
#include "tools/fill_in/evidence.h"
#include "tools/fill_in/marks.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// README.md, the documents and all lessons.
std::vector<fs::path> pages() {
  const fs::path root = GPP_SOURCE_DIR;
  std::vector<fs::path> all = {root / "README.md"};
  for (const char* folder : {"docs", "lessons", "examples"})
    for (const fs::directory_entry& one : fs::recursive_directory_iterator(root / folder))
      if (one.path().extension() == ".md" && one.path() != root / "lessons/README.md")
        all.push_back(one.path());
  return all;
}

TEST(Pages, HoldTheNumbersOfTheRecords) {
  const Evidence evidence{GPP_SOURCE_DIR};
  for (const fs::path& page : pages()) {
    try {
      const std::string text = test::file_text(page);
      EXPECT_EQ(evidence.fill_in(text), text) << page << ": run scripts/reproduction";
    } catch (const AskedForLeftOut&) {  // a kernel that was not built
    } catch (const std::exception& error) {
      ADD_FAILURE() << page << ": " << error.what();
    }
  }
}

/// The first number with a unit that neither a list nor a table vouches for; code is left out.
std::string loose_quantity(const std::string& page) {
  static const std::regex code("```[^`]*```|`[^`]*`"),
      quantity(
          R"((^|[^\w.])(\d[\d.]*(e[+-]?\d+)?(%|x|\s([munk]?s|minutes|[kMGT]?B|W|J|[MG]Hz|[kMGT]?(FLOP|B)/(s|B)))(?![\w/])))");
  const std::string text = std::regex_replace(unmarked(page), code, "");
  std::smatch found;
  return std::regex_search(text, found, quantity) ? found[2].str() : "";
}

TEST(Pages, VouchForEveryQuantity) {
  EXPECT_EQ(loose_quantity("In v7 and `2 ms` of 3 bands it is 7.5 GFLOP/s."), "7.5 GFLOP/s");
  EXPECT_EQ(loose_quantity("12 ms\n<!--numbers\n12 ms = a\n-->"), "");
  for (const char* page : {"README", "docs/reproduction", "docs/roofline-primer", "docs/scaling"})
    EXPECT_EQ(loose_quantity(test::file_text(fmt::format("{}/{}.md", GPP_SOURCE_DIR, page))), "")
        << page;
}

}  // namespace
}  // namespace gpp
