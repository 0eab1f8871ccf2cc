// Every counter of the table against every chip that CUPTI knows. Needs CUPTI, but no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "roofline/cupti/host.h"
#include "roofline/cupti/library.h"
#include "roofline/formula.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"

namespace roofline::cupti {
namespace {

/// What the chips lack, by their names. A chip that is not listed has everything.
std::set<std::string> lacking(const std::string& chip) {
  const bool volta_or_turing = chip.starts_with("GV") || chip.starts_with("TU");
  const bool blackwell = chip.starts_with("GB");
  // Systems on a chip share the processor's memory, whose traffic the GPU does not see.
  const bool shares_memory = chip == "GA10B" || chip == "GB10B" || chip == "GB20B";
  std::set<std::string> names;
  if (volta_or_turing) names.insert("fp64_tensor_flop");
  if (shares_memory) names.insert("dram_bytes");
  if (blackwell) names.insert("stall_imc_miss");
  return names;
}

class Chips : public testing::Test {
 protected:
  void SetUp() override {
    try {
      functions_ = &library().functions;
    } catch (const RecorderError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  const Functions* functions_ = nullptr;
};

TEST_F(Chips, IncludeThoseOfDataCentresAndDesks) {
  const std::vector<std::string> known = supported_chips(*functions_);
  for (const char* chip : {"GA100", "AD102", "GH100"})
    EXPECT_NE(std::find(known.begin(), known.end(), chip), known.end()) << chip;
  if (library().version >= 130000) {
    EXPECT_NE(std::find(known.begin(), known.end(), "GB100"), known.end());
  }
}

TEST_F(Chips, HaveEveryMetricButTheListedOnes) {
  int planned = 0;
  for (const std::string& chip : supported_chips(*functions_)) {
    if (chip == "GV11B") {
      // Listed by CUPTI 13.0, which then refuses it: Volta's last system on a chip.
      EXPECT_THROW(plan(*functions_, chip, {}, needed_counters()), RecorderError);
      continue;
    }
    const Plan made = plan(*functions_, chip, {}, needed_counters());
    ++planned;
    std::set<std::string> missing;
    for (const Metric& metric : metric_table())
      for (const std::string& counter : Formula(metric.formula).names())
        if (std::find(made.names.begin(), made.names.end(), counter) == made.names.end())
          missing.insert(std::string(metric.name));
    EXPECT_EQ(missing, lacking(chip)) << chip;
    EXPECT_FALSE(made.config.empty()) << chip;
    EXPECT_GE(made.passes, 1) << chip;
    // Counting all variants may take at most twelve times as long as running them.
    EXPECT_LE(made.passes, 9) << chip;
  }
  EXPECT_GE(planned, 20);
}

TEST_F(Chips, LackWhatNobodyHas) {
  const std::vector<std::string> wrong = {"no_such_counter.sum", "dram__bytes.no_such_rollup",
                                          "dram__bytes", "", "."};
  std::vector<std::string> asked = wrong;
  asked.insert(asked.begin() + 2, "dram__bytes.sum");
  asked.push_back("dram__bytes.sum");  // twice, counted once
  const Plan made = plan(*functions_, "GH100", {}, asked);
  EXPECT_EQ(made.names, std::vector<std::string>{"dram__bytes.sum"});
  std::vector<std::string> missing;
  for (const Missing& one : made.missing) {
    missing.push_back(one.name);
    EXPECT_EQ(one.reason, "GH100 has no such counter");
  }
  EXPECT_EQ(missing, wrong);
}

TEST_F(Chips, WithoutAnyKnownCounterPlanNothing) {
  const Plan made = plan(*functions_, "GH100", {}, {"no_such_counter.sum"});
  EXPECT_TRUE(made.names.empty());
  EXPECT_TRUE(made.config.empty());
  EXPECT_EQ(made.passes, 0);
  EXPECT_EQ(made.missing.size(), 1u);
}

TEST_F(Chips, UnknownToCuptiAreNamedAsSuch) {
  try {
    plan(*functions_, "XY999", {}, needed_counters());
    FAIL() << "planned for a chip that does not exist";
  } catch (const RecorderError& error) {
    EXPECT_NE(std::string(error.what()).find("does not know the GPU's chip"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace roofline::cupti
