// The time that work still takes, in words; lines that a terminal shows meanwhile.
#include "roofline/base/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace roofline {
namespace {

TEST(TimeToGo, FollowsFromTheShareAndTheTimeItTook) {
  EXPECT_EQ(time_to_go(0.5, 12), "about 12 s to go");
  EXPECT_EQ(time_to_go(0.25, 100), "about 5 min to go");
  EXPECT_EQ(time_to_go(0.1, 3600), "about 9 h to go");
  EXPECT_EQ(time_to_go(0.999, 100), "about 1 s to go");
}

TEST(TimeToGo, SaysNothingWhereThatCannotBeTold) {
  EXPECT_EQ(time_to_go(-1, 100), "");
  EXPECT_EQ(time_to_go(0, 100), "");
  EXPECT_EQ(time_to_go(0.01, 100), "") << "too little is done";
  EXPECT_EQ(time_to_go(0.5, 0.1), "") << "too short a time";
  EXPECT_EQ(time_to_go(1, 100), "");
}

/// The output of an action on a terminal of four rows.
std::string seen_on_a_terminal(const std::function<void()>& action) {
  const winsize size{4, 80, 0, 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    action();
    _exit(0);
  }
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t got = 0; (got = read(terminal, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  waitpid(child, nullptr, 0);
  close(terminal);
  std::erase(text, '\r');
  return text;
}

TEST(LinesAboveTheProgress, FitAreReplacedAndVanish) {
  const std::string seen = seen_on_a_terminal([] {
    ProgressLine line;
    line.above([] { return "1\n2\n3\n"; });
    line.above([] { return "too soon\n"; });
    line.above([] { return "4\n"; }, true);
  });
  EXPECT_EQ(seen,
            "\033[J\033[?7l1\n2\n\033[?7h"
            "\033[2A\033[J\033[?7l4\n\033[?7h"
            "\033[1A\033[J");
}

}  // namespace
}  // namespace roofline
