// The recorder as the program meets it: where nothing can be counted it says why, and what to do.
#include "roofline/recorder.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace roofline {
namespace {

TEST(Recorder, SaysWhyItCannotCountAndRefusesWithTheSameWords) {
  const std::string reason = cupti_recorder().unavailable();
  if (reason.empty()) GTEST_SKIP() << "this machine can count";
  EXPECT_NE(reason.find_first_of(";("), std::string::npos) << "no remedy: " << reason;
  bool ran = false;
  try {
    cupti_recorder().record({"dram__bytes.sum"}, {"work", [&] { ran = true; }});
    FAIL() << "counted, although: " << reason;
  } catch (const RecorderError& error) {
    EXPECT_EQ(error.what(), reason);
  }
  EXPECT_FALSE(ran) << "ran work that could not be counted";
  RecordProperty("unavailable", reason);
  std::printf("unavailable: %s\n", reason.c_str());
}

}  // namespace
}  // namespace roofline
