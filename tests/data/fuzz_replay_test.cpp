// Runs the fuzz targets of gpp214 files and of records on their seeds and on small changes of them,
// which any build can repeat. A crash or an abort ends this program.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/data/sample.h"
#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

void replay(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::vector<std::string> seeds(const std::string& folder = "seeds") {
  std::vector<std::string> contents;
  for (const auto& entry : fs::directory_iterator(GPP_SOURCE_DIR "/tests/fuzz/" + folder))
    contents.push_back(file_text(entry.path()));
  return contents;
}

TEST(FuzzReplay, SeedsAreValidInputsAndPrefixesHarmless) {
  ASSERT_GE(seeds().size(), 4u);
  for (const std::string& seed : seeds()) {
    EXPECT_EQ(refusal(seed), "");
    replay(seed);
  }
  for (const std::string& seed : seeds())
    for (std::size_t length = 0; length < seed.size(); ++length) replay(seed.substr(0, length));
}

/// Replaces up to four 32-bit words by awkward or random ones; the generator is the same
/// everywhere.
TEST(FuzzReplay, ChangedWords) {
  std::mt19937 random(1);
  const std::vector<std::uint32_t> awkward = {0,          1,          20,         0x7fffffff,
                                              0x80000000, 0xffffffff, 0x7ff00000, 0xfffffff8};
  for (const std::string& seed : seeds())
    for (int change = 0; change < 500; ++change) {
      std::string bytes = seed;
      for (auto word = random() % 4; word < 4; ++word) {
        const std::size_t at = random() % (bytes.size() / 4) * 4;
        const std::uint32_t value =
            random() % 4 == 0 ? static_cast<std::uint32_t>(random()) : awkward[random() % 8];
        bytes = with(std::move(bytes), at, value);
      }
      replay(bytes);
    }
}

// ---- Records ------------------------------------------------------------------------------------

/// Texts that are not valid JSON.
TEST(RecordFuzzReplay, SeedsAreAcceptedAndBrokenOnesRefused) {
  ASSERT_GE(seeds("record_seeds").size(), 2u);
  for (std::string text : seeds("record_seeds")) {
    EXPECT_TRUE(fuzz::show_record(text));
    for (std::size_t length = 0; length + 1 < text.size(); length += 997)
      EXPECT_FALSE(fuzz::show_record(text.substr(0, length)));
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
  for (const std::string& seed : seeds("record_seeds"))
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
}  // namespace gpp::test
