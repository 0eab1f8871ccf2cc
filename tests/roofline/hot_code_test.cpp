// The machine code of loops of this very program.
#include "roofline/machine_code/hot_code.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/json.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

constexpr int length = 10'000;

// These functions are neither static nor inlined, so that each has a name in the program.
__attribute__((noinline)) double sum_of_roots(const double* a) {
  double sum = 0;
  for (int i = 0; i < length; ++i) sum += std::hypot(a[i], 1.0);
  return sum;
}

__attribute__((noinline, optimize("O3"))) void scale(double* a, const double* b) {
  for (int i = 0; i < length; ++i) a[i] = b[i] * 0.5 + 1 / b[i];
}

template <class Work>
HotCode code_of(const Work& work) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(400);
  return hot_code(sample([&] {
    do work();
    while (std::chrono::steady_clock::now() < end);
  }));
}

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__)

TEST(HotCode, ACallInALoopIsSeenAndSoIsThatItWorksOnOneNumber) {
  const std::vector<double> a(length, 1.5);
  volatile double result = 0;
  const HotCode code = code_of([&] { result = sum_of_roots(a.data()); });
  ASSERT_NE(code.hottest(), nullptr) << code.reason;
  const HotLoop& loop = *code.hottest();
  EXPECT_NE(loop.function.find("sum_of_roots"), std::string::npos);
  EXPECT_EQ(loop.file, "hot_code_test.cpp");
  EXPECT_EQ(loop.calls, std::vector<std::string>{"hypot"});
  EXPECT_EQ(loop.fp64.packed(), 0);
  EXPECT_GE(loop.fp64.scalar, 1);
  EXPECT_EQ(code.scalar_share(), 1);
}

TEST(HotCode, AVectorLoopIsPackedAndItsDivisionIsSeen) {
  std::vector<double> a(length, 1.5);
  const std::vector<double> b(length, 2.5);
  const HotCode code = code_of([&] { scale(a.data(), b.data()); });
  ASSERT_NE(code.hottest(), nullptr) << code.reason;
  const HotLoop& loop = *code.hottest();
  EXPECT_NE(loop.function.find("scale"), std::string::npos);
  EXPECT_GT(loop.fp64.packed(), 0);
  EXPECT_EQ(loop.fp64.scalar, 0);
  EXPECT_GE(loop.fp64.divisions, 1);
  EXPECT_TRUE(loop.calls.empty());
  EXPECT_EQ(code.scalar_share(), 0);
}

#endif

TEST(HotCode, LoopsAddUpUnderTheHottest) {
  HotLoop inner, outer;
  inner.file = "v01.cpp";
  inner.line = 30;
  inner.share = 0.5;
  inner.fp64.scalar = 66;
  inner.calls = {"hypot"};
  outer.file = "v01.cpp";
  outer.line = 20;
  outer.share = 0.2;
  outer.fp64.scalar = 12;
  outer.fp64.packed_128 = 4;
  outer.calls = {"abort", "hypot"};
  HotCode code;
  code.loops = {inner, outer};
  const HotLoop all = code.all_loops();
  EXPECT_EQ(all.line, 30);
  EXPECT_DOUBLE_EQ(all.share, 0.7);
  EXPECT_EQ(all.fp64.scalar, 78);
  EXPECT_EQ(all.fp64.packed(), 4);
  EXPECT_EQ(all.calls, (std::vector<std::string>{"abort", "hypot"}));
}

TEST(HotCode, WithoutSamplesThereIsAReason) {
  const HotCode code = hot_code({});
  EXPECT_FALSE(code.reason.empty());
  EXPECT_EQ(code.scalar_share(), -1);
  EXPECT_EQ(code.all_loops().instructions, 0);
}

TEST(HotCode, WhatTheWorkThrowsIsPassedOn) {
  EXPECT_THROW(sample([] { throw std::runtime_error("stop"); }), std::runtime_error);
}

TEST(HotCode, TheRecordHoldsAllOfIt) {
  HotCode code;
  code.samples = 120;
  HotLoop loop;
  loop.function = "gpp::omp::reciprocal";
  loop.file = "v07_reciprocal.cpp";
  loop.line = 31;
  loop.share = 0.5;
  loop.instructions = 90;
  loop.fp64 = {77, 4, 3, 2, 3, 1, 99};
  loop.fp32 = {1, 0, 0, 0, 0, 0, 1};
  loop.calls = {"hypot"};
  code.loops = {loop};
  code.libraries = {{"libm.so.6", 0.41}};
  const nlohmann::json json = facts_json(code);
  const auto read = read_facts<HotCode>(JsonPlace(json, "code", "a test"));
  EXPECT_EQ(nlohmann::json(facts_json(read)), json);
  EXPECT_EQ(read.hottest()->fp64.square_roots, 1);
  EXPECT_DOUBLE_EQ(read.scalar_share(), 77.0 / 86) << "of the precision with most operations";
}

}  // namespace
}  // namespace roofline
