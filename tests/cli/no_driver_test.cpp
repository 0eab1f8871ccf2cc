// Tests that every command that needs an NVIDIA GPU reports a missing driver with the same message
// and remedy.
#include <cstdlib>

#include "roofline/cuda_driver.h"
#include "tests/cli/command_line.h"

namespace gpp::test {
namespace {

using NoDriver = CommandLine;

TEST_F(NoDriver, IsToldByEveryCommandOfBothPrograms) {
  // This fake file is found before the machine's driver.
  std::ofstream(folder / "libcuda.so.1") << "no library";
  const std::string build = GPP_BINARY_DIR;
  const std::vector<std::vector<std::string>> commands = {
      {"/gpp", "list"},
      {"/gpp", "doctor"},
      {"/gpp", "run", "v1", "--model", "cuda", "--preset", "tiny"},
      {"/gpp", "check", "v1", "--model", "cuda"},
      {"/gpp", "lines", "v1", "--model", "cuda", "--preset", "tiny"},
      {"/gpp", "trajectory", "v1", "--model", "cuda", "-o", path("t")},
      {"/bin/roofline", "ceilings", "--device", "gpu"},
      {"/bin/roofline", "record", "-o", path("r"), "--", "/bin/true"}};
  const char* const before = std::getenv("LD_LIBRARY_PATH");
  const std::string path_of_libraries =
      "LD_LIBRARY_PATH=" + folder.string() + (before == nullptr ? "" : std::string(":") + before);
  for (std::vector<std::string> command : commands) {
    const std::string name = command[0] + " " + command[1];
    command[0] = build + command[0];
    command.insert(command.begin(), {"env", path_of_libraries});
    const roofline::Finished done = roofline::run_program(command);
    const std::string said = done.output + done.errors;
    EXPECT_TRUE(contains_all(said, {"no NVIDIA driver here", "docker run --gpus all"})) << name;
    EXPECT_FALSE(contains(said, "insufficient")) << name;
  }
}

}  // namespace
}  // namespace gpp::test
