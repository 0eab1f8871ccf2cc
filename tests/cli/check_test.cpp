// Tests of gpp check as a process.
#include <nlohmann/json.hpp>

#include "tests/finished.h"

namespace gpp::test {
namespace {

using nlohmann::json;

Finished gpp_check(const Texts& arguments) { return run_gpp({"check"}, arguments); }

const char* const few = "gpp_si2_tiny,tiny,one_band,mixed_bands,resonance";

TEST(CheckCommand, TellsOfEachInputWhatItIsAndThatItPassed) {
  const Finished done = succeeded(gpp_check({"v1", "--model", "serial", "--only", few}));
  EXPECT_TRUE(contains_all(
      done.output, {"serial v1_collapse3 (host)", "occupied bands do not come first",
                    "bundled: real silicon", "one band", "1e-11", "5 of 5 inputs passed."}));
  EXPECT_TRUE(contains_all(
      succeeded(gpp_check({"v1", "v2", "--model", "serial,omp", "--only", "one_band"})).output,
      {"serial v1_collapse3", "omp v1_collapse3", "omp v2_collapse2"}));
  EXPECT_TRUE(contains(succeeded(run_example("stream", {"check", "add", "--model", "omp"})).output,
                       "one element, one lane"));
}

/// No double-precision sum is exact to 1e-30.
TEST(CheckCommand, NamesTheSumThatIsOffAndWhereToLook) {
  const Finished done = ended(
      gpp_check({"v1", "--model", "omp", "--only", "complex,tiny", "--tolerance", "1e-30"}), 1);
  EXPECT_TRUE(contains_all(done.output, {"FAILED", "complex: ", "relative error",
                                         "look at: an imaginary part", "0 of 2 inputs passed."}));
}

TEST(CheckCommand, SpeaksJson) {
  const json report = json::parse(
      succeeded(gpp_check({"v1", "--model", "serial", "--only", few, "--json"})).output);
  EXPECT_EQ(report.at("variant"), "v1");
  EXPECT_EQ(report.at("passed"), true);
  ASSERT_EQ(report.at("inputs").size(), 5u);
  for (const json& input : report.at("inputs")) {
    EXPECT_EQ(input.at("passed"), true);
    EXPECT_EQ(input.at("tolerance"), 1e-11);
    EXPECT_LE(input.at("max_relative_error"), 1e-11);
    EXPECT_EQ(input.at("reason"), "");
  }
}

TEST(CheckCommand, EndsWhatTakesTooLongAndRefusesWhatItDoesNotKnow) {
  const Finished done = ended(gpp_check({"v1", "--model", "serial", "--only",
                                         "gpp_si8_medium,one_band", "--time-limit", "0.1"}),
                              1);
  EXPECT_TRUE(contains(done.output, "gpp_si8_medium: did not end in 0.1 s"));
  refused(gpp_check({"v1", "--only", "one_bond"}), {"one_band"});
  EXPECT_EQ(gpp_check({"v99"}).status, 2);
  EXPECT_EQ(gpp_check({}).status, 2);
  EXPECT_EQ(gpp_check({"v1", "--time-limit", "0"}).status, 2);
  EXPECT_EQ(gpp_check({"v1", "--tolerance", "nan"}).status, 2);
}

}  // namespace
}  // namespace gpp::test
