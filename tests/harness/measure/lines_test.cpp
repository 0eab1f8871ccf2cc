// Evidence per source line: what workers found, put together.
#include "harness/measure/lines.h"

#include <nlohmann/json.hpp>

#include "harness/program/source_files.h"
#include "harness/view/lines.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

using roofline::are_same;

const char* const variant_file = "variants/cuda/v04_iw_outside.cu";
const char* const form_file = "gpp/forms/divide.h";

/// Line 40 of the variant itself, and line 20 of a form inlined there.
std::vector<roofline::LineEvidence> two_lines() {
  roofline::LineEvidence own, inlined;
  own.place = {variant_file, 40};
  inlined.place = {form_file, 20};
  inlined.called_from = own.place;
  own.function = inlined.function = "f";
  return {own, inlined};
}

/// Lines of 7 of 1385 G': every warp runs 4 instructions of the variant and 6 of the form.
FoundLines found_lines() {
  FoundLines found;
  found.samples.terms = 13850;
  found.samples.period = 2048;
  found.samples.dropped = 3;
  found.samples.elsewhere = 1;
  found.samples.sampled_seconds = 0.0202;
  found.samples.plain_seconds = 0.02;
  found.samples.lines = two_lines();
  found.samples.lines[0].stalls["wait"] = 10;
  found.samples.lines[1].stalls["wait"] = 30;
  found.totals.totals["warp_instructions"] = 10 * 347 * 7;
  found.totals_terms = found.counts_terms = 70;
  found.part = "7 of 1385 G'";
  found.counts.counted = {"warp_instructions"};
  found.counts.lines = two_lines();
  found.counts.lines[0].counts["warp_instructions"] = 4 * 347 * 7;
  found.counts.lines[1].counts["warp_instructions"] = 6 * 347 * 7;
  return found;
}

TEST(Lines, PutsSamplesAndCountsOfEachLineTogether) {
  const LinesRecord record = joined(found_lines());
  EXPECT_TRUE(record.lost.empty()) << record.lost.front();
  EXPECT_EQ(record.period, 2048);
  EXPECT_EQ(record.terms, 13850);
  EXPECT_EQ(record.part, "7 of 1385 G'");
  EXPECT_TRUE(record.sums_agree());
  ASSERT_EQ(record.lines.size(), 2u);
  EXPECT_EQ(record.lines[0].place.file, form_file);
  EXPECT_EQ(record.lines[0].samples(), 30u);
  EXPECT_EQ(record.lines[0].counts.at("warp_instructions"), 6u * 347 * 1385)
      << "to the instruction";
  EXPECT_EQ(record.lines[1].counts.at("warp_instructions"), 4u * 347 * 1385);
  EXPECT_TRUE(record.sources.contains(variant_file));
  EXPECT_TRUE(record.sources.contains(form_file));
}

TEST(LinesRecord, LetsSumsDifferByLittleFromRunToRun) {
  constexpr std::uint64_t told = 100'000'000;
  for (const auto& [count, most] :
       {std::pair("warp_instructions", 10'000), {"thread_instructions_pred_on", 100'000}}) {
    EXPECT_TRUE(are_same(count, told - most, told)) << count;
    EXPECT_TRUE(are_same(count, told + most, told)) << count;
    EXPECT_FALSE(are_same(count, told - most - 1, told)) << count;
    EXPECT_FALSE(are_same(count, told + most + 1, told)) << count;
  }
  EXPECT_TRUE(are_same("warp_instructions", 0, 0));
  EXPECT_FALSE(are_same("warp_instructions", 1, 0));
}

TEST(Lines, ScalesWholeMultiplesToWholeMultiples) {
  for (const std::int64_t kept : {1, 7, 35, 1385})
    EXPECT_EQ(scaled_count(347ULL * 800 * 2 * kept, 11075LL * 1385 * 1600, 11075 * 1600 * kept),
              768'952'000u)
        << kept;
  EXPECT_EQ(scaled_count(7, 10, 4), 18u) << "17.5, rounded";
  EXPECT_EQ(scaled_count(roofline::most_events, 1'000'000'000'000'000'000, 1),
            roofline::most_events);
  EXPECT_EQ(scaled_count(3, 999'999'999'999'999'989, 333'333'333'333'333'333), 9u);
}

TEST(Lines, CountsAPartWhereTheWholeTakesTooLong) {
  EXPECT_EQ(countable_terms(1000, 0.05, 10), 0) << "10 s: the whole";
  EXPECT_EQ(countable_terms(1000, 0.5, 10), 100);
  EXPECT_EQ(countable_terms(1000, 1e9, 10), 1);
}

TEST(Lines, SumsThatAreNotTheHardwaresAreADoubt) {
  FoundLines found = found_lines();
  for (const auto& [total, agrees] : {std::pair(1, false), {24290, true}, {24300, false}}) {
    found.totals.totals["warp_instructions"] = total;
    const LinesRecord record = joined(found);
    EXPECT_EQ(record.sums_agree(), agrees) << total;
    EXPECT_EQ(record.lost.empty(), agrees) << total;
  }
  found.totals_terms = 13850;  // of something else: no comparison
  EXPECT_TRUE(joined(found).totals.empty());
}

TEST(Lines, AModeThatIsLostLeavesTheOther) {
  FoundLines found = found_lines();
  found.counts = {};
  found.samples.lost = {"counts of instructions: crashed (signal 11)"};
  LinesRecord record = joined(found);
  EXPECT_TRUE(record.has_samples());
  EXPECT_FALSE(record.has_counts());
  EXPECT_EQ(only(record.lost), found.samples.lost.front());
  found = found_lines();
  found.samples = {};
  found.samples.terms = 13850;
  record = joined(found);
  EXPECT_FALSE(record.has_samples());
  EXPECT_EQ(record.lines[1].counts.at("warp_instructions"), 4u * 347 * 1385);
}

// ---- As text ------------------------------------------------------------------------------------

TEST(Lines, TheTableHasTheVariantsLineWithTheFormBelow) {
  const std::string text = hottest_lines(joined(found_lines()), "cuda v4", 20, false);
  EXPECT_TRUE(contains_all(
      text,
      {"cuda v4", "40 samples, one of a multiprocessor every 2048 cycles; 3 more dropped",
       "sampling made a run 1.0% longer", "7 of 1385 G' and multiplied by 197.857",
       "the lines' sums are what the hardware's counters told (24,290 warp instructions)",
       "v04_iw_outside.cu:40   100.0%  wait 100%    4,805,950", "  divide.h:20           75.0%"}));
  EXPECT_LT(text.find("v04_iw_outside.cu:40"), text.find("  divide.h:20"));
  EXPECT_FALSE(contains(text, "Missing"));
  EXPECT_TRUE(contains_all(whole_files(joined(found_lines()), "cuda v4", false),
                           {std::string("\n") + variant_file, std::string("\n") + form_file,
                            "#include \"gpp/forms/divide.h\""}));
  FoundLines found = found_lines();
  found.counts = {};
  found.samples.lost = {"counts of instructions: no such thing"};
  const std::string half = hottest_lines(joined(found), "cuda v4", 1, false);
  EXPECT_TRUE(contains(half, "Missing or doubtful:\n  counts of instructions: no such thing"));
  EXPECT_FALSE(contains(half, "warp instr.")) << "nothing was counted: not even 0";
}

TEST(RepositoryPath, IsTheEndOfAPathThatTheProgramKnows) {
  EXPECT_EQ(repository_path(std::string("/elsewhere/lines/") + variant_file), variant_file);
  EXPECT_EQ(repository_path(std::string("../") + form_file), form_file);
  EXPECT_EQ(repository_path(std::string("/a/build/../") + form_file), form_file);
  EXPECT_EQ(repository_path("/usr/include/math.h"), "/usr/include/math.h");
  EXPECT_EQ(repository_path(""), "");
}

}  // namespace
}  // namespace gpp::test
