// Every page says what the records say.
#include <filesystem>

#include "harness/kernel.h"
#include "tests/text.h"
#include "tools/fill_in/evidence.h"
#include "tools/fill_in/marks.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// README.md, the documents, the gallery and all lessons.
std::vector<fs::path> pages() {
  const fs::path root = GPP_SOURCE_DIR;
  std::vector<fs::path> all = {root / "README.md", root / "results/README.md"};
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

TEST(Pages, VouchForEveryNumberThatLooksMeasured) {
  for (const fs::path& page : pages())
    EXPECT_EQ(unsourced(test::file_text(page)), "") << page << ": list it (tools/fill_in/marks.h)";
}

}  // namespace
}  // namespace gpp
