// Every counter of the table against every chip that CUPTI knows. Needs CUPTI, but no GPU.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "roofline/cupti/host_api.h"
#include "roofline/cupti/library.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"
#include "tests/text.h"

namespace roofline::cupti {
namespace {

/// Names by chip: "GV100: a.sum b.sum" is a line. A chip that is not listed has everything.
using ByChip = std::map<std::string, std::set<std::string>>;

ByChip read_list(std::istream& stream) {
  ByChip list;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("#") || colon == std::string::npos) continue;
    std::istringstream names(line.substr(colon + 2));
    list[line.substr(0, colon)] = {std::istream_iterator<std::string>(names), {}};
  }
  return list;
}

std::string line_of(const std::set<std::string>& names) {
  std::string line;
  for (const std::string& name : names) line += " " + name;
  return line;
}

/// Every counter of the table, of alternatives and of what is counted only at times, too.
std::vector<std::string> every_counter() {
  std::set<std::string> names;
  for (const Metric& metric : metric_table())
    for (const std::string& name : counters_of(metric)) names.insert(name);
  return {names.begin(), names.end()};
}

/// Those that only a GPU can tell, which are sampled, are left to it.
std::set<std::string> absent_on(const HostApi& host) {
  std::set<std::string> absent;
  for (const std::string& name : every_counter())
    if (!counted_by_sampling(name) && !host.knows(name)) absent.insert(name);
  return absent;
}

/// Metrics none of whose formulas the chip can fill.
std::set<std::string> lacking(const std::set<std::string>& absent) {
  Counters all;
  for (const std::string& name : every_counter())
    if (!absent.contains(name)) all[name] = 1;
  const Metrics had = roofline::evaluate(all);
  std::set<std::string> names;
  for (const Metric& metric : metric_table())
    if (!had.contains(metric.name)) names.insert(metric.name);
  return names;
}

/// Listed by CUPTI 13.0, which then refuses it: Volta's last system on a chip.
constexpr const char* refused = "GV11B";

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

TEST_F(Chips, LackTheCountersOfTheListAndNoOthers) {
  std::ifstream stream(GPP_SOURCE_DIR "/tests/roofline/chips_lack.txt");
  const ByChip listed = read_list(stream);
  ASSERT_FALSE(listed.empty());
  int asked = 0;
  for (const std::string& chip : supported_chips(*functions_)) {
    if (chip == refused) continue;
    ++asked;
    const std::set<std::string> absent = absent_on(HostApi(*functions_, chip));
    const auto known = listed.find(chip);
    const std::set<std::string> expected =
        known == listed.end() ? std::set<std::string>() : known->second;
    EXPECT_EQ(absent, expected) << "the line of the list would be\n"
                                << chip << ":" << line_of(absent);
  }
  EXPECT_GE(asked, 20);
}

TEST_F(Chips, HaveEveryMetricButTheListedOnes) {
  for (const std::string& chip : supported_chips(*functions_)) {
    if (chip == refused) continue;
    for (const std::string& name : lacking(absent_on(HostApi(*functions_, chip)))) {
      const bool old = chip.starts_with("GV") || chip.starts_with("TU");
      // Systems on a chip share the processor's memory, whose traffic the GPU does not see.
      const bool shares_memory = chip == "GA10B" || chip == "GB10B" || chip == "GB20B";
      const bool fine = (name.starts_with("dram_") && shares_memory) ||
                        (name == "fp8_tensor_flop" && (old || chip.starts_with("GA"))) ||
                        (name.ends_with("_tensor_flop") && old) || name == "int8_tensor_op";
      EXPECT_TRUE(fine) << chip << " has no " << name;
    }
  }
}

TEST_F(Chips, CountInFewPasses) {
  for (const std::string& chip : supported_chips(*functions_)) {
    if (chip == refused) {
      EXPECT_THROW(plan(*functions_, chip, {}, needed_counters()), RecorderError);
      continue;
    }
    const Plan made = plan(*functions_, chip, {}, needed_counters());
    EXPECT_FALSE(made.config.empty()) << chip;
    EXPECT_GE(made.passes, 1) << chip;
    EXPECT_LE(made.passes, 6) << chip;
    EXPECT_LE(plan(*functions_, chip, {}, further_counters({})).passes, 9) << chip;
  }
}

TEST_F(Chips, HopperCountsFp64WorkInFiveRuns) {
  std::vector<std::string> hardware = needed_counters(), software = needed_counters();
  std::erase_if(hardware, counted_by_software);
  hardware.emplace_back("smsp__issue_active.sum");
  std::erase_if(software, [](const std::string& name) { return !counted_by_software(name); });
  const auto passes = [this](const std::vector<std::string>& names) {
    return plan(*functions_, "GH100", {}, names).passes;
  };
  const int sampled = 1;
  EXPECT_LE(
      sampled + passes(hardware) + passes(kernel_counters({{"fp64_flop", 1.0}})) + passes(software),
      5);
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
  EXPECT_TRUE(gpp::test::contains(gpp::test::thrown<RecorderError>([this] {
                                    plan(*functions_, "XY999", {}, needed_counters());
                                  }),
                                  "does not know the GPU's chip"));
}

}  // namespace
}  // namespace roofline::cupti
