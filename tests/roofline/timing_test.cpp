// The time of a piece of work, and of work that fails.
#include "roofline/counting.h"

#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/text.h"

namespace roofline::test {
namespace {

TEST(ShortestSeconds, WarmsUpAndTakesTheShortest) {
  int runs = 0;
  const double seconds = shortest_seconds(
      [&runs] {
        if (++runs != 3) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return std::string();
      },
      4);
  EXPECT_EQ(runs, 5);
  EXPECT_GE(seconds, 0);
  EXPECT_LT(seconds, 0.1) << "the one run that did not sleep";
}

TEST(ShortestSeconds, WorkThatFailedHasNoTime) {
  int runs = 0;
  const auto fails_later = [&runs] { return std::string(++runs < 3 ? "" : "out of memory"); };
  EXPECT_EQ(thrown<std::runtime_error>([&] { shortest_seconds(fails_later); }), "out of memory");
}

}  // namespace
}  // namespace roofline::test
