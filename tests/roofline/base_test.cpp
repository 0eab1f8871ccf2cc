// Tests of common code: files and JSON of unknown origin, names, formatted numbers, processor
// caches, other programs, terminal progress, turns on a GPU.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;

class OutsideFile : public testing::Test {
 protected:
  std::string refusal(std::uintmax_t most = most_record_bytes) const {
    return thrown<InputError>([&] { text_of_outside_file(file, most); });
  }

  TemporaryFolder folder;
  const fs::path file = folder / "a.json";
};

TEST_F(OutsideFile, IsReadWhole) {
  const std::string text = std::string("a\0b\n", 4) + std::string(100000, 'x');
  std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(text_of_outside_file(file), text);
  const fs::path link = folder / "link";
  fs::create_symlink(file, link);
  EXPECT_EQ(text_of_outside_file(link), text);
}

TEST_F(OutsideFile, IsARegularFileThatHoldsSomething) {
  EXPECT_TRUE(contains(refusal(), "a.json: there is no such file"));
  fs::create_directory(file);
  EXPECT_TRUE(contains(refusal(), "a.json: not a file but a folder"));
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_TRUE(contains(refusal(), "a.json: not a file but a pipe")) << "and nobody waits for it";
  for (const char* device : {"/dev/zero", "/dev/null"}) {
    fs::remove(file);
    fs::create_symlink(device, file);
    EXPECT_TRUE(contains(refusal(), "a device")) << device;
  }
  fs::remove(file);
  std::ofstream(file).flush();
  EXPECT_TRUE(contains(refusal(), "a.json: empty"));
  std::ofstream(file) << "12345";
  EXPECT_EQ(refusal(5), "");
  EXPECT_TRUE(contains(refusal(4), "a.json: 5 B are more than any such file has: 4 B at most"));
  fs::resize_file(file, std::uintmax_t{1} << 40);
  EXPECT_TRUE(contains(refusal(), "1.1 TB are more")) << "and nothing of it is read";
}

std::string refusal_of_json(const std::string& text) {
  return thrown<InputError>([&] { json_in(text, "a.json", "import it anew"); });
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(OutsideJson, IsNestedAFewLevelsDeepAndHasAMostOfValues) {
  EXPECT_EQ(refusal_of_json(nested(64)), "");
  EXPECT_TRUE(contains(refusal_of_json(nested(65)), "a.json: nested more than 64 levels deep"));
  EXPECT_TRUE(contains(refusal_of_json("{\"a\":" + nested(131000) + "}"), "at byte 69"));
  EXPECT_EQ(refusal_of_json("[\"" + std::string(1000, '{') + "\\\"" + nested(1000) + "\"]"), "")
      << "brackets in a text are no levels";
  std::string many = "[0";
  for (int i = 0; i < 4'000'000; ++i) many += ",0";
  EXPECT_TRUE(contains(refusal_of_json(many + "]"), "a.json: more than 4000000 values"));
  EXPECT_EQ(refusal_of_json("[\"" + std::string(5'000'000, ',') + "\"]"), "");
}

TEST(OutsideJson, SaysWhereItEndsToBeJson) {
  EXPECT_EQ(json_in("{\"a\": [1, 2]}", "a.json", "").at("a").size(), 2u);
  EXPECT_EQ(refusal_of_json("{\"a\": 1,, 2}"), "a.json: not JSON from byte 9 on; import it anew");
  EXPECT_EQ(refusal_of_json("{\"a\": 1"),
            "a.json: not JSON or cut off after byte 7; import it anew");
  EXPECT_TRUE(contains(refusal_of_json("[1e999]"), "the number 1e999 before byte 6"));
}

TEST(Shortened, IsCutBetweenCharacters) {
  const std::string text = "a\u20ac\u20ac\u20ac";  // the euro sign has three bytes
  EXPECT_EQ(shortened(text, 10), text);
  for (std::size_t most = 3; most < text.size(); ++most) {
    const std::string cut = shortened(text, most);
    EXPECT_LE(cut.size(), most);
    EXPECT_TRUE(cut.ends_with("..."));
    EXPECT_EQ(visible(cut), cut) << most;
  }
  for (std::size_t most = 6; most < text.size(); ++most)
    EXPECT_EQ(visible(shortened_inside(text, most, 2)), shortened_inside(text, most, 2)) << most;
  EXPECT_EQ(shortened_inside("abcdefghij", 8, 3), "abc..hij");
}

TEST(Words, AreAsPeopleReadThem) {
  std::string text = unknown_name("step", "sudy", {"v1", "v12", "study"}) + "\n";
  for (const double value : {0.0, 2e-6, 12.0, 512.0, 49152.0, 2.5e6, 999.9e9, 3.3428e13})
    text += fmt::format("{} | {} | {} | {} | {}\n", describe_seconds(value),
                        describe_rate(value, "FLOP/s"), with_prefix(value, "B"),
                        describe_working_set(value), short_number(value));
  for (const std::int64_t bytes : {0L, 1000L, 999'600L, 7'692'176L, 768'952'000L, LONG_MAX})
    text += fmt::format("{} | {}\n", describe_bytes(bytes), with_commas(bytes));
  expect_kept("roofline/words.txt", text + describe_cores(1) + ", " + describe_cores(16) + "\n");
}

TEST(Process, HearsBothStreamsAndTheStatusAndPassesArgumentsAsTheyAre) {
  const Finished done = run_program({"sh", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.output + done.errors, "out\nerr\n");
  EXPECT_EQ(run_program({"printf", "%s|", "a b", "$HOME", "'"}).output, "a b|$HOME|'|");
  EXPECT_EQ(run_program({"/no/such/program"}).status, 127);
  EXPECT_EQ(run_program({"sh", "-c", "kill -9 $$"}).status, 128 + 9);
}

TEST(Process, TakesMoreThanAPipeHoldsOnBothStreams) {
  const Finished done = run_program(
      {"sh", "-c",
       "i=0; while [ $i -lt 9000 ]; do echo 0123456789abcdef; echo fedcba9876543210 >&2; "
       "i=$((i+1)); done"});
  EXPECT_EQ(done.output.size(), 9000u * 17);
  EXPECT_EQ(done.errors.size(), 9000u * 17);
}

TEST(Process, EndsWhatIsSilentForTooLong) {
  using std::chrono::milliseconds;
  const Finished hung = run_program({"sh", "-c", "echo one; exec sleep 600"}, milliseconds(300));
  EXPECT_TRUE(hung.silenced);
  EXPECT_EQ(hung.status, 128 + 9);
  EXPECT_EQ(hung.output, "one\n");
  const Finished flood =
      run_program({"sh", "-c", "while :; do echo flood >&2; done"}, milliseconds(300));
  EXPECT_TRUE(flood.silenced) << "what comes on standard error is no answer";
  EXPECT_EQ(flood.errors.size(), 64u << 10);
}

TEST(Process, EndsWhatSaysTooMuch) {
  const std::chrono::minutes patience(5);
  const Finished flood =
      run_program({"sh", "-c", "while :; do echo flood; done"}, patience, 10'000);
  EXPECT_TRUE(flood.flooded && !flood.silenced);
  EXPECT_EQ(flood.status, 128 + 9);
  EXPECT_LT(flood.output.size(), 20'000u);
  const Finished brief = run_program({"sh", "-c", "echo one; exit 3"}, patience, 10'000);
  EXPECT_FALSE(brief.flooded || brief.silenced);
  EXPECT_EQ(brief.status, 3);
}

constexpr const char* place = "0000:3b:00.0";

class DeviceTurnTest : public testing::Test {
 protected:
  /// Acts as a program that was not started by the turn's holder.
  DeviceTurn as_another(double seconds) {
    unsetenv("ROOFLINE_GPU_TURN");
    return DeviceTurn(
        place, seconds, [this](const std::string& line) { told = line; }, folder.path());
  }

  /// Acts as a child of the turn's holder; returns its message.
  std::string as_a_child(const char* gpu, const fs::path& folder) {
    std::string line;
    EXPECT_NO_THROW(DeviceTurn(
        gpu, 5, [&line](const std::string& text) { line = text; }, folder));
    return line;
  }

  TemporaryFolder folder;
  std::string told;
  std::optional<DeviceTurn> first{std::in_place, place, 0.0, [](const std::string&) {},
                                  folder.path()};
};

TEST_F(DeviceTurnTest, TheSecondWaitsForTheEndOfTheFirstNoLongerThanItIsTold) {
  EXPECT_TRUE(contains_all(thrown<InputError>([&] { as_another(0); }),
                           {"another program measures on this GPU", "--wait SECONDS"}));
  EXPECT_EQ(told, "") << "it did not wait";
  EXPECT_THROW(as_another(0.05), InputError);
  std::atomic<bool> over = false;
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    over = true;
    first.reset();
  });
  as_another(600);
  EXPECT_TRUE(over);
  end.join();
  EXPECT_TRUE(contains(told, "measures on this GPU; waiting for its end, up to 600 s (--wait)"));
}

TEST_F(DeviceTurnTest, AProgramOfOnesOwnDoesNotWaitForItsParentOnAnyOfItsGpus) {
  EXPECT_EQ(as_a_child(place, folder.path()), "");
  {
    const DeviceTurn second(
        "0000:4c:00.0", 0, [](const std::string&) {}, folder.path());
    EXPECT_STREQ(std::getenv("ROOFLINE_GPU_TURN"), "0000:3b:00.0 0000:4c:00.0");
    EXPECT_EQ(as_a_child("0000:4c:00.0", folder.path()), "");
  }
  EXPECT_STREQ(std::getenv("ROOFLINE_GPU_TURN"), place);
  first.reset();
  EXPECT_EQ(std::getenv("ROOFLINE_GPU_TURN"), nullptr) << "a later program is no longer its child";
}

TEST_F(DeviceTurnTest, AFileThatSomebodyPlantedIsNotWrittenToAndHangsNobody) {
  first.reset();
  const fs::path file = folder / "roofline-gpu-0000-3b-00-0.lock", other = folder / "other";
  std::ofstream(other) << "precious";
  for (const bool linked : {true, false}) {
    if (linked)
      fs::create_symlink(other, file);
    else
      ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_NO_THROW(as_another(0));
    EXPECT_EQ(contains(told, "others cannot be told that this GPU is in use"), linked);
    EXPECT_EQ(fs::file_size(other), 8u);
    fs::remove(file);
    told.clear();
  }
}

TEST_F(DeviceTurnTest, AnotherGpuIsFreeAndWithoutAPlaceForLocksNobodyWaits) {
  unsetenv("ROOFLINE_GPU_TURN");
  EXPECT_EQ(as_a_child("0000:4c:00.0", folder.path()), "");
  EXPECT_TRUE(contains(as_a_child(place, folder.path() / "no-such-folder"),
                       "others cannot be told that this GPU is in use: "));
  EXPECT_EQ(std::getenv("ROOFLINE_GPU_TURN"), nullptr);
}

}  // namespace
}  // namespace roofline::test
