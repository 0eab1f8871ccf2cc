// Checks how a program that a test ran has ended.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "roofline/base/machine.h"
#include "tests/text.h"

// In the namespace of Finished, so that tests in every namespace find these.
namespace roofline {

/// Returns its argument; the caller's line fails if the status differs.
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

/// Expects exit status 2 and errors that contain each part.
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

/// Runs the program with this command and arguments.
inline Finished run_gpp(Texts command, const Texts& arguments = {}) {
  command.insert(command.begin(), GPP_BINARY_DIR "/gpp");
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command);
}

/// Runs the program of a kernel of examples/.
inline Finished run_example(const char* kernel, Texts arguments) {
  arguments.insert(arguments.begin(), std::string(GPP_BINARY_DIR "/bin/") + kernel);
  return run_program(arguments);
}
}  // namespace gpp::test
