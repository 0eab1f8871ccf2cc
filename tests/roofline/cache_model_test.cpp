// The model of caches on accesses whose traffic is known.
#include "roofline/trace/cache_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/temporary_folder.h"

namespace roofline {
namespace {

/// 1 KiB of 2 ways, then 8 KiB of 4: lines of 64 bytes.
CacheModel two_levels() { return CacheModel({{1, 1024, 2, 64}, {2, 8192, 4, 64}}); }

void read_all(CacheModel& caches, std::uint64_t bytes) {
  for (std::uint64_t address = 0; address < bytes; address += 8) caches.access(address, 8, false);
}

TEST(CacheModel, AStreamComesOnceThroughEveryLevel) {
  CacheModel caches = two_levels();
  read_all(caches, 64 * 1024);
  EXPECT_EQ(caches.moved(), 64 * 1024);
  EXPECT_EQ(caches.moved_behind(0), 64 * 1024);
  EXPECT_EQ(caches.moved_behind(1), 64 * 1024);
}

TEST(CacheModel, WhatFitsALevelIsFetchedOnce) {
  CacheModel caches = two_levels();
  for (int pass = 0; pass < 10; ++pass) read_all(caches, 4096);
  EXPECT_EQ(caches.moved(), 10 * 4096);
  EXPECT_EQ(caches.moved_behind(0), 10 * 4096) << "too large for the first level";
  EXPECT_EQ(caches.moved_behind(1), 4096) << "the second one holds it";
}

TEST(CacheModel, TheLineUsedLongestAgoLeaves) {
  CacheModel caches({{1, 128, 2, 64}});  // one set of two lines
  for (const std::uint64_t line : {0, 1, 0, 2, 0}) caches.access(64 * line, 1, false);
  EXPECT_EQ(caches.moved_behind(0), 3 * 64) << "line 1 left for line 2; line 0 stayed";
}

TEST(CacheModel, LinesOfOneSetPushEachOtherOut) {
  CacheModel caches({{1, 1024, 2, 64}});  // 8 sets
  for (int pass = 0; pass < 4; ++pass)
    for (const std::uint64_t line : {0, 8, 16}) caches.access(64 * line, 8, false);
  EXPECT_EQ(caches.moved_behind(0), 12 * 64) << "three lines, one set of two ways";
}

TEST(CacheModel, ChangedLinesGoBackOnce) {
  CacheModel caches = two_levels();
  for (std::uint64_t address = 0; address < 512; address += 8) caches.access(address, 8, true);
  EXPECT_EQ(caches.moved_behind(0), 512) << "fetched, not yet written back";
  caches.write_back();
  EXPECT_EQ(caches.moved_behind(0), 2 * 512);
  EXPECT_EQ(caches.moved_behind(1), 2 * 512);
  caches.write_back();
  EXPECT_EQ(caches.moved_behind(1), 2 * 512);
}

TEST(CacheModel, AnAccessAcrossALineTouchesBoth) {
  CacheModel caches({{1, 1024, 2, 64}});
  caches.access(60, 8, false);
  EXPECT_EQ(caches.moved(), 8);
  EXPECT_EQ(caches.moved_behind(0), 128);
}

class CacheFolder : public ::testing::Test {
 protected:
  void write(const std::string& index, const std::string& name, const std::string& text) {
    std::filesystem::create_directories(folder_.path() / index);
    std::ofstream(folder_.path() / index / name) << text << "\n";
  }
  void cache(const std::string& index, const std::string& type, const std::string& size,
             const std::string& ways) {
    write(index, "type", type);
    write(index, "level", index == "index3" ? "2" : "1");
    write(index, "size", size);
    write(index, "ways_of_associativity", ways);
    write(index, "coherency_line_size", "64");
  }
  gpp::test::TemporaryFolder folder_;
};

TEST_F(CacheFolder, DataCachesAsLinuxTellsThem) {
  cache("index0", "Data", "48K", "12");
  cache("index1", "Instruction", "32K", "8");
  cache("index3", "Unified", "2M", "16");
  const std::vector<CacheShape> caches = host_caches(folder_.path());
  ASSERT_EQ(caches.size(), 2u);
  EXPECT_EQ(caches[0].bytes, 48u * 1024);
  EXPECT_EQ(caches[0].ways, 12);
  EXPECT_EQ(caches[1].level, 2);
  EXPECT_EQ(caches[1].bytes, 2u << 20);
}

TEST_F(CacheFolder, WhatIsNoCacheIsPassedOver) {
  cache("index0", "Data", "-5K", "12");
  cache("index1", "Data", "48K", "0");
  cache("index2", "Data", "99999999999999999999K", "8");
  cache("index3", "Data", "nonsense", "8");
  EXPECT_TRUE(host_caches(folder_.path()).empty());
  EXPECT_TRUE(host_caches(folder_.path() / "missing").empty());
}

}  // namespace
}  // namespace roofline
