// Runs the program as a process in the test's own folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "tests/finished.h"
#include "tests/temporary_folder.h"

namespace gpp::test {

class CommandLine : public testing::Test {
 protected:
  /// Measuring roofs takes seconds, so only tests about roofs do it.
  Finished gpp(Texts arguments) const {
    const bool measures = !arguments.empty() && (arguments[0] == "run" || arguments[0] == "study");
    if (measures && std::find(arguments.begin(), arguments.end(), "--ceilings") == arguments.end())
      arguments.insert(arguments.end(), {"--ceilings", "off"});
    return run_gpp(arguments);
  }
  /// Expects an exit with that status and errors that contain each part.
  void refuses(const Texts& arguments, const Texts& parts, int status = 2) const {
    const Finished done = gpp(arguments);
    std::string command = "gpp";
    for (const std::string& argument : arguments) command += " " + argument;
    EXPECT_EQ(done.status, status) << command << "\n" << done.errors;
    EXPECT_TRUE(done.errors.starts_with("gpp: ")) << command << "\n" << done.errors;
    EXPECT_TRUE(contains_all(done.errors, parts)) << command;
  }
  std::string path(const char* name) const { return (folder / name).string(); }
  nlohmann::json read(const std::filesystem::path& file) const {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream);
  }
  std::string text(const std::filesystem::path& file) const { return file_text(file); }
  /// A quick study of the smallest input, in a folder named `name`.
  Finished study(const char* name, Texts more = {}) const {
    more.insert(more.begin(), {"study", "--preset", "tiny", "--model", "serial", "--repeat", "5",
                               "-o", path(name)});
    return gpp(more);
  }

  /// Sets every run of a recorded study: its time, its clock, and the share that others took.
  void set_runs(const char* name, double seconds, double megahertz, double others = 0) const {
    StudyRecord record = read_record(folder / name);
    for (Result& result : record.results) {
      const std::size_t runs = result.samples.size();
      result.samples.assign(runs, seconds);
      result.clocks.samples.assign(runs, megahertz);
      result.load.assign(runs, {others, 0.0});
    }
    write_record(folder / name, record);
  }
  /// Runs the program in a shell, with text before its name and after its arguments.
  static Finished shell(const std::string& before, const std::string& arguments,
                        const std::string& behind = "") {
    return run_program(
        {"sh", "-c", before + " '" GPP_BINARY_DIR "/gpp' " + arguments + " " + behind});
  }

  TemporaryFolder temporary;
  const std::filesystem::path folder = temporary.path();
};

}  // namespace gpp::test
