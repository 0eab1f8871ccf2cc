// Tests every counter of the table on every chip that CUPTI knows. Needs CUPTI, but no GPU.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "roofline/cupti/session.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"
#include "tests/text.h"

namespace roofline::cupti {
namespace {

/// Names by chip, in lines such as "GV100: a.sum b.sum". An unlisted chip has everything.
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

/// All counters of the table, including alternatives and conditional ones.
std::vector<std::string> every_counter() {
  std::set<std::string> names;
  for (const Metric& metric : metric_table())
    for (const std::string& name : counters_of(metric)) names.insert(name);
  return {names.begin(), names.end()};
}

/// Sampled counters are excluded, because only a GPU can list them.
std::set<std::string> absent_on(const HostApi& host) {
  std::set<std::string> absent;
  for (const std::string& name : every_counter())
    if (!counted_by_sampling(name) && !host.knows(name)) absent.insert(name);
  return absent;
}

/// CUPTI 13.0 lists this chip but refuses it: Volta's last system on a chip.
constexpr const char* refused = "GV11B";

class Chips : public testing::Test {
 protected:
  void SetUp() override {
    try {
      library();
    } catch (const RecorderError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

TEST_F(Chips, LackTheCountersOfTheListAndNoOthers) {
  std::ifstream stream(GPP_SOURCE_DIR "/tests/roofline/chips_lack.txt");
  ByChip listed = read_list(stream);
  ASSERT_FALSE(listed.empty());
  int asked = 0;
  for (const std::string& chip : supported_chips()) {
    if (chip == refused) continue;
    ++asked;
    const std::set<std::string> absent = absent_on(HostApi(chip));
    EXPECT_EQ(absent, listed[chip]) << "the line of the list would be\n"
                                    << chip << ":" << line_of(absent);
  }
  EXPECT_GE(asked, 20);
}
TEST_F(Chips, CountInFewPasses) {
  for (const std::string& chip : supported_chips()) {
    if (chip == refused) {
      EXPECT_THROW(plan(chip, {}, needed_counters()), RecorderError);
      continue;
    }
    const Plan made = plan(chip, {}, needed_counters());
    EXPECT_FALSE(made.config.empty()) << chip;
    EXPECT_GE(made.passes, 1) << chip;
    EXPECT_LE(made.passes, 6) << chip;
    EXPECT_LE(plan(chip, {}, further_counters({})).passes, 9) << chip;
  }
  // Hopper counts FP64 work in five runs.
  std::vector<std::string> hardware = needed_counters(), software = needed_counters();
  std::erase_if(hardware, counted_by_software);
  hardware.emplace_back("smsp__issue_active.sum");
  std::erase_if(software, [](const std::string& name) { return !counted_by_software(name); });
  int passes = 1;  // one pass for the samples
  for (const auto& names : {hardware, kernel_counters({{"fp64_flop", 1.0}}), software})
    passes += plan("GH100", {}, names).passes;
  EXPECT_LE(passes, 5);
}

TEST_F(Chips, LackWhatNobodyHas) {
  const std::vector<std::string> wrong = {"no_such_counter.sum", "dram__bytes.no_such_rollup",
                                          "dram__bytes", "", "."};
  std::vector<std::string> asked = wrong;
  asked.insert(asked.begin() + 2, "dram__bytes.sum");
  asked.push_back("dram__bytes.sum");  // requested twice, counted once
  const Plan made = plan("GH100", {}, asked);
  EXPECT_EQ(made.names, std::vector<std::string>{"dram__bytes.sum"});
  std::vector<std::string> missing;
  for (const Missing& one : made.missing) {
    missing.push_back(one.name);
    EXPECT_EQ(one.reason, "GH100 has no such counter");
  }
  EXPECT_EQ(missing, wrong);
  const Plan nothing = plan("GH100", {}, {"no_such_counter.sum"});
  EXPECT_TRUE(nothing.names.empty() && nothing.config.empty());
  EXPECT_EQ(nothing.passes, 0);
  const auto unknown = [] { plan("XY999", {}, needed_counters()); };
  EXPECT_TRUE(gpp::test::contains(gpp::test::thrown<RecorderError>(unknown),
                                  "does not fit the GPU's chip"));
}

}  // namespace
}  // namespace roofline::cupti
