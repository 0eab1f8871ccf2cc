// Tests of an input's prepared problem, and of its copy where variants run.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "gpp/placed_problem.h"
#include "gpp/prepare.h"
#include "gpp/reference.h"
#include "gpp/study/shapes.h"
#include "tests/harness/fake_runtime.h"

namespace gpp::test {
namespace {

// ---- The prepared problem of an input: occupations, energies, gathered arrays, classes of bands.

/// Three G, four own G', five of a calculation's seven bands.
Input small_input() {
  Input input;
  input.sig_ntband = 7;
  input.gvec_ng = 6;
  input.ncoul = 3;
  input.epsmpi_ngpown_max = 5;
  input.peinf_ntband_max = 6;
  input.peinf_ntband_dist = 5;
  input.ngpown = 4;
  input.ncouls = 3;
  input.peinf_indext_dist = {1, 2, 4, 3, 7, 0};
  input.wfnkq_ekq = {-8.0, -3.0, 0.5, 1.0, 4.0, 5.0, 9.0};
  input.nstart = 2;
  input.nend = 3;
  input.sig_dw = 1.5;
  input.sig_gamma = 0.5;
  input.e_lk = 1.0;
  input.inv_igp_index = {2, 6, 3, 4, 0};
  input.indinv = {3, 1, 4, 2, 3, 0};
  input.nvband = 4;
  input.tol = 0.25;
  input.efermi = 0.8;
  input.sexcut = 4.0;
  input.limittwo = 77.0;  // a wrong limit, which must be ignored
  input.limitone = 77.0;
  input.vcoul = {0.1, 0.2, 0.3};
  for (int i = 0; i < 18; ++i) {
    input.aqsmtemp.push_back({1.0 * i, 0.5});
    input.aqsntemp.push_back({-1.0 * i, 0.25});
  }
  for (int i = 0; i < 12; ++i) {
    input.wtilde_array.push_back({10.0 + i, 0.0});
    input.I_eps_array.push_back({0.1, 0.01 * i});
  }
  return input;
}

Input changed(const std::function<void(Input&)>& change) {
  Input input = small_input();
  change(input);
  return input;
}

template <class Number>
std::vector<Number> listed(const Array1<const Number>& array) {
  return {array.data, array.data + array.size};
}

TEST(PreparedProblem, HasTheInputsDimensionsLimitsAndLargeArrays) {
  const PreparedProblem prepared(small_input());
  const Problem& problem = prepared.view();
  EXPECT_EQ((std::array{problem.nbands, problem.ngpown, problem.ncouls, problem.nfreq}),
            (std::array{5, 4, 3, 2}));
  EXPECT_EQ(problem.terms(), 5 * 4 * 3 * 2);
  EXPECT_EQ(problem.terms(), prepared.input().terms());
  EXPECT_EQ(problem.limits.limittwo, 0.25);
  EXPECT_DOUBLE_EQ(problem.limits.limitone, 250000.0);
  EXPECT_EQ(problem.limits.sexcut, 4.0);
  EXPECT_EQ(problem.wtilde_array.data, prepared.input().wtilde_array.data());
  EXPECT_EQ(problem.I_eps_array.data, prepared.input().I_eps_array.data());
  EXPECT_EQ(problem.aqsntemp.data, prepared.input().aqsntemp.data());
  EXPECT_EQ(problem.wtilde_array(2, 3).re, 21.0);  // element 12 of the array
  EXPECT_EQ(problem.aqsntemp(1, 4).re, -13.0);     // 3 rows per band
}

TEST(PreparedProblem, OccupiesBandsByTheirTrueNumber) {
  const auto occupations = [](const std::function<void(Input&)>& change) {
    return listed(PreparedProblem(changed(change)).view().occ_array);
  };
  // True bands 1, 2, 4, 3, 7: the third is within tol of efermi, the fourth just outside.
  EXPECT_EQ(occupations([](Input&) {}), (std::vector{1.0, 1.0, 0.5, 1.0, 0.0}));
  EXPECT_EQ(occupations([](Input& input) { input.nvband = 1; })[2], 0.0) << "empty, though near";
  const std::vector<double> at_the_tolerance = occupations([](Input& input) {
    input.efermi = 0.0;
    input.tol = 1.0;  // band 4 is exactly at the tolerance, band 3 within
  });
  EXPECT_EQ(at_the_tolerance[2], 1.0);
  EXPECT_EQ(at_the_tolerance[3], 0.5);
}

/// The second frequency is e_lk - ekq, others are sig_dw apart, and 0 is TOL_Zero.
TEST(PreparedProblem, CountsFrequenciesFromTheSecondAndKeepsWxAwayFromZero) {
  const auto wx = [](
                      int iw, int n1, const std::function<void(Input&)>& change = [](Input&) {}) {
    return PreparedProblem(changed(change)).view().wx_array(iw, n1);
  };
  EXPECT_EQ(wx(0, 0), 9.0);
  EXPECT_EQ(wx(1, 0), 10.5);
  EXPECT_EQ(wx(0, 4), -8.0);      // of true band 7
  EXPECT_EQ(wx(0, 2), TOL_Zero);  // energy of the state itself
  EXPECT_EQ(wx(1, 2), 1.5);
  EXPECT_EQ(wx(0, 0, [](Input& input) { input.nstart = input.nend = 1; }), 7.5);
  EXPECT_EQ(wx(0, 0, [](Input& input) { input.nstart = 3; }), 10.5);
  // Just below 0, with the definition's sign.
  EXPECT_EQ(wx(0, 2, [](Input& input) { input.e_lk = 1.0 - 5e-13; }), TOL_Zero);
  EXPECT_LT(wx(0, 2, [](Input& input) { input.e_lk = 1.0 - 4e-12; }), -3e-12);
}

TEST(PreparedProblem, GathersOwnVectorsThroughBothMapsAndTransposes) {
  const PreparedProblem prepared(small_input());
  const Problem& problem = prepared.view();
  // The inv_igp_index 2, 6, 3, 4 map through indinv to 1, 0 (none), 4 (beyond ncouls), 2.
  EXPECT_EQ(listed(problem.vcoul_loc), (std::vector{0.1, 0.0, 0.0, 0.2}));
  EXPECT_EQ((std::array{problem.aqsmtemp_local_t.rows, problem.aqsmtemp_local_t.columns,
                        problem.wx_array_t.rows, problem.wx_array_t.columns}),
            (std::array{5, 4, 5, 2}));
  for (int n1 = 0; n1 < 5; ++n1) {
    EXPECT_EQ(problem.aqsmtemp_local(0, n1), (Complex{3.0 * n1, 0.5}));
    EXPECT_EQ(problem.aqsmtemp_local(1, n1), (Complex{0.0, 0.0}));
    EXPECT_EQ(problem.aqsmtemp_local(2, n1), (Complex{0.0, 0.0}));
    EXPECT_EQ(problem.aqsmtemp_local(3, n1), (Complex{3.0 * n1 + 1.0, 0.5}));
    for (int igp = 0; igp < 4; ++igp)
      EXPECT_EQ(problem.aqsmtemp_local_t(n1, igp), problem.aqsmtemp_local(igp, n1));
    for (int iw = 0; iw < 2; ++iw) EXPECT_EQ(problem.wx_array_t(n1, iw), problem.wx_array(iw, n1));
  }
  const PreparedProblem outside(changed([](Input& input) {
    input.inv_igp_index = {0, -1, 7, 2, 0};
  }));  // gvec_ng is 6
  EXPECT_EQ(listed(outside.view().vcoul_loc), (std::vector{0.0, 0.0, 0.0, 0.1}));
}

TEST(PreparedProblem, SortsBandsIntoThreeClasses) {
  const PreparedProblem prepared(small_input());
  EXPECT_EQ(listed(prepared.view().empty_bands), (std::vector{4}));
  EXPECT_EQ(listed(prepared.view().occupied_bands), (std::vector{0, 1, 3}));
  EXPECT_EQ(listed(prepared.view().exceptional_bands), (std::vector{2}));
  const PreparedProblem negative(changed([](Input& input) {
    input.nstart = 1;  // wx is lower by sig_dw: -1 for true band 3, -1.5 for true band 4
    input.tol = 1e-6;
  }));
  EXPECT_EQ(listed(negative.view().occupied_bands), (std::vector{0, 1}));
  EXPECT_EQ(listed(negative.view().exceptional_bands), (std::vector{2, 3}));
}

TEST(PreparedProblem, SaysWhetherAllPolesAreRealAndAnyIsTiny) {
  const auto with_last_pole = [](Complex w) {
    const PreparedProblem one(changed([w](Input& input) { input.wtilde_array.back() = w; }));
    return std::pair(one.view().real_poles, one.view().tiny_poles);
  };
  EXPECT_EQ(with_last_pole({21.0, 0.0}), std::pair(true, false));  // an unchanged pole
  EXPECT_FALSE(with_last_pole({21.0, 1e-300}).first);
  EXPECT_TRUE(with_last_pole({1e-3, 0.0}).second);
}

TEST(Prepare, FindsPolesExactlyAtAnOccupiedBand) {
  const Input input = random_input({.name = "resonance"}, 1);
  const PreparedProblem plain{Input(input)};
  EXPECT_FALSE(plain.view().resonant_poles);
  const auto with_pole_at = [&input](Complex w) {
    Input changed = input;
    changed.wtilde_array.back() = w;
    return PreparedProblem(std::move(changed)).view().resonant_poles;
  };
  const int occupied = plain.view().occupied_bands(0);
  const int empty = plain.view().empty_bands(0);
  for (int iw = 0; iw < plain.view().nfreq; ++iw) {
    const double wx = plain.view().wx_array(iw, occupied);
    EXPECT_TRUE(with_pole_at({wx, 0}));
    EXPECT_FALSE(with_pole_at({wx, 1e-300}));
    EXPECT_FALSE(with_pole_at({std::nextafter(wx, 100), 0}));
    EXPECT_FALSE(with_pole_at({plain.view().wx_array(iw, empty), 0}));
  }
}

// ---- A placed problem must be a copy that nobody can spoil for others.

class Placed : public testing::Test {
 protected:
  PreparedProblem problem{random_input({.name = "some", .half_occupied = 2}, 1)};
  PlacedProblem placed{problem, host_memory()};
};

TEST_F(Placed, IsACopyOfEveryArray) {
  relocate(placed.view(), [](const char* /*name*/, auto array) { return array; });
  EXPECT_NE(placed.view().wtilde_array.data, problem.view().wtilde_array.data);
  EXPECT_NE(placed.view().occ_array.data, problem.view().occ_array.data);
  EXPECT_TRUE(compute_reference(placed.view()).sums == compute_reference(problem.view()).sums);
  EXPECT_EQ(placed.repair(), "");
}

TEST_F(Placed, NamesWhatWasChangedAndPutsItBack) {
  std::vector<std::string> names;
  relocate(placed.view(), [&](const char* name, auto array) {
    if (array.count() == 0) return array;
    auto* bytes = reinterpret_cast<unsigned char*>(
        const_cast<std::remove_const_t<std::remove_pointer_t<decltype(array.data)>>*>(array.data));
    bytes[array.count() * sizeof(*array.data) - 1] ^= 1;  // flips a bit of the last byte
    EXPECT_EQ(placed.repair(), name);
    EXPECT_EQ(placed.repair(), "") << name;
    names.emplace_back(name);
    return array;
  });
  EXPECT_GE(names.size(), 11u);
  EXPECT_GT(bytes_of(problem.view()), 16 * 7 * 33 * 2);
  EXPECT_TRUE(compute_reference(placed.view()).sums == compute_reference(problem.view()).sums);
}

/// reweighted() must predict the reference of the placed problem.
TEST_F(Placed, WeighsItsOwnGInTheSameMemory) {
  const Reference reference = compute_reference(problem.view());
  std::vector<double> factors;
  for (int igp = 0; igp < problem.view().ngpown; ++igp)
    factors.push_back(std::ldexp(1.0, igp % 5 - 2));
  const void* memory = placed.view().vcoul_loc.data;
  placed.reweight(factors);
  EXPECT_EQ(placed.view().vcoul_loc.data, memory);
  EXPECT_EQ(placed.repair(), "") << "the weights are no damage";

  const Reference due = compute_reference(placed.view());
  const Reference predicted = reweighted(reference, factors);
  for (int iw = 0; iw < 2; ++iw) {
    EXPECT_NEAR(predicted.sums.asx[iw].re, due.sums.asx[iw].re, 1e-15 * due.magnitude.asx[iw].re);
    EXPECT_NEAR(predicted.sums.ach[iw].im, due.sums.ach[iw].im, 1e-15 * due.magnitude.ach[iw].im);
    EXPECT_DOUBLE_EQ(predicted.magnitude.asx[iw].re, due.magnitude.asx[iw].re);
    EXPECT_GT(std::abs(due.sums.ach[iw].re - reference.sums.ach[iw].re),
              1e-3 * reference.magnitude.ach[iw].re);
  }
  placed.reweight(std::vector<double>(factors.size(), 1.0));
  EXPECT_TRUE(compute_reference(placed.view()).sums == reference.sums);
}

TEST_F(Placed, LeavesNothingBehindWhereTheDeviceIsFull) {
  class Small : public FarMemory {
   public:
    void* allocate(std::size_t bytes) const override {
      if (++held > 3) throw std::runtime_error("full");
      return FarMemory::allocate(bytes);
    }
    void release(void* memory) const noexcept override {
      ++released;
      FarMemory::release(memory);
    }
    mutable int held = 0;
    mutable int released = 0;
  };
  const Small memory;
  EXPECT_THROW(PlacedProblem(problem, memory), std::runtime_error);
  EXPECT_EQ(memory.released, 3);
}

}  // namespace
}  // namespace gpp::test
