// Runs the tests, or acts as their player.
#include <gtest/gtest.h>

#include "harness/judge/player.h"

int main(int argc, char** argv) {
  if (gpp::work_if_asked(argc, argv, gpp::play)) return 0;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
