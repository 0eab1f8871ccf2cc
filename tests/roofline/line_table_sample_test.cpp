// Tests of lines in cubins that nvcc made of line_table_sample.cu during the build.
#include <fstream>
#include <ostream>

#include "roofline/machine_code/line_table.h"
#include "tests/text.h"

namespace roofline {

void PrintTo(const Frame& frame, std::ostream* out) {
  *out << frame.place.file << ':' << frame.place.line << ' ' << frame.function;
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

/// The frames of all instructions at a place; they must be equal.
std::vector<Frame> frames_at(const LineTable& table, const std::string& function,
                             const SourcePlace& place) {
  std::vector<Frame> found;
  for (std::uint64_t offset = 0; offset < most_code; offset += instruction) {
    const std::vector<Frame> frames = table.frames(function, offset);
    if (frames.empty() || frames.front().place != place) continue;
    EXPECT_TRUE(found.empty() || found == frames) << offset;
    found = frames;
  }
  return found;
}

/// Cubins of the architectures in GPP_SAMPLES: relocations differ from sm_90 on.
class LineTableSample : public testing::TestWithParam<const char*> {
 protected:
  const LineTable table = read_line_table(gpp::test::file_text(GetParam()), GetParam());
};

TEST_P(LineTableSample, AChainLeadsThroughInlinedFunctionsToTheKernel) {
  for (const char* mark : {"load", "fma", "store"}) {
    const SourcePlace place = marked(source, mark);
    EXPECT_EQ(frames_at(table, "strided", place), (std::vector<Frame>{{place, "strided"}})) << mark;
  }
  const Frame division = {marked(header, "division"), "_Z14inner_quotientdd"},
              quotient = {marked(header, "inner call"), "_Z8quotientdd"};
  for (const std::vector<Frame>& chain : {
           std::vector<Frame>{division, quotient, {marked(source, "outer call"), "strided"}},
           {{marked(header, "odd lanes"), "_Z9odd_lanesd"},
            {marked(source, "predicated call"), "strided"}},
           {quotient, {marked(source, "call of the second kernel"), "second"}},
       })
    EXPECT_EQ(frames_at(table, chain.back().function, chain.front().place), chain);
}

TEST_P(LineTableSample, AFunctionCopiedBehindAKernelKeepsItsNameAndLines) {
  const SourcePlace call = marked(source, "call in a copy");
  std::vector<Frame> inner;
  for (std::uint64_t offset = 0; offset < most_code && inner.size() != 2; offset += instruction) {
    inner = table.frames("second", offset);
    if (inner.empty() || inner.back().place != call) inner.clear();
  }
  EXPECT_EQ(inner, (std::vector<Frame>{{marked(header, "division"), "_Z14inner_quotientdd"},
                                       {call, "copied"}}));
}

TEST_P(LineTableSample, TheSlowPathOfADivisionIsNotChargedToTheLastLine) {
  int slow = 0;
  bool left = false;  // the slow path comes after everything else
  for (std::uint64_t offset = 0; offset < most_code; offset += instruction) {
    const std::string helper = table.helper("strided", offset);
    if (helper.empty()) {
      left = left || slow > 0;
      continue;
    }
    EXPECT_EQ(helper, "division") << offset;
    EXPECT_TRUE(table.frames("strided", offset).empty()) << offset;
    EXPECT_FALSE(left) << offset;
    ++slow;
  }
  EXPECT_GT(slow, 20);
  EXPECT_FALSE(frames_at(table, "strided", marked(source, "last line")).empty());
}

TEST_P(LineTableSample, KernelsAreListedAndNothingIsKnownElsewhere) {
  EXPECT_EQ(table.functions(), (std::vector<std::string>{"second", "strided"}));
  EXPECT_EQ(table.problem(), "");
  EXPECT_TRUE(table.frames("strided", most_code).empty());
  EXPECT_TRUE(table.frames("strided", ~std::uint64_t{0}).empty());
  EXPECT_TRUE(table.frames("third", 0).empty());
  EXPECT_EQ(table.helper("third", 0), "");
}

INSTANTIATE_TEST_SUITE_P(Architectures, LineTableSample, testing::Values(GPP_SAMPLES),
                         [](const auto& one) { return one.index == 0 ? "sm_80" : "sm_90"; });

}  // namespace
}  // namespace roofline
