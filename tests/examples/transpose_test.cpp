// Tests of the transpose kernels: faulty variants, and texts about work without operations.
#include <span>

#include "examples/transpose/kernel.h"
#include "harness/record/derive.h"
#include "harness/view/summary.h"
#include "tests/examples/builds.h"
#include "tests/text.h"

namespace gpp::transpose {
namespace {

TEST(Transpose, MovesEachElementTwice) {
  const SourceCount count = example().make("test", {12, 10}, 1)->count(catalog().front());
  EXPECT_EQ(count.metrics, (roofline::Metrics{{"dram_bytes", 12 * 10 * 8}}));
  EXPECT_EQ(catalog().size(), 5U * 2);
}

TEST(Transpose, SetsPublishedTimesBeside) {
  const Published& v100 = example().published();
  EXPECT_NEAR(v100.speedup("v3").value_or(0), 4.8, 0.05);
  EXPECT_EQ(v100.find("copy"), nullptr);
}

void right(const Matrices& m) {
  for (int row = 0; row < m.rows; ++row)
    for (int column = 0; column < m.columns; ++column)
      m.out[column * m.rows + row] = m.in[row * m.columns + column];
}
std::span<float> result(const Matrices& m) {
  return {m.out, static_cast<std::size_t>(m.rows * m.columns)};
}
void copies(const Matrices& m) { std::copy(m.in, m.in + m.rows * m.columns, m.out); }

TEST(Transpose, FaultsAreCaught) {
  test::expect_only_right_passes<Matrices>(
      example(), "naive", *example().make("test", {70, 50}, 1), right, result,
      {[](const Matrices& m) { std::swap(m.out[5], m.out[6]); },
       [](const Matrices& m) { m.out[7] *= 1.0000001F; }},
      {copies});
}

// Texts about work without operations.

roofline::Ceilings ceilings() {
  using enum roofline::CeilingKind;
  return roofline::Ceilings("a processor", "host", "", "2025-01-31T12:00:00Z", 1,
                            {{"fp64_fma", "FP64, FMA", compute, 1e11, {}, 0, "", {}},
                             {"l1", "L1", bandwidth, 4e11, {}, 0, "", {}},
                             {"dram", "DRAM", bandwidth, 2e10, {}, 0, "", {}}});
}

/// 16384 elements in 10 us: 13.1 GB/s of 20.
StudyRecord moving_study() {
  StudyRecord study;
  study.kernel = "transpose";
  study.input = example().make("test", {128, 128}, 1)->input();
  study.ceilings = {ceilings()};
  Result result =
      test::study_of(example(), "naive", call_of(right), *example().make("test", {70, 50}, 1));
  result.samples = {10e-6, 10e-6, 10e-6};
  result.counted = {};
  result.counted.source = roofline::CountedBy::analytic;
  result.counted.metrics = {{"dram_bytes", 128 * 128 * 8}};
  derive(study, result);
  study.results = {result};
  return study;
}

TEST(WithoutOperations, TextsTellBytes) {
  const StudyRecord study = moving_study();
  const std::string text = summary(study, false);
  EXPECT_TRUE(
      test::contains_all(text, {"BYTES", "13.11 GB/s", "65.5%", "bytes of DRAM per second"}));
  const std::string without_roofs = text.substr(0, text.find("\nRoofs of "));
  for (const char* wrong : {"FLOP", "inf", "nan"})
    EXPECT_FALSE(test::contains(without_roofs, wrong));
  EXPECT_TRUE(test::contains(csv({{"a", study}}), ",analytic,,,,65.5"));
}

}  // namespace
}  // namespace gpp::transpose
