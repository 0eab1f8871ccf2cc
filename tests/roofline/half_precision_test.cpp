// Which machine instructions load constants, and which compute in half precision: words that nvcc
// 13.0 wrote, as nvdisasm reads them.
#include "roofline/machine_code/half_precision.h"

#include <gtest/gtest.h>

#include "roofline/profile.h"

namespace roofline {
namespace {

struct Word {
  unsigned architecture;
  std::uint64_t low, high;
  HalfUse use;
  const char* text;
};

constexpr Word words[] = {
    {80, 0x00000002ff077435, 0x000fe200000001ff, HalfUse::constants,
     "HFMA2.MMA R7, -RZ, RZ, 0, 1.1920928955078125e-07"},
    {80, 0x40600000ff007435, 0x000fe200000001ff, HalfUse::constants,
     "HFMA2.MMA R0, -RZ, RZ, 2.1875, 0"},
    {90, 0x3f22f983ff067435, 0x000fe200000001ff, HalfUse::constants,
     "HFMA2.MMA R6, -RZ, RZ, 1.783203125, -45152"},
    {100, 0x3f22f983ff067431, 0x000fe200000001ff, HalfUse::constants,
     "HFMA2 R6, -RZ, RZ, 1.783203125, -45152"},
    {120, 0x00000000ff1b7431, 0x000fc600000001ff, HalfUse::constants, "HFMA2 R27, -RZ, RZ, 0, 0"},
    {90, 0x4300410002097435, 0x008fce0000000005, HalfUse::arithmetic,
     "HFMA2.MMA R9, R2, R5, 3.5, 2.5"},
    {90, 0x4300410002097835, 0x008fce0000000005, HalfUse::arithmetic,
     "HFMA2.MMA R9, R2, 3.5, 2.5, R5"},
    {90, 0x000000ff02097235, 0x008fce0000000005, HalfUse::arithmetic, "HFMA2.MMA R9, R2, RZ, R5"},
    {90, 0x000000ffff077235, 0x004fce0000000002, HalfUse::arithmetic, "HFMA2.MMA R7, RZ, RZ, R2"},
    {90, 0x0000000502097235, 0x008fce0000200000, HalfUse::arithmetic,
     "HFMA2.MMA.BF16_V2 R9, R2, R5, R0"},
    {90, 0x00000005020b7235, 0x010fce0003a08006, HalfUse::arithmetic,
     "HFMA2.MMA.BF16_V2.RELU R11, R2, R5, R6"},
    {90, 0x2000000502057231, 0x010fca0003848806, HalfUse::arithmetic,
     "HFMA2.RELU R5, R2.H0_H0, R5.H0_H0, R6.H0_H0"},
    {75, 0x00000005020b7231, 0x004fd00000002006, HalfUse::arithmetic, "HFMA2.SAT R11, R2, R5, R6"},
    {100, 0x2000000502057230, 0x004fca0000000800, HalfUse::arithmetic,
     "HADD2 R5, R2.H0_H0, R5.H0_H0"},
    {100, 0x20000002ff007230, 0x008fca0000004100, HalfUse::arithmetic,
     "HADD2.F32 R0, -RZ, R2.H0_H0"},
    {120, 0x2000000502057232, 0x004fca0000000800, HalfUse::arithmetic,
     "HMUL2 R5, R2.H0_H0, R5.H0_H0"},
    {120, 0x0000040002027835, 0x000fd000078e0200, HalfUse::none, "no HFMA2.MMA on sm_120"},
    {90, 0x0000000000077919, 0x000e2e0000002100, HalfUse::none, "S2R R7, SR_TID.X"}};

TEST(HalfPrecision, TellsLoadsOfConstantsFromArithmetic) {
  for (const Word& word : words)
    EXPECT_EQ(half_use(word.low, word.high, word.architecture), word.use)
        << word.text << " on sm_" << word.architecture;
}

TEST(HalfPrecision, WhoeverComputesToo) {
  // A sign, a half, saturation, BF16: the constant would not be what is loaded.
  for (const std::uint64_t bits : {0x0ffULL, 0x1feULL, 0x21ffULL, 0x81ffULL, 0x2001ffULL})
    EXPECT_EQ(half_use(0x00000002ff077435, 0x000fe20000000000 | bits, 90), HalfUse::arithmetic);
}

TEST(HalfPrecision, CodeThatIsNotKnownTellsNothing) {
  HalfPrecision code;
  code.read("no cubin");
  EXPECT_EQ(code.constants({"f()"}, 0), std::optional(0.0));
  EXPECT_EQ(code.constants({"f()"}, 5), std::nullopt);
  EXPECT_EQ(code.constants({}, 5), std::nullopt);
}

TEST(HalfPrecision, LoadsAreTakenOutOfTheOperations) {
  std::vector<KernelProfile> kernels(1);
  kernels[0].counters = {{"sm__sass_thread_inst_executed_op_hadd_pred_on.sum", 0},
                         {"sm__sass_thread_inst_executed_op_hmul_pred_on.sum", 0},
                         {half_fma, 96}};
  derive(kernels, "gpu", nullptr);
  EXPECT_EQ(kernels[0].metrics.at("fp16_flop"), 4 * 96) << "as other profilers count";
  EXPECT_FALSE(kernels[0].notes.empty());
  kernels[0].notes.clear();
  kernels[0].counters[half_constants] = 96;
  derive(kernels, "gpu", nullptr);
  EXPECT_EQ(kernels[0].metrics.at("fp16_flop"), 0);
  EXPECT_TRUE(kernels[0].notes.empty());
}

}  // namespace
}  // namespace roofline
