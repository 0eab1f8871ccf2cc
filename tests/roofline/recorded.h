// Running `roofline record` on the fake program (fake_cuda/), in a folder of its own.
#pragma once

#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace roofline::test {

namespace fs = std::filesystem;
using nlohmann::json;

using Words = std::vector<std::string>;

/// A tool that runs while the test goes on.
class Running {
 public:
  Running(const Words& command, const std::filesystem::path& folder);
  void signal(int number) const;
  /// What it said, and its status; fails the test where it does not end.
  Finished wait();

 private:
  std::filesystem::path number_;  ///< of its process
  std::future<Finished> done_;
};
class Recorded {
 public:
  /// "NAME=value", for the tool and the program.
  Words environment;

  /// The command as a line of the shell.
  Words command(const Words& options, const Words& program) const;
  /// Any command of the tool.
  Words tool(const Words& arguments) const;
  Finished record(const Words& options, const Words& program) const;
  /// Records the fake program, which does as it is told.
  Finished run(const Words& words, const Words& options = {}) const;

  std::filesystem::path folder() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.path() / name; }
  /// The profile that a run left.
  json profile(const std::string& record = "roofline-fake_program") const;
  /// Waits until a file has so many lines; false where it does not come to that.
  bool wait_for_lines(const std::string& name, std::size_t lines) const;
  std::vector<std::string> lines(const std::string& name) const;

 private:
  gpp::test::TemporaryFolder folder_;
};

/// Waits until a process, named by its number, has ended; false where it does not.
bool comes_to_its_end(const std::string& process);

/// A kernel of a profile; null where it is not in it.
json kernel_in(const json& profile, const std::string& name);

/// Whether some note of a profile or a kernel holds the text.
bool notes(const json& place, const std::string& text);

/// Expects that a kernel of the fake ran so often, and has its counts and times.
void expect_exact(const json& profile, const std::string& name, int launches);

}  // namespace roofline::test
