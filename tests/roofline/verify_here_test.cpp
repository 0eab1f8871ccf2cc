// `roofline verify` from end to end, on the fakes: the program of known answers is a script that
// starts the fake program.
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

#include "tests/roofline/recorded.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The tool beside a script in the place of its program of known answers.
class VerifyHere : public testing::Test {
 protected:
  VerifyHere() {
    fs::create_directories(place_.folder() / "bin");
    fs::create_directories(place_.folder() / "lib");
    fs::copy_file(ROOFLINE_TOOL, place_.file("bin/roofline"));
    fs::create_symlink(fs::path(ROOFLINE_TOOL).parent_path() / "../lib/libroofline_inject.so",
                       place_.file("lib/libroofline_inject.so"));
  }
  Finished verify(const std::string& script) {
    const std::string program = place_.file("bin/roofline-known-answers");
    std::ofstream(program) << "#!/bin/sh\n" << script;
    fs::permissions(program, fs::perms::owner_all);
    Words command = place_.command({}, {});
    *std::find(command.begin(), command.end(), ROOFLINE_TOOL) = place_.file("bin/roofline");
    command.erase(std::find(command.begin(), command.end(), "record"), command.end());
    command.insert(command.end(), {"verify", "--json"});
    const Finished done = run_program(command);
    EXPECT_TRUE(fs::is_empty(place_.folder() / "tmp")) << "a folder is left behind";
    return done;
  }
  Recorded place_;
};

TEST_F(VerifyHere, CountsTheKernelsAndJudges) {
  const Finished done =
      ended(verify(std::string("echo 'known_dmma: no such cores'\nexec ") + FAKE_PROGRAM +
                   " launch=known_constants launch=known_dfma sync\n"),
            1);
  const json said = json::parse(done.output, nullptr, false);
  ASSERT_TRUE(said.is_object()) << done.output << done.errors;
  EXPECT_EQ(said["device"], "Fake GPU");
  std::map<std::string, json> rows;
  for (const json& row : said["answers"])
    rows[row["kernel"].get<std::string>() + " " + row["metric"].get<std::string>()] = row;
  EXPECT_EQ(rows["known_constants fp16_flop"]["verdict"], "ok");
  EXPECT_EQ(rows["known_dfma fp64_flop"]["counted"], 100 + 10 + 2 * 1000);
  EXPECT_TRUE(contains(rows["known_dfma fp64_flop"]["verdict"].dump(), "off by -"));
  EXPECT_EQ(rows["known_dmma fp64_tensor_flop"]["reason"], "no such cores");
}

TEST_F(VerifyHere, SaysWhatItsProgramSaid) {
  refused(verify("echo 'no device' >&2\nexit 1\n"), {"no device"});
}

}  // namespace
}  // namespace roofline::test
