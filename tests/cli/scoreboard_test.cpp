// The scoreboard: the places of teams, and the reasons why others have none.
#include "cli/scoreboard.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

/// A variant of a team's own that took so many seconds, at that share of the roof (0: not known).
Result made(const std::string& name, double seconds, double percent = 0) {
  Result result = sample_study().results[0];
  result.variant = result.step = name;
  result.samples.clear();
  for (const double wobble : {1.0, 0.999, 1.001, 1.0, 1.0})
    result.samples.push_back(seconds * wobble);
  if (percent > 0) {
    result.rooflines.resize(1);
    result.rooflines.front().percent_of_roof = percent;
    result.rooflines.front().bound_by = "dram";
  }
  return result;
}

NamedStudy team(const std::string& name, std::vector<Result> results) {
  NamedStudy named{name, sample_study()};
  // Roofs that two cores can have.
  for (roofline::Ceiling& roof : named.study.ceilings.front().list)
    if (roof.kind == roofline::CeilingKind::compute) {
      roof.measured = 1e11;
      roof.theoretical = 2e11;
    }
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

TEST(Scoreboard, RanksNoRecordThatContradictsItsMachine) {
  const NamedStudy honest = team("honest", {made("a", 1)});
  const auto left_out = [&honest](void (*change)(StudyRecord&)) {
    NamedStudy forged = team("forged", {made("b", 1e-3)});
    change(forged.study);
    const Scoreboard board = scoreboard({honest, forged}, {});
    EXPECT_EQ(order(board.by_speed), "1 honest a");
    return board.left_out.empty() ? "" : board.left_out.front().reason;
  };
  EXPECT_TRUE(contains(left_out([](StudyRecord& study) {
                         study.machine.cores = 1'000'000;
                         study.ceilings.clear();
                       }),
                       "holds no roofs"));
  EXPECT_TRUE(contains(left_out([](StudyRecord& study) {
                         study.machine.cores = 1'000'000;
                         study.machine.online_cores = 128;
                       }),
                       "1000000 cores were used of a machine that has 128"));
  EXPECT_TRUE(contains(left_out([](StudyRecord& study) {
                         study.machine.cores = 1'000'000;
                         study.machine.online_cores = 0;
                         study.machine.affinity = "0-3";
                       }),
                       "1000000 cores were used, and 4 were allowed"));
  EXPECT_TRUE(contains(left_out([](StudyRecord& study) {
                         for (roofline::Ceiling& roof : study.ceilings.front().list)
                           roof.measured *= 1000;
                       }),
                       "more than any hardware does"));
  EXPECT_TRUE(contains(left_out([](StudyRecord& study) {
                         study.results.front().kind = "gpu";
                         study.results.front().device = "another GPU";
                       }),
                       "the machine has no GPU called 'another GPU'"));
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

/// A team whose variant `name` was made from v8, which took so many seconds in the same study.
NamedStudy against_v8(const std::string& who, double parent_seconds, double seconds) {
  Result parent = made("v8", parent_seconds), child = made("mine", seconds);
  parent.step = "power2";
  parent.parent = "v7";
  child.parent = "v8";
  return team(who, {parent, child});
}

TEST(Scoreboard, RanksTheGainOverTheParentOfTheSameStudy) {
  const Scoreboard board = scoreboard({against_v8("fast machine", 1, 0.8),  // 1.25x
                                       against_v8("slow machine", 20, 10),  // 2x
                                       against_v8("the same", 4, 2.003)},   // 2x, but for noise
                                      {.own = true});
  EXPECT_EQ(order(board.by_gain), "1 slow machine mine, 1 the same mine, 3 fast machine mine");
  EXPECT_EQ(order(board.by_speed), "1 fast machine mine, 2 the same mine, 3 slow machine mine");
  EXPECT_NEAR(board.by_gain[0].gain->factor, 2, 1e-12);
  const std::string text = text_of(board, false);
  EXPECT_TRUE(contains(text, "2.00x  v8 ") && contains(text, "1.25x  v8 ")) << text;
  EXPECT_TRUE(contains(text, "1.000e+08")) << "the absolute speed stands beside";
  EXPECT_EQ(to_json(board)["by_gain"][0]["gain"], 2.0);
}

TEST(Scoreboard, RanksWithoutAParentAfterThoseThatHaveOne) {
  NamedStudy alone = against_v8("alone", 1, 0.1), failed = against_v8("wrong", 1, 0.2);
  alone.study.results.erase(alone.study.results.begin());
  failed.study.results[0].status = Status::failed;
  const Scoreboard board = scoreboard(
      {alone, failed, against_v8("slower", 1, 1.5), team("old", {made("x", 0.3)})}, {.own = true});
  EXPECT_EQ(order(board.by_gain), "1 slower mine, 2 alone mine, 3 wrong mine, 4 old x");
  EXPECT_TRUE(contains_all(text_of(board, false),
                           {"no gain: alone, omp mine: its parent v8 was not measured in the same "
                            "study",
                            "no gain: wrong, omp mine: its parent v8 is wrong",
                            "no gain: old, omp x: its record names no parent"}));
}

TEST(Scoreboard, DisturbedTimesComeLastAndAreMarked) {
  NamedStudy disturbed = against_v8("disturbed", 1, 0.1), parent = against_v8("parent", 1, 0.1);
  disturbed.study.results[1].load.assign(5, {0.3, 0.0});
  parent.study.results[0].load.assign(5, {0.3, 0.0});
  const Scoreboard board =
      scoreboard({disturbed, parent, against_v8("quiet", 1, 0.9)}, {.own = true});
  EXPECT_EQ(order(board.by_gain), "1 quiet mine, 2 parent mine, 3 disturbed mine");
  EXPECT_EQ(order(board.by_speed), "1 parent mine, 2 quiet mine, 3 disturbed mine");
  EXPECT_TRUE(contains_all(text_of(board, false), {"others disturbed the runs of its parent v8",
                                                   " disturbed ", "such times come last"}));
}

TEST(Scoreboard, StepsOfTheLadderGainOverTheStepBefore) {
  Result v7 = made("v7", 2), v8 = made("v8", 0.5), v9 = made("v9", 0.4);
  for (Result* step : {&v7, &v8, &v9}) step->step = "a_step";
  v8.parent = "v7";
  v9.parent = "v8";
  EXPECT_EQ(order(scoreboard({team("red", {v7, v8, v9})}, {}).by_gain), "1 red v8");
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

TEST(Scoreboard, PartialStudiesAreNamed) {
  NamedStudy red = team("red", {made("a", 4)});
  red.study.complete = false;
  const Scoreboard board = scoreboard({red, team("blue", {made("b", 2)})}, {});
  EXPECT_EQ(order(board.by_speed), "1 blue b, 2 red a");
  EXPECT_TRUE(contains(text_of(board, false), "PARTIAL: red: this study was interrupted"));
  EXPECT_FALSE(contains(text_of(board, false), "PARTIAL: blue"));
  EXPECT_EQ(to_json(board)["partial"][0]["team"], "red");
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
  EXPECT_TRUE(contains_all(text, {"FAILED: red, omp wrong: asx is NaN",
                                  "not ranked: blue: no variant passed and was timed"}));
}

/// Nobody wins by allowing themselves larger errors.
TEST(Scoreboard, AToleranceOfOnesOwnDoesNotHelp) {
  Result loose = made("loose", 0.1);
  loose.check = {1e-3, 1e-2, true, ""};
  Result fine = made("fine", 1);
  fine.check = {1e-12, 1e-2, true, ""};
  const Scoreboard board = scoreboard({team("red", {loose, fine})}, {});
  EXPECT_EQ(order(board.by_speed), "1 red fine");
  EXPECT_TRUE(contains(only(board.failed).reason, "--tolerance 0.01"));
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
  EXPECT_TRUE(contains(only(own.left_out).reason, "of its own"));
  const std::vector<NamedStudy> published = {team("red", {made("sc20_4_both", 0.1)})};
  EXPECT_EQ(scoreboard(published, {.own = true}).left_out.size(), 1u) << "nobody's own";
}

TEST(Scoreboard, DoubtfulPointsHaveNoShareOfTheRoof) {
  Result above = made("a", 1, 130);
  above.rooflines.front().defects = {"above the roof"};
  Result computed = made("b", 1, 40);
  computed.rooflines.front().analytic = true;
  const Scoreboard board = scoreboard({team("red", {above}), team("blue", {computed})}, {});
  EXPECT_EQ(order(board.by_roof), "1 blue b");
  ASSERT_EQ(board.without_roof.size(), 1u);
  const std::string text = text_of(board, false);
  EXPECT_FALSE(contains(text, "130"));
  EXPECT_TRUE(contains_all(text, {"40.0%~", "no share of the roof: red"}));
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
    return show_scoreboard(paths, options, files, false);
  }

  test::TemporaryFolder temporary;
  const fs::path root = temporary.path();
  ScoreboardOptions options;
  BoardFiles files;
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
  EXPECT_THROW(show({red, red}, text), roofline::InputError);
}

TEST_F(ScoreboardFolders, OneBrokenRecordLeavesTheOthersRanked) {
  const fs::path red = write("red", {made("a", 1)}), blue = write("blue", {made("b", 2)});
  fs::resize_file(blue / "study.json", 300);
  std::string text;
  EXPECT_EQ(show({red, blue}, text), 1);
  EXPECT_TRUE(contains_all(text, {"1  red ", "not ranked: blue: "}));
  EXPECT_THROW(show({blue}, text), roofline::InputError);
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

// ---- Studies that a referee made
// -----------------------------------------------------------------

class Judged : public ScoreboardFolders {
 protected:
  /// A submission's record in the judge's folder, signed.
  fs::path judge(const std::string& name, const std::string& created, Result result,
                 const std::string& lacked = "") const {
    StudyRecord study = team(name, {std::move(result)}).study;
    study.created = created;
    study.judge = JudgeRecord{.team = name,
                              .source_sha256 = "0123",
                              .layers = {{"seccomp", lacked}},
                              .round_trip_seconds = 2e-5};
    sign(study, key);
    const fs::path folder = root / "judged" / name / created.substr(0, 10);
    fs::create_directories(folder);
    write_record(folder, study);
    return folder;
  }
  std::string text_with_key() {
    options.key = key;
    std::string text;
    show({root / "judged"}, text);
    return text;
  }

  const Secret key{root / "key"};
};

TEST_F(Judged, ATeamHasItsBestPlaceAndAHistory) {
  judge("red", "2026-11-01T00:00:00Z", made("a", 4));
  judge("red", "2026-11-02T00:00:00Z", made("b", 2));
  judge("blue", "2026-11-03T00:00:00Z", made("c", 3));
  const std::string text = text_with_key();
  EXPECT_TRUE(contains(text, "1  red ") && contains(text, "2  blue ")) << text;
  EXPECT_TRUE(contains(text, "Judged before") && contains(text, "2026-11-01T00:00:00Z  red"))
      << text;
}

TEST_F(Judged, OnlyWhatARefereeMadeHasAPlaceBesideIt) {
  judge("red", "2026-11-01T00:00:00Z", made("a", 4));
  std::string text;
  show({root / "judged", write("blue", {made("b", 1)})}, text);
  EXPECT_TRUE(contains(text, "not ranked: blue: no referee made it"));
}

TEST_F(Judged, AMissingLayerIsNoPlace) {
  judge("red", "2026-11-01T00:00:00Z", made("a", 4), "libseccomp was not there at build");
  EXPECT_TRUE(contains(text_with_key(), "judged without seccomp: libseccomp was not there"));
}

TEST_F(Judged, AChangedRecordHasNoPlace) {
  const fs::path folder = judge("red", "2026-11-01T00:00:00Z", made("a", 4));
  judge("blue", "2026-11-01T00:00:00Z", made("b", 5));
  StudyRecord study = read_record(folder);
  EXPECT_EQ(forgery_in(study, key), "");
  study.results.front().samples.front() /= 2;
  write_record(folder, study);
  EXPECT_TRUE(contains(text_with_key(), "not ranked: red: it was changed after it was signed"));
  EXPECT_EQ(forgery_in(read_record(folder), Secret()), "another judge's key signed it");
}

TEST_F(Judged, PointsGoByGainAndDeadline) {
  const fs::path file = root / "points.json";
  std::ofstream(file) << R"({"right": 2, "thresholds": [{"gain": 1.5, "points": 5},
    {"gain": 3, "points": 8}], "deadlines": [{"until": "2026-12-01T00:00:00Z", "share": 1},
    {"until": "2026-12-08T00:00:00Z", "share": 0.5}]})";
  const PointsRule rule = read_points(file);
  Place place;
  place.created = "2026-11-30T12:00:00Z";
  EXPECT_EQ(points_of(rule, place), 2);
  place.gain = Gain{2, 2, 2};
  EXPECT_EQ(points_of(rule, place), 7);
  place.created = "2026-12-02T00:00:00Z";
  EXPECT_EQ(points_of(rule, place), 3.5);
  place.created = "2026-12-09T00:00:00Z";
  EXPECT_EQ(points_of(rule, place), 0);
  std::ofstream(file) << R"({"deadlines": [{"until": "2026-12-01", "share": 7}]})";
  EXPECT_THROW(read_points(file), roofline::InputError);
}

TEST_F(Judged, GradersGetFilesInWhichNothingActs) {
  judge("=cmd()", "2026-11-01T00:00:00Z", made("a", 4));
  Result wrong = made("w", 1);
  wrong.status = Status::failed;
  wrong.reason = "<script>\"x\"</script>, wrong";
  judge("blue", "2026-11-01T00:00:00Z", wrong);
  files = {root / "board.csv", root / "board.xml", root / "board.html"};
  text_with_key();
  const std::string csv = file_text(files.csv), junit = file_text(files.junit),
                    page = file_text(files.page);
  EXPECT_TRUE(contains(csv, "1,\"'=cmd()\",\"a\""));
  EXPECT_TRUE(contains(csv, "\"blue\"") && contains(csv, "\"\"x\"\"")) << csv;
  EXPECT_TRUE(contains(junit, "failures=\"2\""));
  EXPECT_FALSE(contains(junit, "<script>") || contains(page, "<script>"));
  EXPECT_TRUE(contains(page, "http-equiv=\"refresh\"") && contains(page, "<td>=cmd()</td>"));
}

TEST(JudgesKey, MustBeTheJudgesAlone) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "key";
  const std::string text = Secret(file).sign("text");
  EXPECT_EQ(Secret(file).sign("text"), text) << "the key is kept";
  EXPECT_NE(Secret().sign("text"), text);
  EXPECT_NE(Secret(file).draw("run", 1), Secret(file).draw("run", 1)) << "never the same again";
  fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
  EXPECT_THROW(Secret{file}, roofline::InputError);
  std::ofstream(folder.path() / "short") << "1234";
  fs::permissions(folder.path() / "short", fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THROW(Secret{folder.path() / "short"}, roofline::InputError);
}

}  // namespace
}  // namespace gpp::test
