// How a program ended that a test ran.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "roofline/base/process.h"
#include "tests/text.h"

// Beside Finished, so that tests of every namespace find them by its name.
namespace roofline {

/// Gives back what it was given; the caller's line fails where the status is another one.
inline Finished ended(Finished done, int status, const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  const testing::ScopedTrace trace(file, line, "a program ended");
  EXPECT_EQ(done.status, status) << done.output << done.errors;
  return done;
}

inline Finished succeeded(Finished done, const char* file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
  return ended(std::move(done), 0, file, line);
}

/// A command that refuses what it was told ends with 2; its errors hold each part.
inline Finished refused(Finished done, const gpp::test::Texts& parts,
                        const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  const testing::ScopedTrace trace(file, line, "a program refused");
  EXPECT_TRUE(gpp::test::contains_all(done.errors, parts));
  return ended(std::move(done), 2, file, line);
}

}  // namespace roofline

namespace gpp::test {
using roofline::Finished;
using roofline::run_program;

/// The program with this command and these arguments behind it.
inline Finished run_gpp(Texts command, const Texts& arguments = {}) {
  command.insert(command.begin(), GPP_BINARY_DIR "/gpp");
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command);
}
}  // namespace gpp::test
