// A slice must be a sound problem, of the columns it says, in which a term is what it was.
#include "gpp/study/slice.h"

#include <gtest/gtest.h>

#include "data/bundled.h"
#include "data/gpp214.h"
#include "data/validate.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "gpp/study/shapes.h"
#include "harness/measure/counting.h"

namespace gpp {
namespace {

Input seven_own_g() { return random_input({.name = "seven", .ngpown = 7}, 1); }

std::vector<double> reals(const std::vector<Complex>& values) {
  std::vector<double> flat;
  for (const Complex& value : values) flat.insert(flat.end(), {value.re, value.im});
  return flat;
}

/// The columns of an array, one after the other.
std::vector<double> columns(const Input& input, const std::vector<Complex>& array,
                            const std::vector<int>& wanted) {
  std::vector<Complex> kept;
  for (const int column : wanted)
    for (int ig = 0; ig < input.ncouls; ++ig)
      kept.push_back(array[static_cast<std::size_t>(column * input.ncouls + ig)]);
  return reals(kept);
}

TEST(Slice, KeepsAllButOwnG) {
  const Input input = seven_own_g();
  const Input slice = slice_of(input, 3);
  EXPECT_EQ(slice.ngpown, 3);
  EXPECT_EQ(slice.ncouls, input.ncouls);
  EXPECT_EQ(slice.peinf_ntband_dist, input.peinf_ntband_dist);
  EXPECT_EQ(slice.nstart, input.nstart);
  EXPECT_EQ(slice.nend, input.nend);
  EXPECT_EQ(slice.terms() * 7, input.terms() * 3);
  EXPECT_EQ(reals(slice.aqsmtemp), reals(input.aqsmtemp));
  EXPECT_EQ(reals(slice.aqsntemp), reals(input.aqsntemp));
  EXPECT_EQ(slice.wfnkq_ekq, input.wfnkq_ekq);
  EXPECT_EQ(slice.vcoul, input.vcoul);
}

TEST(Slice, HasEvenlySpreadColumns) {
  const Input input = seven_own_g();
  struct Case {
    int ngpown;
    std::vector<int> columns;
  };
  for (const Case& one : {Case{1, {0}}, Case{3, {0, 2, 4}}, Case{5, {0, 1, 2, 4, 5}},
                          Case{7, {0, 1, 2, 3, 4, 5, 6}}}) {
    SCOPED_TRACE(one.ngpown);
    const Input slice = slice_of(input, one.ngpown);
    EXPECT_EQ(reals(slice.wtilde_array), columns(input, input.wtilde_array, one.columns));
    EXPECT_EQ(reals(slice.I_eps_array), columns(input, input.I_eps_array, one.columns));
  }
}

TEST(Slice, LeadsEachOwnGToItsOwnVector) {
  Input input = seven_own_g();
  input.inv_igp_index = {5, 3, 1, 7, 6, 2, 4, 9};
  EXPECT_EQ(slice_of(input, 3).inv_igp_index, (std::vector<std::int32_t>{5, 1, 6}));
  EXPECT_EQ(slice_of(input, 7).inv_igp_index, (std::vector<std::int32_t>{5, 3, 1, 7, 6, 2, 4}));
}

TEST(Slice, IsAConsistentInputForEveryShape) {
  for (const Shape& shape : odd_shapes()) {
    const Input input = random_input(shape, 1);
    for (const int ngpown : {1, (input.ngpown + 1) / 2, input.ngpown})
      EXPECT_NO_THROW(validate(slice_of(input, ngpown), shape.name)) << shape.name;
  }
}

TEST(Slice, HasNoSumsOfTheWholeToBeComparedWith) {
  Input input = seven_own_g();
  input.asxtempref[1] = input.achtempref[1] = input.asxtemp[1] = input.achtemp[1] = {1, 2};
  const Input slice = slice_of(input, 3);
  for (const auto& sums : {slice.asxtempref, slice.achtempref, slice.asxtemp, slice.achtemp})
    EXPECT_EQ(reals({sums.begin(), sums.end()}), std::vector<double>(6, 0.0));
}

TEST(Slice, OfAllOwnGHasTheInputsSums) {
  const PreparedProblem problem(seven_own_g());
  const PreparedProblem all(slice_of(problem.input(), 7));
  const PreparedProblem some(slice_of(problem.input(), 6));
  const Reference reference = compute_reference(problem.view());
  const int nfreq = problem.view().nfreq;
  const Check same = check(compute_reference(all.view()).sums, reference, nfreq, 1e-14);
  EXPECT_TRUE(same.passed) << same.reason;
  EXPECT_FALSE(check(compute_reference(some.view()).sums, reference, nfreq, 1e-10).passed);
}

TEST(OwnGOfSlice, StaysWithinTheTermsWantedAndTheInput) {
  const Input input = seven_own_g();
  const std::int64_t one = input.terms() / 7;
  EXPECT_EQ(own_g_of_slice(input, 0), 1) << "one at least";
  EXPECT_EQ(own_g_of_slice(input, one - 1), 1);
  EXPECT_EQ(own_g_of_slice(input, 2 * one - 1), 1);
  EXPECT_EQ(own_g_of_slice(input, 2 * one), 2);
  EXPECT_EQ(own_g_of_slice(input, 7 * one - 1), 6);
  EXPECT_EQ(own_g_of_slice(input, 7 * one), 7);
  EXPECT_EQ(own_g_of_slice(input, 1000 * one), 7) << "no more than there are";
}

TEST(OwnGOfSlice, TheBundledInputsAreCountedWhole) {
  for (const std::string& name : bundled_inputs())
    EXPECT_LE(read_gpp214(bundled_input(name)).terms(), CountingOptions{}.countable_terms) << name;
}

}  // namespace
}  // namespace gpp
