// Runs the fuzz targets of imports, profiles and pages on their seeds and on changes of them, which
// any build can repeat. A failure ends this program.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/fuzz/targets.h"
#include "tests/roofline/hostile_texts.h"
#include "tests/text.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::string> seeds(const char* folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(GPP_SOURCE_DIR "/tests/fuzz") / folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const fs::path& file : files) texts.push_back(gpp::test::file_text(file));
  return texts;
}

TEST(ImportFuzzReplay, SeedsAreAcceptedAndCutsEndNothing) {
  ASSERT_GE(seeds("import_seeds").size(), 4u);
  for (const std::string& seed : seeds("import_seeds")) {
    EXPECT_TRUE(fuzz::show_import(seed));
    for (std::size_t length = 0; length < seed.size(); length += 7)
      fuzz::show_import(seed.substr(0, length));
  }
}

/// Replaces a random cell of the text.
std::string with_another_cell(const std::string& text, std::mt19937& random) {
  static const std::vector<std::string> awkward = {
      "",     "0",     "-1", "1e300",  "1e-300", "nan", "1,234.5", "9e18", "5e-324", "100",
      "byte", "Gbyte", "%",  "second", "\"",     "\n",  "k",       "ID",   ",",      "1e24"};
  const std::string ends = ",\n\"";
  const std::size_t at = random() % text.size();
  const std::size_t begin = text.find_last_of(ends, at) + 1;  // npos + 1 is 0
  const std::size_t end = std::min(text.find_first_of(ends, begin), text.size());
  std::string changed = text;
  return changed.replace(
      begin, end - begin,
      random() % 3 == 0 ? test::hostile_text(random) : awkward[random() % awkward.size()]);
}

/// The number of changed tables per seed that are accepted and shown.
int shown_of_tables(int tables) {
  std::mt19937 random(1);
  int accepted = 0;
  for (const std::string& seed : seeds("import_seeds"))
    for (int i = 0; i < tables; ++i) {
      std::string text = seed;
      for (auto changes = 1 + random() % 2; changes > 0; --changes)
        text = with_another_cell(text, random);
      accepted += fuzz::show_import(text);
    }
  return accepted;
}

TEST(ImportFuzzReplay, ChangedCells) {
  EXPECT_GT(shown_of_tables(15), 10) << "else little was shown";
}

TEST(ImportFuzzReplay, ManyChangedCells) { EXPECT_GT(shown_of_tables(150), 100); }

TEST(ProfileFuzzReplay, SeedsAreAcceptedAndCutsRefused) {
  ASSERT_GE(seeds("profile_seeds").size(), 2u);
  for (const std::string& seed : seeds("profile_seeds")) {
    EXPECT_TRUE(fuzz::show_profile(seed));
    for (std::size_t length = 0; length + 1 < seed.size(); length += 97)
      EXPECT_FALSE(fuzz::show_profile(seed.substr(0, length)));
  }
}

/// The number of changed profiles per seed that are accepted and shown.
int shown_of_changed(int profiles) {
  std::mt19937 random(1);
  int accepted = 0;
  for (const std::string& seed : seeds("profile_seeds"))
    for (int i = 0; i < profiles; ++i) {
      json changed = json::parse(seed);
      for (auto changes = 1 + random() % 3; changes > 0; --changes)
        fuzz::change_somewhere(changed, random);
      accepted += fuzz::show_profile(changed.dump(-1, ' ', false, json::error_handler_t::replace));
    }
  return accepted;
}

TEST(ProfileFuzzReplay, ChangedProfiles) {
  EXPECT_GT(shown_of_changed(12), 3) << "else little was shown";
}

TEST(ProfileFuzzReplay, ManyChangedProfiles) { EXPECT_GT(shown_of_changed(200), 50); }

TEST(PageFuzzReplay, NothingEndsWhatItStandsIn) {
  std::mt19937 random(1);
  ASSERT_GE(seeds("page_seeds").size(), 2u);
  for (const std::string& seed : seeds("page_seeds")) {
    for (std::size_t length = 0; length <= seed.size(); ++length)
      fuzz::show_page(seed.substr(0, length));
    for (int i = 0; i < 500; ++i) {
      std::string text = seed;
      text.replace(random() % text.size(), random() % 5, test::hostile_text(random));
      fuzz::show_page(text);
    }
  }
}

}  // namespace
}  // namespace roofline
