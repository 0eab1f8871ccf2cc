// The rooflines of a study.
#include "harness/show/roofline_chart.h"

#include <gtest/gtest.h>

#include "tests/harness/sample_study.h"

namespace gpp {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(StudyRooflines, InATerminalThereIsOnePerKindOfDevice) {
  const std::string text = terminal_rooflines(test::roofline_study(), {});
  EXPECT_TRUE(contains(text, "\nRoofline of NVIDIA H200: cuda; gpp214.dat")) << text;
  EXPECT_TRUE(contains(text, "\nRoofline of a processor of two cores: omp; ")) << text;
  StudyRecord study = test::sample_study();
  study.ceilings.clear();
  EXPECT_EQ(terminal_rooflines(study, {}), "");
}

}  // namespace
}  // namespace gpp
