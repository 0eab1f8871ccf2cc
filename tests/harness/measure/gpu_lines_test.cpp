// gpp lines on a GPU. Skips where there is none, or where its counters are withheld.
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "gpp/study/kernel.h"
#include "harness/measure/selection.h"
#include "roofline/base/process.h"
#include "roofline/record/lines.h"
#include "roofline/recorder.h"
#include "tests/roofline/withheld.h"

namespace gpp {
namespace {

using nlohmann::json;

class GpuLines : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string reason = roofline::cupti_recorder().unavailable();
    if (!reason.empty()) GTEST_SKIP() << reason;
    const Choice choice = select_one(catalog(), GetParam(), {{"cuda"}, {}, "gpu"});
    if (choice.build == nullptr) GTEST_SKIP() << choice.reason;
  }
};

TEST_P(GpuLines, SamplesAndCountsWithNothingLost) {
  const roofline::Finished done = roofline::run_program(
      {GPP_BINARY_DIR "/gpp", "lines", GetParam(), "--model", "cuda", "--no-build", "--json"});
  ASSERT_NE(done.output, "") << done.errors;
  const json lines = json::parse(done.output);
  for (const json& lost : lines.at("lost"))
    if (roofline::test::is_withheld(lost)) GTEST_SKIP() << lost;
  EXPECT_EQ(done.status, 0) << done.errors;
  EXPECT_TRUE(lines.at("lost").empty()) << lines.at("lost");
  EXPECT_GT(lines.at("samples"), 10'000);
  EXPECT_EQ(lines.at("part"), "") << "the bundled input is small";
  EXPECT_EQ(lines.at("totals").size(), 3u) << lines.at("totals");
  for (const auto& [name, total] : lines.at("totals").items())
    EXPECT_TRUE(roofline::are_same(name, lines.at("sums").at(name), total))
        << name << ": " << lines.at("sums").at(name) << " and " << total;
  std::uint64_t inlined = 0, own = 0;
  for (const json& line : lines.at("lines")) {
    const std::uint64_t count = line.at("warp_instructions");
    if (!line.at("called_from").is_null())
      inlined += count;
    else if (line.at("file").get<std::string>().starts_with("variants/cuda/v"))
      own += count;
  }
  EXPECT_GT(inlined, 0u) << "the forms are inlined";
  EXPECT_GT(own, 0u);
}

INSTANTIATE_TEST_SUITE_P(Variants, GpuLines, testing::Values("v2", "v9", "v12"));

}  // namespace
}  // namespace gpp
