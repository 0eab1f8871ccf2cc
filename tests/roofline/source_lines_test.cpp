// Instructions charged to lines, on cubins written byte by byte.
#include "roofline/source_lines.h"

#include "cubin_builder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

/// A kernel of /a/one.cu: line 10 at 0; at 8 line 5 of b/two.h, inlined at line 10; at 16 line 7 of
/// three.h, inlined there; at 24 line 12; and at 0x80 the division that the compiler put behind it.
std::string cubin_bytes() {
  CubinBuilder cubin;
  cubin.strings = std::string("inner\0outer\0", 12);
  cubin.symbols = {{"kernel", 0, 0x100},
                   {"$__internal_0_$__cuda_sm20_div_rn_f64_full", 0x80, 0x80}};
  cubin.add({2, line::address() + line::lines(9) + line::copy() + line::advance(8) +
                    line::call(1, 6) + line::file(2) + line::lines(-5) + line::copy() +
                    line::advance(8) + line::call(2, 0) + line::file(3) + line::lines(2) +
                    line::copy() + line::advance(8) + line::call(0, 0) + line::file(1) +
                    line::lines(5) + line::copy() + line::advance(0xe8) + line::end()});
  return cubin.bytes();
}

constexpr std::uint64_t crc = 0x1234567890abcdef;

bool own(const std::string& file) { return file == "/a/one.cu"; }

class SourceLines : public testing::Test {
 protected:
  std::vector<LineEvidence> lines(const std::vector<InstructionEvidence>& some) {
    lost.clear();
    return lines_of(some, cubins, own, lost);
  }
  const LineEvidence& at(const std::vector<LineEvidence>& all, const char* file, int line) {
    for (const LineEvidence& one : all)
      if (one.place == SourcePlace{file, line}) return one;
    static const LineEvidence none;
    ADD_FAILURE() << file << ":" << line << " is missing";
    return none;
  }

  Cubins cubins = {{crc, cubin_bytes()}};
  std::vector<std::string> lost;
  // One of each place; 32 bits of the CRC, as SASS metrics tell it, in the last two.
  const std::vector<InstructionEvidence> instructions = {
      {crc, "kernel", 0, {{"wait", 1}}, {{"warp_instructions", 100}}},
      {crc, "kernel", 8, {{"wait", 2}, {"barrier", 4}}, {{"warp_instructions", 200}}},
      {crc, "kernel", 16, {{"wait", 8}}, {{"warp_instructions", 400}}},
      {crc & 0xffffffff, "kernel", 24, {{"wait", 16}}, {{"warp_instructions", 800}}},
      {crc & 0xffffffff, "kernel", 0x80, {{"wait", 32}}, {{"warp_instructions", 1600}}}};
};

TEST_F(SourceLines, EveryInstructionBelongsToOnePair) {
  const std::vector<LineEvidence> all = lines(instructions);
  EXPECT_TRUE(lost.empty()) << lost.front();
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(at(all, "/a/one.cu", 10).called_from, std::nullopt);
  EXPECT_EQ(at(all, "/a/one.cu", 10).function, "kernel");
  const LineEvidence& outer = at(all, "b/two.h", 5);
  EXPECT_EQ(outer.called_from, (SourcePlace{"/a/one.cu", 10}));
  EXPECT_EQ(outer.function, "outer");
  EXPECT_EQ(outer.samples(), 6u);
  const LineEvidence& inner = at(all, "three.h", 7);
  EXPECT_EQ(inner.called_from, (SourcePlace{"/a/one.cu", 10})) << "not the form that called it";
  EXPECT_EQ(inner.function, "inner");
  EXPECT_EQ(at(all, "/a/one.cu", 12).samples(), 16u);
  EXPECT_EQ(all.front().place.file, "") << "the table gives helpers the kernel's last line";
  EXPECT_EQ(all.front().function, "division");
  EXPECT_EQ(total_counts(all), (Events{{"warp_instructions", 3100}}));
  EXPECT_EQ(total_stalls(all), (Events{{"wait", 59}, {"barrier", 4}}));
}

TEST_F(SourceLines, BothViewsAddUpTheSame) {
  const std::vector<LineEvidence> all = lines(instructions);
  const std::vector<LineGroup> groups = by_variant_line(all);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].function, "division");
  EXPECT_EQ(groups[1].place, (SourcePlace{"/a/one.cu", 12})) << "hottest first";
  EXPECT_EQ(groups[2].place, (SourcePlace{"/a/one.cu", 10}));
  EXPECT_EQ(groups[2].samples(), 15u) << "with all that was inlined";
  EXPECT_EQ(groups[2].counts, (Events{{"warp_instructions", 700}}));
  EXPECT_EQ(groups[2].function, "kernel");
  ASSERT_EQ(groups[2].parts.size(), 3u);
  EXPECT_EQ(groups[2].parts[0].place.file, "three.h");
  EXPECT_EQ(by_innermost_line(all).size(), 5u);
}

TEST_F(SourceLines, ALineShowsAWholeMultipleOneForEachInstruction) {
  const std::vector<LineEvidence> all =
      lines({{crc, "kernel", 8, {}, {{"warp_instructions", 768'952'000}}},
             {crc, "kernel", 10, {}, {{"warp_instructions", 768'952'000}}},
             {crc, "kernel", 12, {}, {{"warp_instructions", 768'952'000}}}});
  EXPECT_EQ(only(all).counts.at("warp_instructions"), 3u * 768'952'000u);
}

TEST_F(SourceLines, LinesThatSeveralCallAreApartByCallerAndTogetherByLine) {
  std::vector<LineEvidence> all = lines({instructions[2]});
  all.push_back(all[0]);
  all[1].called_from = SourcePlace{"/a/one.cu", 11};
  EXPECT_EQ(by_variant_line(all).size(), 2u);
  const std::vector<LineGroup> groups = by_innermost_line(all);
  EXPECT_EQ(only(groups).samples(), 16u);
  EXPECT_EQ(only(groups).parts.size(), 2u);
}

TEST_F(SourceLines, SamplesAndCountsOfTheSameLineBecomeOne) {
  std::vector<InstructionEvidence> samples = instructions, counts = instructions;
  for (InstructionEvidence& one : samples) one.counts.clear();
  for (InstructionEvidence& one : counts) one.stalls.clear();
  const std::vector<LineEvidence> all = merged(lines(samples), lines(counts));
  EXPECT_EQ(all.size(), 5u);
  EXPECT_EQ(total_counts(all), total_counts(lines(instructions)));
  EXPECT_EQ(total_stalls(all), total_stalls(lines(instructions)));
}

TEST_F(SourceLines, CodeThatNobodySawIsToldOnceAndCounted) {
  const std::vector<LineEvidence> all = lines({{99, "_Z1fi", 0, {{"wait", 1}}, {}},
                                               {99, "_Z1fi", 8, {{"wait", 2}}, {}},
                                               {crc, "elsewhere", 0, {{"wait", 4}}, {}}});
  EXPECT_NE(only(lost).find("CUDA_MODULE_LOADING"), std::string::npos) << only(lost);
  EXPECT_EQ(total_stalls(all), (Events{{"wait", 7}}));
  EXPECT_EQ(all.back().function, "f(int)");
}

TEST_F(SourceLines, CubinsThatAreNoneOrThatShare32BitsAreNoGuess) {
  cubins[77] = "not a cubin";
  EXPECT_EQ(lines({{77, "kernel", 0, {{"wait", 1}}, {}}}).at(0).place.file, "");
  EXPECT_EQ(lost.size(), 1u);
  cubins[crc ^ (std::uint64_t{1} << 40)] = cubin_bytes();
  EXPECT_EQ(lines({instructions[3]}).at(0).place.file, "") << "either of two";
  EXPECT_EQ(lines({instructions[0]}).at(0).place.line, 10) << "told by all 64 bits";
}

}  // namespace
}  // namespace roofline::test
