// The ranks of what was judged, and the reasons why others have none; keys and signatures.
#include "harness/judge/submission.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "roofline/base/text.h"
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

/// A judge's record of "mine".
StudyRecord judged(double seconds) {
  StudyRecord study = sample_study();
  study.results = {timed("mine", seconds)};
  study.judge = JudgeRecord{.team = "mine", .layers = {{"seccomp", ""}}};
  return study;
}

/// In the order of the times, not in that of the ranks. Of 0 seconds: it failed.
std::vector<int> ranks(const std::vector<double>& times) {
  std::vector<Ruling> all;
  for (const double seconds : times) {
    Ruling& one = all.emplace_back();
    one.submission.name = std::to_string(all.size() - 1);
    if (seconds == 0) continue;
    static_cast<Result&>(one) = timed("mine", seconds);
    one.no_rank = no_rank(judged(seconds));
  }
  rank(all);
  std::vector<int> found(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    found[std::stoul(all[i].submission.name)] = all[i].rank;
    EXPECT_TRUE(i == 0 || all[i].rank == 0 ||
                (all[i - 1].rank > 0 && all[i - 1].rank <= all[i].rank));
  }
  return found;
}

TEST(Ranking, IsByTimeAndSharedWhereNoiseDecides) {
  EXPECT_EQ(ranks({0.5, 0.2, 0, 0.501, 0.7}), (std::vector{2, 1, 0, 2, 4}));
}

const std::pair<const char*, void (*)(StudyRecord&)> no_ranks[] = {
    {"it did not pass", [](StudyRecord& study) { study.results[0].status = Status::failed; }},
    {"it was not timed", [](StudyRecord& study) { study.results[0].samples.clear(); }},
    {"it was judged without seccomp: no kernel",
     [](StudyRecord& study) { study.judge->layers[0].lacked = "no kernel"; }},
    {"no roofs were measured", [](StudyRecord& study) { study.ceilings.clear(); }}};

/// Variants that failed, miss a layer, or have times that no roof limits.
TEST(Ranking, NoRankHasAReason) {
  for (const auto& [why, change] : no_ranks) {
    StudyRecord study = judged(0.5);
    change(study);
    EXPECT_TRUE(contains(no_rank(study), why));
  }
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
