// Tests of lines in cubins that nvcc made of line_table_sample.cu during the build.
#include <fstream>
#include <ostream>

#include "roofline/machine_code/line_table.h"
#include "tests/text.h"

namespace roofline {

void PrintTo(const SourcePlace& place, std::ostream* out) {
  *out << place.file << ':' << place.line;
}

namespace {

const std::string folder = GPP_SOURCE_DIR "/tests/roofline/";
const std::string source = folder + "line_table_sample.cu";
const std::string header = folder + "line_table_sample.h";

constexpr std::uint64_t instruction = 16;  // bytes, on all GPUs since Volta
constexpr std::uint64_t most_code = 1 << 16;

SourcePlace marked(const std::string& file, const std::string& mark) {
  std::ifstream stream(file);
  SourcePlace place{file, 1};
  for (std::string text; std::getline(stream, text); ++place.line)
    if (text.ends_with("// mark: " + mark)) return place;
  ADD_FAILURE() << "no mark " << mark;
  return place;
}

/// The origins of all instructions at a place; they must be equal.
CodeOrigin origin_at(const LineTable& table, const std::string& function,
                     const SourcePlace& place) {
  CodeOrigin found;
  for (std::uint64_t offset = 0; offset < most_code; offset += instruction) {
    const CodeOrigin origin = table.origin(function, offset);
    if (origin.places.empty() || origin.places.front() != place) continue;
    EXPECT_TRUE(found.places.empty() || found == origin) << offset;
    found = origin;
  }
  return found;
}

/// Cubins of the architectures in GPP_SAMPLES: relocations differ from sm_90 on.
class LineTableSample : public testing::TestWithParam<const char*> {
 protected:
  void expect_chain(const std::string& kernel, const std::string& function,
                    const std::vector<SourcePlace>& places) const {
    const CodeOrigin origin = origin_at(table, kernel, places.front());
    EXPECT_EQ(origin.function, function);
    EXPECT_EQ(origin.places, places);
  }

  const LineTable table{gpp::test::file_text(GetParam()), GetParam()};
};

TEST_P(LineTableSample, AChainLeadsThroughInlinedFunctionsToTheKernel) {
  for (const char* mark : {"load", "fma", "store", "last line"})
    expect_chain("strided", "strided", {marked(source, mark)});
  const SourcePlace division = marked(header, "division"), quotient = marked(header, "inner call");
  expect_chain("strided", "_Z14inner_quotientdd",
               {division, quotient, marked(source, "outer call")});
  expect_chain("strided", "_Z9odd_lanesd",
               {marked(header, "odd lanes"), marked(source, "predicated call")});
  expect_chain("second", "_Z8quotientdd", {quotient, marked(source, "call of the second kernel")});
}

TEST_P(LineTableSample, AFunctionCopiedBehindAKernelKeepsItsNameAndLines) {
  const SourcePlace call = marked(source, "call in a copy");
  expect_chain("second", "copied", {call});
  bool divides = false;
  for (std::uint64_t offset = 0; offset < most_code; offset += instruction)
    divides = divides || table.origin("second", offset).places ==
                             std::vector<SourcePlace>{marked(header, "division"), call};
  EXPECT_TRUE(divides);
}

TEST_P(LineTableSample, TheSlowPathOfADivisionIsNotChargedToTheLastLine) {
  int slow = 0;
  bool left = false;  // the slow path comes after everything else
  for (std::uint64_t offset = 0; offset < most_code; offset += instruction) {
    const CodeOrigin origin = table.origin("strided", offset);
    const bool divides = origin.function == "division";
    EXPECT_FALSE(divides && (left || !origin.places.empty())) << offset;
    slow += divides ? 1 : 0;
    left = slow > 0 && !divides;
  }
  EXPECT_GT(slow, 20);
}

TEST_P(LineTableSample, NothingIsKnownElsewhere) {
  EXPECT_EQ(table.problem(), "");
  for (const std::uint64_t offset : {most_code, ~std::uint64_t{0}})
    EXPECT_EQ(table.origin("strided", offset), (CodeOrigin{"strided", {}}));
  EXPECT_EQ(table.origin("third", 0), (CodeOrigin{"third", {}}));
}

INSTANTIATE_TEST_SUITE_P(Architectures, LineTableSample, testing::Values(GPP_SAMPLES),
                         [](const auto& one) { return one.index == 0 ? "sm_80" : "sm_90"; });

}  // namespace
}  // namespace roofline
