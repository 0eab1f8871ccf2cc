// Numbers as people read them.
#include "roofline/base/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace roofline {
namespace {

TEST(Units, RatesHaveDecimalPrefixes) {
  EXPECT_EQ(describe_rate(3.3428e13, "FLOP/s"), "33.43 TFLOP/s");
  EXPECT_EQ(describe_rate(4.31e12, "B/s"), "4.310 TB/s");
  EXPECT_EQ(describe_rate(9.999e11, "B/s"), "999.9 GB/s");
  EXPECT_EQ(describe_rate(5e6, "B/s"), "5.000 MB/s");
  EXPECT_EQ(describe_rate(12, "B/s"), "12 B/s");
}

TEST(Units, WorkingSetsHaveBinaryPrefixes) {
  EXPECT_EQ(describe_working_set(49152), "48 KiB");
  EXPECT_EQ(describe_working_set(2.5 * 1048576), "2.5 MiB");
  EXPECT_EQ(describe_working_set(4294967296.0), "4 GiB");
  EXPECT_EQ(describe_working_set(512), "512 B");
}

TEST(Units, OneCoreIsNotSeveral) {
  EXPECT_EQ(describe_cores(1), "1 core");
  EXPECT_EQ(describe_cores(16), "16 cores");
}

TEST(Units, Sizes) {
  EXPECT_EQ(describe_bytes(0), "0 B");
  EXPECT_EQ(describe_bytes(999), "999 B");
  EXPECT_EQ(describe_bytes(1000), "1.0 kB");
  EXPECT_EQ(describe_bytes(85048), "85 kB");
  EXPECT_EQ(describe_bytes(999'600), "1.0 MB");
  EXPECT_EQ(describe_bytes(7'692'176), "7.7 MB");
  EXPECT_EQ(describe_bytes(912'000'000), "912 MB");
  EXPECT_EQ(describe_bytes(std::numeric_limits<std::int64_t>::max()), "9.2 EB");
}

TEST(Units, ChartsHaveThreeDigits) {
  EXPECT_EQ(with_prefix(999.9e9, "B/s"), "1.00 TB/s");
  EXPECT_EQ(with_prefix(2e-6, "s"), "2.00 us");
  EXPECT_EQ(with_prefix(0, "B"), "0 B");
}

TEST(Units, MetricsAreInTheirOwnUnit) {
  EXPECT_EQ(metric_text(12.34, "%"), "12.3%");
  EXPECT_EQ(metric_text(0.5, "1"), "50.0%");
  EXPECT_EQ(metric_text(8.1e9, "B"), "8.10 GB");
  EXPECT_EQ(metric_text(3.2, "warp instruction"), "3.2 warp instructions");
  EXPECT_EQ(metric_text(5.6249, "warps per issue"), "5.62 warps per issue");
  EXPECT_EQ(with_commas(768952000), "768,952,000");
}

}  // namespace
}  // namespace roofline
