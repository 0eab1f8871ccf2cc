// Running other programs.
#include "roofline/base/process.h"

#include <gtest/gtest.h>

namespace roofline {
namespace {

TEST(Process, HearsBothStreamsAndTheStatus) {
  const Finished done = run_program({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.output, "out\n");
  EXPECT_EQ(done.errors, "err\n");
}

TEST(Process, PassesArgumentsAsTheyAre) {
  EXPECT_EQ(run_program({"printf", "%s|", "a b", "$HOME", "'"}).output, "a b|$HOME|'|");
}

TEST(Process, TakesMoreThanAPipeHoldsOnBothStreams) {
  const Finished done = run_program(
      {"sh", "-c",
       "i=0; while [ $i -lt 9000 ]; do echo 0123456789abcdef; echo fedcba9876543210 >&2; "
       "i=$((i+1)); done"});
  EXPECT_EQ(done.output.size(), 9000u * 17);
  EXPECT_EQ(done.errors.size(), 9000u * 17);
}

TEST(Process, TellsWhatCannotBeStartedAndSignals) {
  EXPECT_EQ(run_program({"/no/such/program"}).status, 127);
  EXPECT_EQ(run_program({"sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST(Process, EndsWhatIsSilentForTooLong) {
  using std::chrono::milliseconds;
  const Finished hung = run_program({"sh", "-c", "echo one; exec sleep 600"}, milliseconds(300));
  EXPECT_TRUE(hung.silenced);
  EXPECT_EQ(hung.status, 128 + 9);
  EXPECT_EQ(hung.output, "one\n");
  const Finished flood =
      run_program({"sh", "-c", "while :; do echo flood >&2; done"}, milliseconds(300));
  EXPECT_TRUE(flood.silenced) << "what comes on standard error is no answer";
  EXPECT_EQ(flood.errors.size(), 64u << 10);
}

TEST(Process, EndsWhatSaysTooMuch) {
  const Finished flood =
      run_program({"sh", "-c", "while :; do echo flood; done"}, std::chrono::minutes(5), 10'000);
  EXPECT_TRUE(flood.flooded);
  EXPECT_FALSE(flood.silenced);
  EXPECT_EQ(flood.status, 128 + 9);
  EXPECT_LT(flood.output.size(), 20'000u);
}

TEST(Process, LeavesAloneWhatAnswersInTime) {
  const Finished done =
      run_program({"sh", "-c", "echo one; echo two; exit 3"}, std::chrono::minutes(5));
  EXPECT_FALSE(done.silenced);
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.output, "one\ntwo\n");
}

}  // namespace
}  // namespace roofline
