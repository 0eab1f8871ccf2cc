// Runs `roofline record` on the fake program (fake_cuda/) in its own folder.
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

/// A tool that runs during the test.
class Running {
 public:
  Running(const Words& command, const std::filesystem::path& folder);
  void signal(int number) const;
  /// Returns the program's output and status; fails the test if it does not end.
  Finished wait();

 private:
  std::filesystem::path number_;  ///< file with its process id
  std::future<Finished> done_;
};
class Recorded {
 public:
  /// "NAME=value" for tool and program.
  Words environment;

  /// The command as a shell line.
  Words command(const Words& options, const Words& program) const;
  /// A command of the tool.
  Words tool(const Words& arguments) const;
  Finished record(const Words& options, const Words& program) const;
  /// Records the fake program with the given arguments.
  Finished run(const Words& words, const Words& options = {}) const;

  std::filesystem::path folder() const { return folder_.path(); }
  std::string file(const std::string& name) const { return folder_.path() / name; }
  /// The profile of the last run.
  json profile(const std::string& record = "roofline-fake_program") const;
  /// Waits until a file has this many lines; returns false on a timeout.
  bool wait_for_lines(const std::string& name, std::size_t lines) const;
  std::vector<std::string> lines(const std::string& name) const;

 private:
  gpp::test::TemporaryFolder folder_;
};

/// Waits until the process with this id has ended; returns false on a timeout.
bool comes_to_its_end(const std::string& process);

/// A kernel of a profile, or null.
json kernel_in(const json& profile, const std::string& name);

/// True if a note of a profile or a kernel contains the text.
bool notes(const json& place, const std::string& text);

/// Expects that a fake kernel has this many launches, and its exact counts and times.
void expect_exact(const json& profile, const std::string& name, int launches);

}  // namespace roofline::test
