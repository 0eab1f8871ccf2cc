// Who is ranked, where, and who is not and why.
#include "harness/hackathon/scoreboard.h"

#include <gtest/gtest.h>
#include "data/error.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A variant of a team's own that took so many seconds, at that share of the roof (0: not known).
Result made(const std::string& name, double seconds, double percent = 0) {
  Result result = sample_study().results[0];
  result.variant = result.step = name;
  result.samples.clear();
  for (const double wobble : {1.0, 0.999, 1.001, 1.0, 1.0})
    result.samples.push_back(seconds * wobble);
  if (percent > 0) {
    result.roofline.emplace();
    result.roofline->percent_of_roof = percent;
    result.roofline->bound_by = "dram";
  }
  return result;
}

NamedStudy team(const std::string& name, std::vector<Result> results) {
  NamedStudy named{name, sample_study()};
  named.study.results = std::move(results);
  return named;
}

/// "1 red mine, 2 blue yours"
std::string order(const std::vector<Place>& places) {
  std::string text;
  for (const Place& place : places)
    text += (text.empty() ? "" : ", ") + std::to_string(place.rank) + " " + place.team + " " +
            place.variant;
  return text;
}

TEST(Scoreboard, RanksTeamsByTheirFastestVariant) {
  const Scoreboard board = scoreboard({team("red", {made("a", 4), made("b", 2)}),
                                       team("blue", {made("c", 1)}), team("green", {made("d", 3)})},
                                      {});
  EXPECT_EQ(order(board.by_speed), "1 blue c, 2 red b, 3 green d");
  EXPECT_DOUBLE_EQ(board.by_speed[0].terms_per_s, 1e9);
}

TEST(Scoreboard, RanksByTheRoofApart) {
  const Scoreboard board = scoreboard(
      {team("red", {made("a", 4, 71.2), made("b", 2, 40)}), team("blue", {made("c", 1, 60)})}, {});
  EXPECT_EQ(order(board.by_speed), "1 blue c, 2 red b");
  EXPECT_EQ(order(board.by_roof), "1 red a, 2 blue c");
  EXPECT_TRUE(contains(text_of(board, false), "71.2%"));
}

TEST(Scoreboard, TeamsThatCannotBeToldApartShareAPlace) {
  const Scoreboard board =
      scoreboard({team("red", {made("a", 2, 50.02)}), team("blue", {made("b", 1.002, 50.04)}),
                  team("green", {made("c", 1, 10)}), team("pink", {made("d", 3, 9.9)})},
                 {});
  EXPECT_EQ(order(board.by_speed), "1 green c, 1 blue b, 3 red a, 4 pink d");
  EXPECT_EQ(order(board.by_roof), "1 blue b, 1 red a, 3 green c, 4 pink d");
}

/// Few runs cannot say that two teams are the same, only that their medians are.
TEST(Scoreboard, FewRunsRankByTheMedian) {
  Result few = made("b", 1.002), same = made("c", 1.002);
  few.samples = {1.002};
  same.samples = {1.002};
  const Scoreboard board =
      scoreboard({team("red", {few}), team("blue", {made("a", 1)}), team("green", {same})}, {});
  EXPECT_EQ(order(board.by_speed), "1 blue a, 2 green c, 2 red b");
  EXPECT_TRUE(contains(text_of(board, false), "Fewer than 5 runs"));
}

TEST(Scoreboard, WrongResultsCountNothingAndAreNamed) {
  Result wrong = made("wrong", 0.1, 99);
  wrong.status = Status::failed;
  wrong.reason = "asx is NaN";
  Result untimed = made("untimed", 0.1);
  untimed.samples.clear();
  const Scoreboard board =
      scoreboard({team("red", {wrong, made("a", 2)}), team("blue", {wrong, untimed})}, {});
  EXPECT_EQ(order(board.by_speed), "1 red a");
  ASSERT_EQ(board.failed.size(), 2u);
  const std::string text = text_of(board, false);
  EXPECT_TRUE(contains(text, "FAILED: red, omp wrong: asx is NaN")) << text;
  EXPECT_TRUE(contains(text, "not ranked: blue: no variant passed and was timed")) << text;
}

/// Nobody wins by allowing themselves larger errors.
TEST(Scoreboard, AToleranceOfOnesOwnDoesNotHelp) {
  Result loose = made("loose", 0.1);
  loose.check = {1e-3, 1e-2, true, ""};
  Result fine = made("fine", 1);
  fine.check = {1e-12, 1e-2, true, ""};
  const Scoreboard board = scoreboard({team("red", {loose, fine})}, {});
  EXPECT_EQ(order(board.by_speed), "1 red fine");
  ASSERT_EQ(board.failed.size(), 1u);
  EXPECT_TRUE(contains(board.failed[0].reason, "--tolerance 0.01")) << board.failed[0].reason;
}

TEST(Scoreboard, OnlyStudiesOfTheCommonInputCompete) {
  NamedStudy other = team("red", {made("a", 0.1)});
  other.study.input.sha256 = std::string(64, 'b');
  other.study.input.path = "small.dat";
  const Scoreboard board =
      scoreboard({other, team("blue", {made("b", 1)}), team("green", {made("c", 2)})}, {});
  EXPECT_EQ(order(board.by_speed), "1 blue b, 2 green c");
  ASSERT_EQ(board.left_out.size(), 1u);
  EXPECT_TRUE(contains(text_of(board, false),
                       "not ranked: red: ran another input, small.dat (sha256 bbbbbbbb"));
}

TEST(Scoreboard, StepsOfTheLadderCountUnlessOnesOwnAreAskedFor) {
  Result step = made("x", 0.1);
  step.variant = "v12";
  step.step = "real_poles";
  const std::vector<NamedStudy> studies = {team("red", {step, made("a", 2)}), team("blue", {step})};
  EXPECT_EQ(order(scoreboard(studies, {}).by_speed), "1 blue v12, 1 red v12");
  const Scoreboard own = scoreboard(studies, {.own = true});
  EXPECT_EQ(order(own.by_speed), "1 red a");
  ASSERT_EQ(own.left_out.size(), 1u);
  EXPECT_TRUE(contains(own.left_out[0].reason, "of its own"));
}

TEST(Scoreboard, DoubtfulPointsHaveNoShareOfTheRoof) {
  Result above = made("a", 1, 130);
  above.roofline->defects = {"above the roof"};
  Result computed = made("b", 1, 40);
  computed.roofline->analytic = true;
  const Scoreboard board = scoreboard({team("red", {above}), team("blue", {computed})}, {});
  EXPECT_EQ(order(board.by_roof), "1 blue b");
  ASSERT_EQ(board.without_roof.size(), 1u);
  const std::string text = text_of(board, false);
  EXPECT_FALSE(contains(text, "130")) << text;
  EXPECT_TRUE(contains(text, "40.0%~")) << text;
  EXPECT_TRUE(contains(text, "no share of the roof: red")) << text;
}

TEST(Scoreboard, SaysWhenDevicesDiffer) {
  Result other = made("a", 1);
  other.device = "another processor";
  const Scoreboard board = scoreboard({team("red", {made("a", 1)}), team("blue", {other})}, {});
  EXPECT_TRUE(contains(text_of(board, false), "Devices differ"));
}

TEST(Scoreboard, DoesNotCallAFarRoofABound) {
  Result far = made("a", 2, 26);
  far.counted.metrics = {{"stall_wait", 3.0}};
  const Scoreboard board = scoreboard({team("red", {far}), team("blue", {made("b", 1, 71)})}, {});
  ASSERT_EQ(board.by_speed.size(), 2u);
  EXPECT_EQ(board.by_speed[0].held_back_by, "dram");
  EXPECT_EQ(board.by_speed[1].held_back_by, "latency");
  EXPECT_TRUE(contains(text_of(board, false), "latency"));
  EXPECT_EQ(to_json(board)["by_terms_per_s"][1]["bound_by"], "dram") << "the nearest";
}

TEST(Scoreboard, SpeaksJson) {
  const Scoreboard board = scoreboard({team("red", {made("a", 2)})}, {});
  const auto json = to_json(board);
  EXPECT_EQ(json["by_terms_per_s"][0]["rank"], 1);
  EXPECT_EQ(json["by_terms_per_s"][0]["team"], "red");
  EXPECT_TRUE(json["by_terms_per_s"][0]["percent_of_roof"].is_null());
  EXPECT_TRUE(json["by_percent_of_roof"].empty());
  EXPECT_EQ(json["without_roof"][0]["team"], "red");
  EXPECT_EQ(json["input"]["sha256"], std::string(64, 'a'));
}

/// Records on disk, and what is printed of them.
class ScoreboardFolders : public testing::Test {
 protected:
  fs::path write(const char* name, std::vector<Result> results) const {
    fs::create_directories(root / name);
    write_record(root / name, team(name, std::move(results)).study);
    return root / name;
  }
  /// Prints the board; the exit status.
  int show(const std::vector<fs::path>& paths, std::string& text) const {
    struct Capture {
      std::string& text;
      ~Capture() { text = testing::internal::GetCapturedStdout(); }
    };
    testing::internal::CaptureStdout();
    const Capture capture{text};
    return show_scoreboard(paths, {}, false);
  }

  test::TemporaryFolder temporary;
  const fs::path root = temporary.path();
};

TEST_F(ScoreboardFolders, CallsTeamsAfterTheirFolders) {
  const fs::path red = write("red", {made("a", 1)}), blue = write("blue", {made("b", 2)});
  std::string text;
  EXPECT_EQ(show({red, blue / "study.json"}, text), 0);
  EXPECT_TRUE(contains(text, "1  red ") && contains(text, "2  blue ")) << text;
}

TEST_F(ScoreboardFolders, TellsFoldersOfOneNameApart) {
  const fs::path red = write("red/today", {made("a", 1)}),
                 blue = write("blue/today", {made("b", 2)});
  std::string text;
  EXPECT_EQ(show({red, blue}, text), 0);
  EXPECT_TRUE(contains(text, "red/today") && contains(text, "blue/today")) << text;
  EXPECT_THROW(show({red, red}, text), InputError);
}

TEST_F(ScoreboardFolders, OneBrokenRecordLeavesTheOthersRanked) {
  const fs::path red = write("red", {made("a", 1)}), blue = write("blue", {made("b", 2)});
  fs::resize_file(blue / "study.json", 300);
  std::string text;
  EXPECT_EQ(show({red, blue}, text), 1);
  EXPECT_TRUE(contains(text, "1  red ")) << text;
  EXPECT_TRUE(contains(text, "not ranked: blue: ")) << text;
  EXPECT_THROW(show({blue}, text), InputError);
}

TEST_F(ScoreboardFolders, AFailedVariantOrAnEmptyBoardIsNoSuccess) {
  Result wrong = made("w", 1);
  wrong.status = Status::failed;
  std::string text;
  EXPECT_EQ(show({write("red", {made("a", 1), wrong})}, text), 1);
  Result untimed = made("u", 1);
  untimed.samples.clear();
  EXPECT_EQ(show({write("blue", {untimed})}, text), 1);
}

}  // namespace
}  // namespace gpp::test
