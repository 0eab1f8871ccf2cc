// Numbers looked up by name, marks filled in, and lies found out.
#include "tools/fill_in/evidence.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/temporary_folder.h"
#include "tests/text.h"
#include "tools/fill_in/evidence_tables.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

Launch launch_of(const char* kernel, int registers, double occupancy) {
  Launch launch;
  launch.kernel = kernel;
  launch.threads_per_block = 512;
  launch.registers = registers;
  launch.occupancy = occupancy;
  return launch;
}

Result result_of(const char* id, const char* step, double seconds) {
  Result result;
  result.variant = id;
  result.step = step;
  result.model = "cuda";
  result.kind = "gpu";
  result.status = Status::passed;
  result.samples = {seconds};
  return result;
}

/// A repository with one record: v1, v2 and v4 of CUDA, the last one with counters.
class EvidenceOfARecord : public testing::Test {
 protected:
  void SetUp() override {
    StudyRecord study;
    study.created = "2025-01-01T00:00:00Z";
    study.input.terms = 1000000000;
    study.input.dimensions =
        Json({{"ncouls", 1000}, {"ngpown", 1000}, {"nbands", 1000}, {"nstart", 1}, {"nend", 1}});
    study.results = {result_of("v1", "first", 0.4), result_of("v2", "second", 0.2),
                     result_of("v4", "fourth", 0.1)};
    study.results[1].launches = {launch_of("void a::kernel<true>(int)", 118, 0.25),
                                 launch_of("void a::kernel<false>(int)", 128, 0.25),
                                 launch_of("sum_partials", 30, 1.0)};
    Result& counted = study.results[2];
    counted.counted.source = roofline::CountedBy::cupti;
    counted.counted.metrics = {
        {"fp64_flop", 5e10}, {"fp64_fma_fraction", 0.6}, {"dram_bytes", 1e9}, {"stall_wait", 2.5}};
    using enum roofline::CeilingKind;
    study.ceilings = {{"a GPU", "gpu", "", "", 1, {}}};
    study.ceilings[0].list = {{"fp64_fma", "FP64, FMA", compute, 1.25e12, {}, 0, "", {}},
                              {"dram", "DRAM", bandwidth, 4e12, {}, 0, "", {}}};
    roofline::Activity activity{"fp64", 5e10, 0.1, {{"dram", 1e9}}, 0.6, false};
    study.results[0].clocks.samples = {1800};
    counted.clocks.samples = {1980, 1440, 1500};
    counted.clocks.throttled = 2;
    counted.energy = EnergyRecord{.used = {5000, 10, 100}, .runs = 100, .run_seconds = 0.1};
    counted.rooflines = {roofline::roofline_point(activity, study.ceilings[0]).value()};
    Result on_host = result_of("v1", "first", 0.4);
    on_host.model = "serial";
    on_host.kind = "host";
    on_host.code.scalar = 56;
    study.results.push_back(on_host);
    const Json sums = Json::array({Json::array({0.0, 0.0})});
    study.reference.values = Json({{"asx", sums},
                                   {"ach", sums},
                                   {"magnitude_asx", sums},
                                   {"magnitude_ach", sums},
                                   {"original", nullptr}});
    for (Result& result : study.results)
      result.answer = Json({{"asx", sums}, {"ach", sums}, {"original", nullptr}});
    fs::create_directories(root / "results/h200/gpp214");
    write_record(root / "results/h200/gpp214", study);
    std::ofstream(root / "note.md") << "The clock was\n1.98 GHz throughout.\n";
  }

  std::string text(const char* name) const { return evidence.quantity(name).text; }

  TemporaryFolder temporary;
  const fs::path root = temporary.path();
  Evidence evidence{root};
};

TEST_F(EvidenceOfARecord, TellsTimesAndRatios) {
  EXPECT_EQ(text("v1 time"), "400.0 ms");
  EXPECT_EQ(text("v4 speedup"), "4.00x");
  EXPECT_EQ(text("v4 gain"), "2.00x");  // over v2: there is no v3
  EXPECT_EQ(text("cuda v2 terms/s"), "5.00e+09");
  EXPECT_EQ(text("h200/gpp214 cuda v2 time"), "200.0 ms");
  EXPECT_EQ(text("v1 error"), "0.0e+00");
  EXPECT_DOUBLE_EQ(*evidence.quantity("v4 gain").value, 2.0);
}

TEST_F(EvidenceOfARecord, TellsTheLaunchesOfTheStepsOwnKernels) {
  EXPECT_EQ(text("v2 registers"), "118 and 128");
  EXPECT_EQ(text("v2 occupancy"), "25%");
  EXPECT_EQ(text("v2 warps"), "16");
  EXPECT_EQ(text("v2 threads"), "512");
}

TEST_F(EvidenceOfARecord, TellsCountersWhereTheyAreAndSaysSoWhereNot) {
  EXPECT_EQ(text("v4 tflop"), "0.05");
  EXPECT_EQ(text("v4 flop/term"), "50.0");
  EXPECT_EQ(text("v4 tflop/s"), "0.50");
  EXPECT_EQ(text("v4 peak"), "40%");
  EXPECT_EQ(text("v4 mix"), "50%");
  EXPECT_EQ(text("v4 metric stall_wait"), "2.50");
  EXPECT_EQ(text("v4 speed"), "500 GFLOP/s");
  for (const char* name : {"v2 tflop", "v2 speed", "v2 flop/term", "v2 tflop/s", "v2 peak",
                           "v2 mix", "v2 metric stall_wait", "v4 metric l1_hit"})
    EXPECT_EQ(text(name), "not counted yet") << name;
}

TEST_F(EvidenceOfARecord, TellsRoofsAndMachineCode) {
  EXPECT_EQ(text("v4 roof fp64_fma"), "1.25 TFLOP/s");
  EXPECT_EQ(text("serial v1 code scalar"), "56");
  EXPECT_EQ(text("serial v1 code packed_512"), "0");
}

TEST_F(EvidenceOfARecord, TellsPowerAndEnergy) {
  EXPECT_EQ(text("v4 watts"), "500 W");
  EXPECT_EQ(text("v4 joules"), "50 J") << "a run has 1e9 terms";
  EXPECT_EQ(text("v2 joules"), "not counted yet");
  EXPECT_EQ(text("v4 joules saved"), "not counted yet") << "v2 before it has none";
}

TEST_F(EvidenceOfARecord, TellsClocksAndWhatALevelMoves) {
  EXPECT_EQ(text("v4 clock"), "1500 MHz");
  EXPECT_EQ(text("v4 speedup in cycles"), "4.80x") << "4.00x in time, at five sixths of the clock";
  EXPECT_EQ(text("v4 intensity dram"), "50.0");
  EXPECT_NEAR(*evidence.quantity("v4 share dram").value, 0.25, 1e-9) << "1 GB in 0.1 s of 4 TB/s";
  for (const char* name : {"v2 clock", "v2 speedup in cycles", "v2 intensity dram", "v2 share dram",
                           "v4 line cutoff wait"})
    EXPECT_EQ(text(name), "not counted yet") << name;
}

TEST_F(EvidenceOfARecord, TellsWhatWasPublished) {
  EXPECT_EQ(text("V100 v8 metric l2_hit"), "2.64");
  EXPECT_EQ(text("V100 v7 time"), "0.66 s");
  EXPECT_EQ(text("V100 v7 gain"), "1.67x");
  EXPECT_EQ(text("V100 v9 speedup"), "2.86x");
  EXPECT_EQ(text("V100 v1 flop/term"), "151");
  EXPECT_EQ(text("V100 v9 flop/term"), "81");
  EXPECT_EQ(text("V100 v9 peak"), "50%");
  EXPECT_EQ(text("V100 v2 registers"), "186");
}

TEST_F(EvidenceOfARecord, RefusesWhatMeansNothing) {
  for (const char* name :
       {"", "v1", "v3 time", "v1 tme", "omp v1 time", "V100 v10 time", "V100 v1 registers",
        "V100 v1 gain", "V100 v1 metric l2_hit", "v4 share l2", "v1 gain", "v1 registers",
        "v4 metric nonsense", "no/study v1 time", "v4 roof none", "v4 code", "serial v1 code none",
        "v1 code scalar"})
    EXPECT_THROW(evidence.quantity(name), std::runtime_error) << name;
}

TEST_F(EvidenceOfARecord, FillsInWhatIsStale) {
  EXPECT_EQ(evidence.fill_in("It takes 7 s now.\n\n<!--numbers\n7 s = v2 time\n-->\n"),
            "It takes 200.0 ms now.\n\n<!--numbers\n200.0 ms = v2 time\n-->\n");
}

TEST_F(EvidenceOfARecord, ChecksClaims) {
  const auto listed = [](const std::string& claim) { return "<!--numbers\n" + claim + "\n-->"; };
  const std::string sound = listed("holds v2 time < v1 time\nholds v4 gain > 1.9");
  EXPECT_EQ(evidence.fill_in(sound), sound);
  for (const char* lie :
       {"holds v2 time > v1 time", "holds v4 gain < 2", "holds v2 peak > 1", "holds v2 time"})
    EXPECT_THROW(evidence.fill_in(listed(lie)), std::runtime_error) << lie;
}

TEST_F(EvidenceOfARecord, ChecksQuotations) {
  const auto quoted = [](const std::string& words, const std::string& file) {
    return "The " + words + ".\n<!--numbers\n" + words + " = in " + file + "\n-->";
  };
  const std::string sound = quoted("clock was 1.98 GHz", "note.md");
  EXPECT_EQ(evidence.fill_in(sound), sound);
  const std::string other = quoted("1.98 GHz", "note.md: 1.98 GHz throughout");
  EXPECT_EQ(evidence.fill_in(other), other);
  for (const std::string& lie :
       {quoted("clock was 2.00 GHz", "note.md"), quoted("1.98", "note.md"),
        quoted("clock was 1.98 GHz", "none.md"), quoted("1.99 GHz", "note.md: 1.98 GHz throughout"),
        quoted("1.98 GHz", "note.md: 1.98 GHz at first")})
    EXPECT_THROW(evidence.fill_in(lie), std::runtime_error) << lie;
}

TEST_F(EvidenceOfARecord, FindsNumbersInLinesAndComputes) {
  std::ofstream(root / "table.csv") << "a,1,12.34,5e-3\nb,1,16,8.04\n";
  const auto listed = [](const std::string& number, const std::string& source) {
    return number + "\n<!--numbers\n" + number + " = " + source + "\n-->";
  };
  for (const auto& [number, source] : {std::pair{"12.3", "in table.csv \"a,\""},
                                       {"5 ms", "in table.csv \"a, 12\""},
                                       {"8.0", "in table.csv \"b,\""},
                                       {"50%", "in table.csv \"b,\" 8.04 / 16"},
                                       {"2.00x", "computed: {v1 time} / {v2 time}"},
                                       {"66.7%", "computed: (1 + 3) / (2 * 3)"},
                                       {"400 ms", "computed: {v2 time} + {v2 time}"}})
    EXPECT_EQ(evidence.fill_in(listed(number, source)), listed(number, source));
  for (const auto& [number, lie] : {std::pair{"12.4", "in table.csv \"a,\""},
                                    {"12.3", "in table.csv \"b,\""},
                                    {"12.3", "in table.csv \"c,\""},
                                    {"12.3", "in none.csv \"a,\""},
                                    {"50%", "in table.csv \"b,\" 8 / 17"},
                                    {"51%", "in table.csv \"b,\" 8.04 / 16"},
                                    {"2.01x", "computed: {v1 time} / {v2 time}"},
                                    {"2", "computed: 2 +"},
                                    {"2", "computed: (2"},
                                    {"2", "computed: {v9 time}"},
                                    {"2", "computed: 2 2"},
                                    {"2", "computed: {v1 metric l1_hit}"}})
    EXPECT_THROW(evidence.fill_in(listed(number, lie)), std::runtime_error) << lie;
}

/// The record of the ladder is taken where there is one; else the numbers that another record has,
/// and no more.
TEST_F(EvidenceOfARecord, SetsPublishedLaddersBesideTheirRecords) {
  const std::string partly = evidence_table(evidence, "ladder tutorial");
  EXPECT_TRUE(contains_all(
      partly, {"| step 1 | v2 | bands inside each thread |", "| 200.0 ms | 2.00x | 2.00x |  |  |",
               "| not measured yet |  |  |  |  |  |",
               "results/h200/gpp214](../results/h200/gpp214/study.json), which has some"}));
  fs::create_directories(root / "results/h200/ladders/tutorial");
  StudyRecord own = evidence.study("h200/gpp214");
  own.ladder = "tutorial";
  own.results = {own.results[0], own.results[1], own.results[2], own.results[2]};
  own.results[2].variant = "tutorial_2_iw_outside";
  own.results[3].variant = "tutorial_3_reciprocal";
  own.results[3].samples = {0.075};
  for (Result& result : own.results) {
    result.rooflines.clear();
    result.counted = {};
  }
  write_record(root / "results/h200/ladders/tutorial", own);
  const std::string whole = evidence_table(evidence, "ladder tutorial");
  EXPECT_TRUE(contains_all(whole, {"| 75.00 ms* | 1.33x | 5.33x | 1500 |  | yes |",
                                   "h200/ladders/tutorial/study.json).\n"}));
  EXPECT_EQ(evidence.quantity("h200/ladders/tutorial cuda tutorial_3_reciprocal gain").text,
            "1.33x");
  const std::string ours = evidence_table(evidence, "ladder between");
  EXPECT_TRUE(contains(
      ours, "| 9a | between_9a_block_size | another size of a block | not measured yet |"));
  EXPECT_FALSE(contains(ours, "11f")) << "CUDA has no lanes";
  EXPECT_THROW(evidence_table(evidence, "ladder sc91"), std::runtime_error);
}

TEST(EvidenceOfLines, TellsTheSharesThatTheTablesOfLinesShow) {
  const Evidence evidence{GPP_SOURCE_DIR};
  EXPECT_EQ(evidence.quantity("v7 line cutoff wait").text, "58%");
  EXPECT_EQ(evidence.quantity("v8 line cutoff wait").text, "65%");
  EXPECT_THROW(evidence.quantity("v8 line finish wait"), std::runtime_error);
}

TEST(EvidenceTables, HaveARowForEveryStep) {
  const Evidence evidence{GPP_SOURCE_DIR};
  for (const char* name : {"times", "operations"}) {
    const std::string table = evidence_table(evidence, name);
    for (int i = 1; i <= 12; ++i)  // v13 has a record of its own
      EXPECT_TRUE(contains(table, "\n| v" + std::to_string(i) + " |"));
  }
  const std::string host = evidence_table(evidence, "ladder between omp");
  EXPECT_TRUE(contains_all(host, {"| v9 | v9 | bands in groups | ", "| 11f | between_11f_lanes | ",
                                  "| step | variant | what changes | 16 cores | "}));
  EXPECT_FALSE(contains(host, "v10")) << host << "hosts have no shared memory";
  EXPECT_THROW(evidence_table(evidence, "nothing"), std::runtime_error);
}

}  // namespace
}  // namespace gpp::test
