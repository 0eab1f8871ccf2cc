// The ranks of what was judged, and the reasons why others have none; keys and signatures.
#include "harness/judge/submission.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

Result timed(const std::string& name, double seconds) {
  Result result = sample_study().results[0];
  result.variant = result.step = name;
  result.samples.clear();
  for (const double wobble : {1.0, 0.999, 1.001, 1.0, 1.0})
    result.samples.push_back(seconds * wobble);
  return result;
}

/// A judge's record of "mine", made from v8, which took a second. Its roofs suit two cores.
StudyRecord judged(double seconds) {
  StudyRecord study = sample_study();
  for (roofline::Ceiling& roof : study.ceilings.front().list)
    if (roof.kind == roofline::CeilingKind::compute) {
      roof.measured = 1e11;
      roof.theoretical = 2e11;
    }
  study.results = {timed("v8", 1), timed("mine", seconds)};
  study.results[1].parent = "v8";
  study.judge = JudgeRecord{.team = "mine", .layers = {{"seccomp", ""}}};
  return study;
}

/// In the order of the standings, not in that of the ranks.
std::vector<int> ranks(const std::vector<Standing>& standings) {
  std::vector<Judged> all;
  for (const Standing& one : standings)
    all.push_back({.submission = {.name = std::to_string(all.size())}, .standing = one});
  rank(all);
  std::vector<int> found(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    found[std::stoul(all[i].submission.name)] = all[i].standing.rank;
    EXPECT_TRUE(i == 0 || all[i].standing.rank == 0 ||
                (all[i - 1].standing.rank > 0 && all[i - 1].standing.rank <= all[i].standing.rank));
  }
  return found;
}

TEST(Ranking, IsByTimeAndSharedWhereNoiseDecides) {
  EXPECT_EQ(ranks({standing_of(judged(0.5)), standing_of(judged(0.2)), standing_of(judged(0.501)),
                   standing_of(judged(0.7))}),
            (std::vector{2, 1, 2, 4}));
  EXPECT_NEAR(*standing_of(judged(0.5)).gain, 2, 1e-12);
  for (const double seconds : {1.0, 1.005, 1.5}) {
    const Standing standing = standing_of(judged(seconds));
    EXPECT_EQ(standing.no_rank, "it is not faster than v8") << seconds;
    EXPECT_EQ(ranks({standing, standing_of(judged(0.5))}), (std::vector{0, 1}));
  }
  EXPECT_EQ(ranks({Standing(), standing_of(judged(0.5))}), (std::vector{0, 1}));
}

const std::pair<const char*, void (*)(StudyRecord&)> no_ranks[] = {
    {"nobody knows what it was made from",
     [](StudyRecord& study) { study.results[1].parent = ""; }},
    {"v8, which it was made from, was not timed",
     [](StudyRecord& study) { study.results[0].status = Status::failed; }},
    {"v8, which it was made from, was not timed",
     [](StudyRecord& study) { study.results.erase(study.results.begin()); }},
    {"it did not pass", [](StudyRecord& study) { study.results[1].status = Status::failed; }},
    {"it was not timed", [](StudyRecord& study) { study.results[1].samples.clear(); }},
    {"it was judged without seccomp: no kernel",
     [](StudyRecord& study) { study.judge->layers[0].lacked = "no kernel"; }},
    {"no roofs were measured", [](StudyRecord& study) { study.ceilings.clear(); }}};

/// Variants that failed, miss a layer, or have times that no roof limits.
TEST(Ranking, NoRankHasAReason) {
  for (const auto& [why, change] : no_ranks) {
    StudyRecord study = judged(0.5);
    change(study);
    EXPECT_TRUE(contains(standing_of(study).no_rank, why));
  }
}

TEST(Ranking, DoubtIsMarked) {
  EXPECT_EQ(standing_of(judged(0.5)).doubt, "");
  StudyRecord study = judged(0.5);
  study.results[0].load.assign(5, {0.3, 0.0});
  Standing standing = standing_of(study);
  EXPECT_TRUE(contains(standing.doubt, "disturbed in v8: others took 30%")) << standing.doubt;
  EXPECT_EQ(ranks({standing}), std::vector{1});
  study = judged(0.5);
  study.results[1].samples.resize(2);
  standing = standing_of(study);
  EXPECT_TRUE(contains(standing.doubt, "that may be chance")) << standing.doubt;
  EXPECT_EQ(ranks({standing}), std::vector{1});
}

TEST(JudgesKey, FindsWhatWasChanged) {
  const TemporaryFolder folder;
  const Secret key(folder / "key");
  StudyRecord study = judged(0.5);
  sign(study, key);
  write_record(folder.path(), study);
  StudyRecord read = read_record(folder.path());
  EXPECT_EQ(forgery_in(read, key), "");
  EXPECT_EQ(forgery_in(read, Secret()), "another judge's key signed it");
  read.results.back().samples.front() /= 2;
  EXPECT_EQ(forgery_in(read, key), "it was changed after it was signed");
  read.judge.reset();
  EXPECT_EQ(forgery_in(read, key), "no judge signed it");
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
