// A placed problem must be a copy that nobody can spoil for others.
#include "gpp/placed_problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "gpp/reference.h"
#include "gpp/study/shapes.h"

namespace gpp {
namespace {

class Placed : public testing::Test {
 protected:
  static void expect_equal(const Sums& a, const Sums& b) {
    for (int iw = 0; iw < max_frequencies; ++iw) {
      EXPECT_EQ(a.asx[iw], b.asx[iw]) << iw;
      EXPECT_EQ(a.ach[iw], b.ach[iw]) << iw;
    }
  }

  PreparedProblem problem{random_input({.name = "some", .half_occupied = 2}, 1)};
  PlacedProblem placed{problem, host_memory()};
};

TEST_F(Placed, IsACopyOfEveryArray) {
  relocate(placed.view(), [](const char* /*name*/, auto array) { return array; });
  EXPECT_NE(placed.view().wtilde_array.data, problem.view().wtilde_array.data);
  EXPECT_NE(placed.view().occ_array.data, problem.view().occ_array.data);
  expect_equal(compute_reference(placed.view()).sums, compute_reference(problem.view()).sums);
  EXPECT_EQ(placed.repair(), "");
}

TEST_F(Placed, NamesWhatWasChangedAndPutsItBack) {
  std::vector<std::string> names;
  relocate(placed.view(), [&](const char* name, auto array) {
    if (array.count() == 0) return array;
    auto* bytes = reinterpret_cast<unsigned char*>(
        const_cast<std::remove_const_t<std::remove_pointer_t<decltype(array.data)>>*>(array.data));
    bytes[array.count() * sizeof(*array.data) - 1] ^= 1;  // the last byte
    EXPECT_EQ(placed.repair(), name);
    EXPECT_EQ(placed.repair(), "") << name;
    names.emplace_back(name);
    return array;
  });
  EXPECT_GE(names.size(), 11u);
  expect_equal(compute_reference(placed.view()).sums, compute_reference(problem.view()).sums);
}

TEST_F(Placed, AWriterDoesNotReachTheOriginal) {
  const Complex before = problem.view().aqsntemp(0, 0);
  const_cast<Complex*>(placed.view().aqsntemp.data)[0] = {9, 9};
  EXPECT_EQ(problem.view().aqsntemp(0, 0), before);
}

/// reweighted() predicts the reference of the placed problem.
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
  expect_equal(compute_reference(placed.view()).sums, reference.sums);
}

TEST_F(Placed, LeavesNothingBehindWhereTheDeviceIsFull) {
  class Small : public DeviceMemory {
   public:
    void* allocate(std::size_t bytes) const override {
      if (++held > 3) throw std::runtime_error("full");
      return host_memory().allocate(bytes);
    }
    void release(void* memory) const noexcept override {
      ++released;
      host_memory().release(memory);
    }
    void write(void* device, const void* host, std::size_t bytes) const override {
      host_memory().write(device, host, bytes);
    }
    void read(void* host, const void* device, std::size_t bytes) const override {
      host_memory().read(host, device, bytes);
    }
    mutable int held = 0;
    mutable int released = 0;
  };
  const Small memory;
  EXPECT_THROW(PlacedProblem(problem, memory), std::runtime_error);
  EXPECT_EQ(memory.released, 3);
}

TEST(BytesOf, AddsUpAllArrays) {
  FactoredProblem poles;
  poles.wtilde_array = {nullptr, 100, 1};
  EXPECT_EQ(bytes_of(poles), 1600);
}

}  // namespace
}  // namespace gpp
