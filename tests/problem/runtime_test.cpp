// What runtimes of devices have in common.
#include "gpp/runtime.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace gpp::test {
namespace {

/// Nothing but poles: 16 B each.
Problem problem_with(int poles) {
  Problem problem;
  problem.wtilde_array = {nullptr, poles, 1};
  return problem;
}

TEST(RequireDeviceMemory, IsContentWhereTheProblemJustFits) {
  EXPECT_EQ(bytes_of(problem_with(100)), 1600);
  EXPECT_NO_THROW(require_device_memory(problem_with(100), 1600));
}

TEST(RequireDeviceMemory, SaysHowMuchIsNeededAndHowMuchIsFree) {
  try {
    require_device_memory(problem_with(100'000'000), 1'050'000'000);
    FAIL() << "1.60 GB went into 1.05 GB";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("takes 1.60 GB"), std::string::npos) << text;
    EXPECT_NE(text.find("only 1.05 GB are free"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace gpp::test
