// What people see of a study.
#include "harness/view/summary.h"

#include <fmt/format.h>

#include <sstream>

#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

/// The line that holds all the words.
std::string line_with(const std::string& text, const std::vector<std::string>& words) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    bool all = true;
    for (const std::string& word : words) all = all && contains(line, word);
    if (all) return line;
  }
  return "";
}

TEST(Summary, ShowsCheckTimeSpeedAndWhatWasPublished) {
  const std::string line = line_with(summary(sample_study(), false), {"v7", "reciprocal"});
  for (const char* part :
       {"omp", "ok 1.3e-14", "correct", "500.0 ms", "1.0%", "2.00e+09", "4.00x", "2.47x"})
    EXPECT_TRUE(contains(line, part)) << part << " in: " << line;
}

TEST(Summary, AFailureCannotBeMissed) {
  const std::string text = summary(sample_study(), false);
  EXPECT_TRUE(contains(line_with(text, {"v8", "power2"}), "FAILED"));
  const std::string end = text.substr(text.find("!!!!"));
  EXPECT_TRUE(contains_all(end, {"FAILED: 1 of 4 variants", "omp v8 power2: in timed run 3"}));
  EXPECT_FALSE(contains(text, "Every check passed"));
  EXPECT_FALSE(contains(line_with(text, {"v8", "power2"}), "ms")) << "no time for wrong sums";
}

TEST(Summary, APartialStudyCannotBeTakenForAWholeOne) {
  StudyRecord study = sample_study();
  study.results.erase(study.results.begin() + 2);
  study.complete = false;
  const std::string text = summary(study, false);
  EXPECT_TRUE(contains(text.substr(0, text.find('\n')), "PARTIAL"));
  EXPECT_TRUE(contains_all(
      text, {"!! PARTIAL: this study was interrupted or killed", "!! 2 of 3 variants were timed"}));
  EXPECT_FALSE(contains(text, "Every check passed"));
  const std::string both = side_by_side({{"a", sample_study()}, {"b", study}}, false);
  EXPECT_TRUE(contains(line_with(both, {"[2]"}), "PARTIAL"));
  EXPECT_FALSE(contains(line_with(both, {"[1] a"}), "PARTIAL"));
  EXPECT_TRUE(contains(both, "\nb:\n!!!!"));
}

TEST(Summary, AnInputInDoubtIsNeverCalledGood) {
  StudyRecord study = sample_study();
  study.results.pop_back();
  study.results.pop_back();  // what failed and what did not run
  ASSERT_TRUE(contains(summary(study, false), "Every check passed."));
  study.reference.disagreement = "asx at frequency 2 differs from record 17 by 1.0e-09 Ry";
  const std::string text = summary(study, false);
  EXPECT_TRUE(contains(text, "THE INPUT IS IN DOUBT: asx at frequency 2 differs"));
  EXPECT_FALSE(contains(text, "Every check passed"));
  EXPECT_TRUE(has_faults(study));
}

TEST(Summary, TellsHowManyTermsRoundingDecides) {
  StudyRecord study = sample_study();
  EXPECT_FALSE(contains(summary(study, false), "to within rounding"));
  study.reference.values["tied_terms"] = 1;
  EXPECT_TRUE(contains(summary(study, false), "1 term lies on a limit of the definition"));
  study.reference.values["tied_terms"] = 12;
  EXPECT_TRUE(contains(summary(study, false), "12 terms lie on a limit of the definition"));
}

TEST(Summary, SaysSoWhereEverythingPassed) {
  StudyRecord study = sample_study();
  study.results.erase(study.results.begin() + 2);
  EXPECT_TRUE(contains(summary(study, false), "Every check passed."));
  EXPECT_FALSE(contains(summary(study, false), "FAILED"));
  study.results.erase(study.results.begin(), study.results.begin() + 2);
  EXPECT_TRUE(contains(summary(study, false), "nothing was checked"));
}

TEST(Summary, ShowsWhatCouldNotRunAndWhy) {
  EXPECT_TRUE(contains(summary(sample_study(), false), "cuda v9: no device"));
}

TEST(Summary, FitsAHundredColumnsAndHasNoColoursUnasked) {
  const std::string text = summary(sample_study(), false);
  EXPECT_LE(longest_line(text), 100u);
  EXPECT_FALSE(contains(text, "\033"));
  EXPECT_TRUE(contains(summary(sample_study(), true), "\033[1;31m"));
}

TEST(Summary, HoldsTheLadderThatWasStudied) {
  StudyRecord study = sample_study();
  study.ladder = "sc19";
  const std::string text = summary(study, false);
  EXPECT_TRUE(contains_all(
      text, {"Ladder sc19: SC19 tutorial", "(Yang 2019)", "\nIn the model omp\n", "over first",
             "v7: no gain: v6 has no time", "v8: FAILED: in timed run 3", "v3: left out",
             "v9: taken for granted here: the strides, 128 and 64", "So is holds: yes"}));
  std::istringstream lines(text);
  bool seen = false;  // in the first of two tables, of OpenMP
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 102u) << line;
    if (!seen && line.starts_with("v7    divisions become reciprocals")) {
      seen = true;
      EXPECT_TRUE(contains_all(line, {"1.67x", "4.00x"}));
      EXPECT_TRUE(line.ends_with(" -")) << "no gain without v6: " << line;
    }
  }
  EXPECT_TRUE(seen) << text;
  EXPECT_FALSE(contains(summary(sample_study(), false), "Ladder"));
}

TEST(Summary, MarksThrottledRuns) {
  const std::string text = summary(sample_study(), false);
  EXPECT_TRUE(contains(line_with(text, {"v7"}), "500.0 ms*"));
  EXPECT_TRUE(contains(text, "throttled"));
}

/// The summary from its second table on.
std::string roofline_of(const StudyRecord& study) {
  const std::string text = summary(study, false);
  const std::size_t start = text.find("\nRoofline\n");
  return start == std::string::npos ? "" : text.substr(start);
}

/// The sample study with v1 computed instead of counted.
StudyRecord with_a_computed_point() {
  StudyRecord study = sample_study();
  Result& v1 = study.results[0];
  v1.counted.source = roofline::CountedBy::analytic;
  v1.counted.reason = "no counters here";
  v1.rooflines = study.results[1].rooflines;
  v1.rooflines.front().analytic = true;
  v1.rooflines.front().flop_per_s = 7.5e10;
  v1.rooflines.front().levels = {{"dram", 2e9, 750, 3.3e13, 9.1, 0.0005}};
  v1.rooflines.front().bound_by = "compute";
  v1.rooflines.front().defects.clear();
  return study;
}

TEST(Roofline, ShowsSpeedRoofAndIntensities) {
  const std::string text = roofline_of(sample_study());
  const std::string line = line_with(text, {"omp", "v7"});
  for (const char* part :
       {"*", "3.000 TFLOP/s", "9.1%", "93.8%", "l1", "1.88", "37.5", "750", "42.5%", "wait"})
    EXPECT_TRUE(contains(line, part)) << part << " in: " << line;
  EXPECT_EQ(line_with(text, {"omp", "v1 "}), "") << "not counted";
  EXPECT_TRUE(
      contains(text,
               "roofs of a processor: FP64, FMA 32.97 TFLOP/s; L1 1.707 TB/s; L2 4.000 TB/s; "
               "DRAM 4.100 TB/s"))
      << text;
  EXPECT_TRUE(contains(text, "*: counted by hardware"));
  EXPECT_FALSE(contains(text, "o: computed"));
}

TEST(Roofline, SaysLatencyWhereNoRoofIsNear) {
  StudyRecord study = with_a_computed_point();
  study.results[0].counted.metrics.clear();
  study.results[0].rooflines.front().percent_of_roof = 4;
  study.results[1].rooflines.front().percent_of_roof = 26;
  study.results[1].rooflines.front().bound_by = "compute";
  const std::string text = roofline_of(study);
  const std::string counted = line_with(text, {"omp", "v7"});
  EXPECT_TRUE(contains_all(counted, {"latency", "wait 3.00"}));
  EXPECT_FALSE(contains(counted, "compute"));
  EXPECT_TRUE(contains(line_with(text, {"omp", "v1"}), "no roof near"));
}

TEST(Roofline, TellsComputedPointsFromCountedOnes) {
  const std::string text = roofline_of(with_a_computed_point());
  const std::string line = line_with(text, {"omp", "v1"});
  for (const char* part : {" o ", "75.00 GFLOP/s", "compute", "750", "-"})
    EXPECT_TRUE(contains(line, part)) << part << " in: " << line;
  EXPECT_FALSE(contains(line, "*"));
  EXPECT_TRUE(contains(text, "o: computed from the source"));
}

TEST(Roofline, ShowsDefectsAsWarnings) {
  StudyRecord study = sample_study();
  study.results[1].rooflines[0].defects = {"the point lies above the l1 roof"};
  const std::string text = roofline_of(study);
  EXPECT_TRUE(contains_all(text, {"warning: omp v7: 2 ranges were dropped",
                                  "warning: omp v7: the point lies above the l1 roof"}));
}

TEST(Roofline, SaysWhatCountingCost) {
  const std::string text = roofline_of(sample_study());
  EXPECT_TRUE(contains(text, "Counting by hardware took 1.250 s, 2.5 times the runs."));
}

TEST(Roofline, SaysWhatWasCountedOnASlice) {
  StudyRecord study = sample_study();
  EXPECT_FALSE(contains(summary(study, false), "mix of instructions"));
  study.results[1].counted.slice = roofline::SliceCount{"7 of 50 G'", 5, {}};
  const std::string text = roofline_of(study);
  EXPECT_TRUE(contains(text, "the mix of instructions is counted on 7 of 50 G'"));
  EXPECT_LE(longest_line(text), 100u) << text;
}

TEST(Roofline, SaysWhyAGpuWasNotCounted) {
  StudyRecord study = with_a_computed_point();
  EXPECT_FALSE(contains(roofline_of(study), "no counters here")) << "a host's are never read";
  study.results[0].kind = "gpu";
  study.ceilings.front().kind = "gpu";
  EXPECT_TRUE(contains(roofline_of(study), "not counted by hardware: omp v1: no counters here"));
}

TEST(Roofline, IsLeftOutWhereNothingWasCounted) {
  StudyRecord study = sample_study();
  for (Result& result : study.results) {
    result.counted = {};
    result.rooflines.clear();
  }
  EXPECT_EQ(roofline_of(study), "");
}

TEST(Units, GiveRatesTheirPrefix) {
  EXPECT_EQ(roofline::describe_rate(33.43e12, "FLOP/s"), "33.43 TFLOP/s");
  EXPECT_EQ(roofline::describe_rate(4.1e9, "B/s"), "4.100 GB/s");
  EXPECT_EQ(roofline::describe_rate(12, "B/s"), "12 B/s");
}

TEST(SideBySide, PutsStudiesInColumns) {
  StudyRecord other = sample_study();
  other.results.erase(other.results.begin());
  for (double& sample : other.results[0].samples) sample *= 0.5;
  const std::string text = side_by_side({{"first", sample_study()}, {"second", other}}, false);
  const std::string line = line_with(text, {"v7", "reciprocal"});
  EXPECT_TRUE(contains(line, "2.000e+09")) << text;
  EXPECT_TRUE(contains(line, "4.000e+09")) << text;
  EXPECT_TRUE(contains(line_with(text, {"v1", "collapse3"}), "-")) << text;
  EXPECT_TRUE(contains(text, "FAILED"));
}

TEST(Tables, AlignAndTrim) {
  roofline::Table table({{"name", roofline::Table::Align::left},
                         {"n", roofline::Table::Align::right},
                         {"", roofline::Table::Align::left}});
  table.add({"a", "10", ""});
  table.add({"long name", "9", "x"});
  EXPECT_EQ(table.text(), "name        n\n----------------\na          10\nlong name   9  x\n");
}

TEST(Tables, WrapAtWords) {
  EXPECT_EQ(roofline::wrapped("one two three four", 9, 2), "one two\n  three\n  four");
  EXPECT_EQ(roofline::wrapped("incomprehensibilities", 5, 2), "incomprehensibilities");
}

TEST(Units, SuitTheSize) {
  EXPECT_EQ(roofline::describe_seconds(1.63), "1.630 s");
  EXPECT_EQ(roofline::describe_seconds(0.0257), "25.70 ms");
  EXPECT_EQ(roofline::describe_seconds(0.1), "100.0 ms");
  EXPECT_EQ(roofline::describe_seconds(4.2e-6), "4.200 us");
}

TEST(Summary, TellsTheKernelsOfAVariantApart) {
  StudyRecord study = kernels_study();
  const std::string text = summary(study, false);
  const std::size_t table = text.find("Kernels\n");
  ASSERT_NE(table, std::string::npos);
  const Result& v11 = study.results.back();
  const roofline::KernelProfile& first = v11.kernels.front();
  const std::string share =
      fmt::format("{:.1f}%", 100 * first.seconds.value_or(0) / v11.timing().median);
  for (const std::string& part :
       {std::string("v1   cuda::kernel"), std::string("cuda::kernel<2, false>"),
        std::string("cuda::kernel<2, true>"), share})
    EXPECT_NE(text.find(part, table), std::string::npos) << part << text.substr(table);
  for (Result& result : study.results) result.kernels.clear();
  EXPECT_FALSE(contains(summary(study, false), "Kernels\n"));
}

}  // namespace
}  // namespace gpp::test
