// The caches of a processor, as Linux tells them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "roofline/base/machine.h"
#include "tests/temporary_folder.h"

namespace roofline {
namespace {

class CacheFolder : public ::testing::Test {
 protected:
  void write(const std::string& index, const std::string& name, const std::string& text) {
    std::filesystem::create_directories(folder_.path() / index);
    std::ofstream(folder_.path() / index / name) << text << "\n";
  }
  void cache(const std::string& index, const std::string& type, const std::string& size) {
    write(index, "type", type);
    write(index, "level", index == "index3" ? "2" : "1");
    write(index, "size", size);
  }
  gpp::test::TemporaryFolder folder_;
};

TEST_F(CacheFolder, DataCachesAsLinuxTellsThem) {
  cache("index0", "Data", "48K");
  cache("index1", "Instruction", "32K");
  cache("index3", "Unified", "2M");
  const std::vector<DataCache> caches = data_caches(folder_.path());
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].bytes, 48.0 * 1024);
  EXPECT_EQ(caches[1].level, 2);
  EXPECT_EQ(caches[1].bytes, 2.0 * (1 << 20));
}

TEST_F(CacheFolder, WhatIsNoCacheIsPassedOver) {
  cache("index0", "Data", "-5K");
  cache("index3", "Data", "nonsense");
  EXPECT_TRUE(data_caches(folder_.path()).empty());
  EXPECT_TRUE(data_caches(folder_.path() / "missing").empty());
}

}  // namespace
}  // namespace roofline
