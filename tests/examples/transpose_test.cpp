// Tests of the transpose kernels: parts, and faulty variants.
#include "examples/transpose/kernel.h"
#include "harness/record/derive.h"
#include "harness/view/summary.h"
#include "tests/examples/builds.h"
#include "tests/text.h"

namespace gpp::transpose {
namespace {

using TransposeBuild = test::RunsBuild;

TEST_P(TransposeBuild, IsRightOnAPart) {
  std::string part;
  const auto slice = make_subject("test", {300, 70}, 3)->slice(70 * 37 + 5, part);
  ASSERT_TRUE(slice);
  EXPECT_EQ(part, "37 of 300 rows");
  EXPECT_EQ(slice->input().terms, 70 * 37);
  test::expect_right(GetParam(), transpose_kernel(), *slice);
}

INSTANTIATE_TEST_SUITE_P(Catalog, TransposeBuild, testing::ValuesIn(test::builds_of(catalog())),
                         test::name_of_build);

TEST(Transpose, HasItsStepsInBothModels) {
  for (const char* model : {"cuda", "omp"})
    for (const char* id : {"copy", "v1", "v2", "v3", "v4"})
      EXPECT_EQ(
          std::count_if(catalog().begin(), catalog().end(),
                        [&](const Variant& one) { return one.model == model && one.id == id; }),
          1)
          << model << " " << id;
}

TEST(Transpose, MovesEachElementTwice) {
  const SourceCount count = make_subject("test", {12, 10}, 1)->count(catalog().front());
  EXPECT_EQ(count.metrics, (roofline::Metrics{{"dram_bytes", 12 * 10 * 8}}));
}

TEST(Transpose, SetsPublishedTimesBeside) {
  const Published& v100 = transpose_kernel().published();
  EXPECT_NEAR(v100.speedup("v3").value_or(0), 4.8, 0.05);
  EXPECT_EQ(v100.find("copy"), nullptr);
}

// Faulty variants, each with its source line.

void right(const Matrices& m) {
  for (int row = 0; row < m.rows; ++row)
    for (int column = 0; column < m.columns; ++column)
      m.out[column * m.pitch + row] = m.in[row * m.columns + column];
}
void forgets_the_last(const Matrices& m) {
  const float before = m.out[m.rows * m.columns - 1];
  right(m);
  m.out[m.rows * m.columns - 1] = before;
}
void copies(const Matrices& m) { std::copy(m.in, m.in + m.rows * m.columns, m.out); }
/// These faults need more numbers than the smallest matrices have.
bool has_eight(const Matrices& m) { return m.rows * m.columns >= 8; }

void swaps_two(const Matrices& m) {
  right(m);
  if (has_eight(m)) std::swap(m.out[5], m.out[6]);
}
void is_off_in_the_last_bit(const Matrices& m) {
  right(m);
  if (has_eight(m)) m.out[7] *= 1.0000001F;
}
TEST(Transpose, FaultsAreCaught) {
  test::expect_only_right_passes(transpose_kernel(), "naive", *make_subject("test", {70, 50}, 1),
                                 right,
                                 {forgets_the_last, copies, swaps_two, is_off_in_the_last_bit});
}

// Texts about work without operations.

roofline::Ceilings ceilings() {
  using enum roofline::CeilingKind;
  return {"a processor",
          "host",
          "",
          "2025-01-31T12:00:00Z",
          1,
          {{"fp64_fma", "FP64, FMA", compute, 1e11, {}, 0, "", {}},
           {"l1", "L1", bandwidth, 4e11, {}, 0, "", {}},
           {"dram", "DRAM", bandwidth, 2e10, {}, 0, "", {}}}};
}

/// 16384 elements in 10 us: 13.1 GB/s of 20.
StudyRecord moving_study() {
  StudyRecord study;
  study.kernel = "transpose";
  study.input = make_subject("test", {128, 128}, 1)->input();
  study.ceilings = {ceilings()};
  Result result = test::study_of(transpose_kernel(), "naive", call_of(right),
                                 *make_subject("test", {70, 50}, 1));
  result.samples = {10e-6, 10e-6, 10e-6};
  result.counted = {};
  result.counted.source = roofline::CountedBy::analytic;
  result.counted.metrics = {{"dram_bytes", 128 * 128 * 8}};
  derive(study, result);
  study.results = {result};
  return study;
}

TEST(WithoutOperations, TheSummaryTellsBytes) {
  const std::string text = summary(moving_study(), false);
  EXPECT_TRUE(
      test::contains_all(text, {"BYTES", "13.11 GB/s", "65.5%", "bytes of DRAM per second"}));
  EXPECT_FALSE(test::contains(text, "FLOP"));
  EXPECT_FALSE(test::contains(text, "inf"));
  EXPECT_FALSE(test::contains(text, "nan"));
}

TEST(WithoutOperations, ColumnsOfFlopStayEmpty) {
  EXPECT_TRUE(test::contains(csv({{"a", moving_study()}}), ",analytic,,,,65.5"));
}

}  // namespace
}  // namespace gpp::transpose
