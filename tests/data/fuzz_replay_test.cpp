// Runs the fuzz target on its seeds and on small changes of them, which any build can repeat. A
// crash or an abort ends this program.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "tests/data/sample.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

void replay(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::vector<std::string> seeds() {
  std::vector<std::string> contents;
  for (const auto& entry : fs::directory_iterator(GPP_SOURCE_DIR "/tests/fuzz/seeds"))
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

}  // namespace
}  // namespace gpp::test
