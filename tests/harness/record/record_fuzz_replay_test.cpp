// Runs the record's fuzz target on its seeds and on changes of them, which any build can repeat. A
// failure ends this program.
#include <nlohmann/json.hpp>

#include <filesystem>
#include <random>

#include "tests/fuzz/json_changes.h"
#include "tests/fuzz/record_target.h"
#include "tests/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  for (const auto& entry : fs::directory_iterator(GPP_SOURCE_DIR "/tests/fuzz/record_seeds"))
    texts.push_back(test::file_text(entry.path()));
  return texts;
}

/// Texts that are not valid JSON.
TEST(RecordFuzzReplay, SeedsAreAcceptedAndBrokenOnesRefused) {
  ASSERT_GE(seeds().size(), 2u);
  for (const std::string& seed : seeds()) EXPECT_TRUE(fuzz::show_record(seed));
  for (const std::string& seed : seeds())
    for (std::size_t length = 0; length + 1 < seed.size(); length += 997)
      EXPECT_FALSE(fuzz::show_record(seed.substr(0, length)));
  for (std::string text : seeds()) {
    const std::size_t at = text.find("\"seconds\":") + 10;
    text.replace(at, text.find_first_of(",}", at) - at, "1e999");
    EXPECT_FALSE(fuzz::show_record(text));
  }
}

/// The number of changed records per seed that are accepted and shown. The generator is the same
/// everywhere.
int shown_of_changed(int records) {
  std::mt19937 random(1);
  int accepted = 0;
  for (const std::string& seed : seeds())
    for (int i = 0; i < records; ++i) {
      auto changed = nlohmann::json::parse(seed);
      roofline::fuzz::change_somewhere(changed, random);
      constexpr auto replace = nlohmann::json::error_handler_t::replace;
      accepted += fuzz::show_record(changed.dump(-1, ' ', false, replace));
    }
  return accepted;
}

TEST(RecordFuzzReplay, ChangedRecords) {
  EXPECT_GT(shown_of_changed(30), 4) << "else nothing was shown";
}

TEST(RecordFuzzReplay, ManyChangedRecords) { EXPECT_GT(shown_of_changed(150), 20); }

}  // namespace
}  // namespace gpp
