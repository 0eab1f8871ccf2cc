// Tests of records: written and read back; files that are no records; hostile changes, each refused
// with file, key and value.
#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "gpp/study/record.h"
#include "harness/record/record.h"
#include "harness/record/record_json.h"
#include "roofline/base/text.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"

namespace gpp::test {
namespace {

namespace fs = std::filesystem;

class Record : public testing::Test {
 protected:
  std::string error_of(const fs::path& path) {
    return test::thrown<roofline::InputError>([&] { read_record(path); });
  }
  std::string error_of_text(const std::string& text) {
    std::ofstream(folder / "study.json") << text;
    return error_of(folder);
  }

  test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  StudyRecord study = test::sample_study();
};

TEST_F(Record, ComesBackAsItWas) {
  study.results[1].counted.slice =
      roofline::SliceCount{"7 of 50 G'", 50.0 / 7, {{"sm__inst_executed.sum", 1e9 / 3}}};
  write_record(folder, study);
  EXPECT_FALSE(fs::exists(folder / "study.json.partial"));
  const StudyRecord back = read_record(folder);
  EXPECT_EQ(to_json(back), to_json(study));
  EXPECT_EQ(to_json(read_record(folder / "study.json")), to_json(study));
  EXPECT_EQ(back.results[0].samples, study.results[0].samples) << "bit for bit";
  EXPECT_EQ(back.results[2].check.max_relative_error, std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.results[0].roofline(), nullptr);
  ASSERT_NE(back.results[1].roofline(), nullptr);
  EXPECT_EQ(back.results[1].roofline()->levels.at(2).level, "dram") << "nearest first";
  const auto failed = to_json(study)["results"][2];
  EXPECT_TRUE(failed["time_s"]["median"].is_null() && failed["terms_per_s"].is_null());
  EXPECT_EQ(failed["time_s"]["samples"].size(), 5u) << "what was measured is kept";
}

/// A record contains only facts; derived values are computed again.
TEST_F(Record, KeepsTheKernels) {
  study = test::kernels_study();
  write_record(folder, study);
  const auto result = nlohmann::json::parse(test::file_text(folder / "study.json"))["results"][0];
  for (const char* derived :
       {"terms_per_s", "speedup", "roofline", "rooflines", "instruction_rooflines"})
    EXPECT_FALSE(result.contains(derived)) << derived;
  EXPECT_FALSE(result["time_s"].contains("median"));
  EXPECT_TRUE(result["metrics"].empty()) << "the counters give them";
  EXPECT_EQ(result["kernels"][0].size(), 3u) << "name, launches, counters";
  const StudyRecord back = read_record(folder);
  EXPECT_EQ(to_json(back), to_json(study));
  const Result& v11 = back.results.at(1);
  ASSERT_EQ(v11.kernels.size(), 3u);
  EXPECT_TRUE(test::contains(v11.kernels[0].name, "gpp::cuda::(anonymous namespace)::kernel<2, "));
  EXPECT_EQ(v11.kernels[2].launches, 2) << "sums of both";
  double seconds = 0;
  for (const roofline::KernelProfile& kernel : v11.kernels) seconds += kernel.seconds.value();
  EXPECT_NEAR(seconds, v11.timing().median, 1e-9);
  ASSERT_NE(v11.kernels[0].placed.leading(), nullptr) << "placed anew";
  EXPECT_TRUE(v11.kernels[0].metrics.contains("stall_wait")) << "sampled, kernel by kernel";
}

TEST_F(Record, KeepsTheLoadOfOthersAndWhetherItIsComplete) {
  nlohmann::json earlier = to_json(study);
  for (auto& result : earlier["results"]) result.erase("load");
  earlier["results"][1]["counting"].erase("slice");
  EXPECT_EQ(error_of_text(earlier.dump()), "") << "earlier programs had neither";
  EXPECT_EQ(to_json(read_record(folder)), to_json(study)) << "the same times, nothing made up";
  earlier["complete"] = "almost";
  EXPECT_TRUE(contains(error_of_text(earlier.dump()), "complete: neither true nor false"));
  study.complete = false;
  study.machine.affinity = "0-1";
  study.machine.online_cores = 4;
  study.machine.load_average = 0.25;
  study.machine.governor = "powersave";
  Result& v7 = study.results[1];
  v7.parent = "v6";
  v7.threads = 2;
  v7.load = {{0.01, 0.0}, {0.25, 0.125}, {}, {0.5, 0}, {0.0, 0.0, 0.5}};
  write_record(folder, study);
  const StudyRecord back = read_record(folder);
  EXPECT_EQ(to_json(back), to_json(study));
  EXPECT_TRUE(std::isnan(back.results[1].load.at(2).others)) << "not known, not 0";
  EXPECT_EQ(to_json(back)["results"][1]["load"]["disturbed_runs"], 3)
      << "one of them may have been";
}

TEST_F(Record, FilesThatAreNoRecordsAreRefused) {
  EXPECT_TRUE(test::contains(error_of(folder / "none"), "no such file"));
  EXPECT_TRUE(test::contains(error_of(folder), "study.json: no such file"));
  for (const auto& [text, part] : {std::pair("", "empty"),
                                   {"Sigma", "not JSON"},
                                   {"[]", "not an object"},
                                   {"{}", "'schema_version' is missing"},
                                   {R"({"schema_version": 3})", "use the program that wrote it"},
                                   {R"({"schema_version": 1})", "revision 1551ee35"},
                                   {R"({"schema_version": 2})", "'kernel' is missing"},
                                   {R"({"schema_version": "1"})", "schema_version"}})
    EXPECT_TRUE(test::contains(error_of_text(text), part));
  EXPECT_TRUE(test::contains(
      test::thrown<roofline::InputError>([&] { write_record(folder / "none", study); }), "-o"));
}

TEST_F(Record, EveryMissingKeyIsNamed) {
  const nlohmann::json whole = roofline::facts_json(study);
  const auto refuses_without = [&](const nlohmann::json::json_pointer& place) {
    nlohmann::json part = whole;
    part[place.parent_pointer()].erase(place.back());
    EXPECT_TRUE(contains(error_of_text(part.dump()), "'" + place.back() + "' is missing")) << place;
  };
  for (const char* key : {"created", "git", "machine", "build", "input", "reference", "results"})
    refuses_without(nlohmann::json::json_pointer() / key);
  for (const auto& [key, value] : whole["results"][0].items())
    if (key != "load" && key != "code" && key != "metrics" && key != "kernels")  // may be missing
      refuses_without(nlohmann::json::json_pointer("/results/0") / key);
}

/// The number of a variant's lines whose executed instructions are a multiple of a number.
std::ptrdiff_t lines_of_multiples(const StudyRecord& study, const std::string& name,
                                  std::uint64_t each) {
  for (const Result& result : study.results)
    if (result.model + " " + result.variant == name && result.lines)
      return std::ranges::count_if(result.lines->lines, [each](const auto& line) {
        const std::uint64_t count = roofline::events_of(line.counts, "warp_instructions");
        return count > 0 && count % each == 0;
      });
  return 0;
}

// A warp takes 32 G of one G', 347 warps in all, the last one partly filled; or 32 pairs of G and
// G'.
TEST(LinesRecord, OfTheH200HoldsTheNumbersOfThePublishedSlides) {
  const StudyRecord study = read_record(fs::path(GPP_SOURCE_DIR) / "results/h200/gpp214");
  constexpr std::uint64_t by_row = 768'952'000, collapsed = 766'944'000;
  static_assert(by_row == 347ULL * 1385 * 800 * 2);
  static_assert(collapsed == (11075ULL * 1385 + 31) / 32 * 800 * 2);
  for (const char* name : {"cuda v2", "cuda v4", "cuda v8", "cuda v9"}) {
    EXPECT_GE(lines_of_multiples(study, name, by_row), 5) << name;
    EXPECT_EQ(lines_of_multiples(study, name, collapsed), 0) << name;
  }
  const StudyRecord small = read_record(fs::path(GPP_SOURCE_DIR) / "results/h200/silicon8");
  constexpr std::uint64_t small_collapsed = (402ULL * 402 + 31) / 32 * 192 * 2;
  EXPECT_GE(lines_of_multiples(small, "thrust v2", small_collapsed), 5);
  EXPECT_EQ(lines_of_multiples(small, "thrust v2", 13ULL * 402 * 192 * 2), 0);
}

// ---- Changed to hurt or to deceive --------------------------------------------------------------

using Json = nlohmann::json;

std::string refusal(const std::string& text) {
  return thrown<roofline::InputError>([&] { parse_record(text, "results/x/study.json"); });
}

/// The error after one value of the sample is changed.
std::string refusal_with(const char* place, const Json& value, Json record) {
  record[Json::json_pointer(place)] = value;
  return refusal(record.dump());
}

using Changes = std::vector<std::pair<Json, std::vector<const char*>>>;

/// Changes one value of the record at a time, in each of some places, and lists value, place and
/// message, which begins with the file.
std::string refusals(const Json& record, const Changes& changes) {
  EXPECT_EQ(refusal(record.dump()), "");
  std::string text;
  for (const auto& [value, places] : changes)
    for (const char* place : places) {
      const std::string message = refusal_with(place, value, record);
      EXPECT_TRUE(message.starts_with("results/x/study.json: ")) << place << message;
      EXPECT_FALSE(contains(message, "\x1b"));
      text += fmt::format("{} at {}\n  {}\n", value.dump(), place,
                          message.substr(std::min(message.size(), message.find(' ') + 1)));
    }
  return text;
}

Json sample() { return to_json(sample_study()); }

/// Numbers out of range, values of the wrong type, and contradictions.
const Changes sample_changes = {
    {5e-324, {"/results/0/time_s/samples/0"}},
    {1e308, {"/results/0/time_s/samples/0", "/ceilings/host/list/0/measured"}},
    {-1,
     {"/results/0/check/max_relative_error", "/ceilings/host/list/1/sweep/0/1",
      "/results/0/clock_mhz/samples/1", "/results/0/launch/0/blocks",
      "/results/1/counters/dram__bytes.sum", "/results/1/counting/passes", "/machine/cores",
      "/reference/seconds"}},
    {-1e-10, {"/results/0/check/tolerance"}},
    {0, {"/input/terms", "/input/ncouls", "/ceilings/host/list/0/measured"}},
    {-5, {"/input/terms"}},
    {18446744073709551615u, {"/input/terms"}},
    {1e300, {"/ceilings/host/list/0/theoretical", "/results/1/metrics/fp64_flop"}},
    {1e9, {"/ceilings/host/list/0/clock_mhz"}},
    {1.5, {"/results/0/launch/0/occupancy", "/input/ncouls"}},
    {"fast", {"/results/1/time_s/samples/2"}},
    {0.0, {"/results/1/time_s/samples/2"}},
    {nullptr, {"/results/1/time_s/samples/2", "/results/0/check/max_relative_error"}},
    {"fine", {"/results/0/status"}},
    {{{1, 2}, {3}}, {"/results/0/check/asx"}},
    {1LL << 40, {"/input/ncouls"}},
    {9, {"/input/nend", "/results/0/clock_mhz/throttled_runs"}},
    {"yes", {"/git/dirty"}},
    {{1, 2}, {"/machine"}},
    {"many", {"/results/1/counters/dram__bytes.sum"}},
    {"roof", {"/ceilings/host/list/0/kind"}},
    {{1}, {"/ceilings/host/list/1/sweep/0"}},
    {{{"v1", 1}}, {"/results"}},
    {9'000'000'000'000'000, {"/input/terms"}},
    {1, {"/input/ncouls", "/results/0/check/max_relative_error"}},
    {{{1, 1}}, {"/reference/asx"}},
    {{{9, 9}, {9, 9}}, {"/results/0/check/asx"}},
    {Json::array(), {"/results/0/check/asx"}},
    {0.1 + 1e-13, {"/results/0/check/asx/0/0"}},
    {"passed", {"/results/2/status"}},
    {"`touch PWNED`",
     {"/results/1/variant", "/results/1/step", "/results/1/model", "/results/1/parent",
      "/ceilings/host/list/0/name", "/input/sha256"}},
    {"x'; system('y')", {"/results/1/variant"}},
    {"a b", {"/results/1/variant"}},
    {"\x1b[2J", {"/results/1/variant", "/results/1/kind", "/created"}},
    {"=1", {"/results/1/variant"}}};

TEST(HostileRecords, RefusalsAreThoseThatAreKept) {
  StudyRecord loaded = sample_study();
  loaded.results[1].load = {{0.01, 0.0}, {0.25, 0.125}, {}, {0.5, 0}, {0.0, 0.0}};
  expect_kept("harness/record/refusals.txt",
              refusals(sample(), sample_changes) +
                  refusals(to_json(loaded), {{1.5, {"/results/1/load/others/0"}},
                                             {-0.1, {"/results/1/load/steal/0"}},
                                             {{0.1}, {"/results/1/load/others"}},
                                             {-3, {"/results/1/threads"}},
                                             {1LL << 30, {"/results/1/threads"}},
                                             {"`touch x`", {"/machine/affinity"}},
                                             {-1, {"/machine/load_average"}}}) +
                  refusals(to_json(kernels_study()),
                           {{0, {"/results/0/kernels/0/launches"}},
                            {-5, {"/results/0/kernels/1/counters/dram__bytes.sum"}},
                            {7, {"/results/0/kernels"}}}));
}

TEST(HostileRecords, TextsAndNumbersAreToldInOurWords) {
  Json record = sample();
  record["results"][2]["reason"] = "a\x1b[2J\nEvery check passed\u009b\u202e";
  record["machine"]["cpu"] = "cpu\x07";
  record["ceilings"]["host"]["list"][0]["label"] = "roof\r";
  const StudyRecord study = parse_record(record.dump(), "x");
  EXPECT_EQ(study.results[2].reason, "a\\x1b[2J\\nEvery check passed\\u009b\\u202e");
  EXPECT_EQ(study.machine.cpu, "cpu\\x07");
  EXPECT_EQ(study.ceilings[0].list[0].label, "roof\\r");
  EXPECT_TRUE(contains(refusal_with("/results/1/counters/a\x1b", 1, sample()), "holds a control"));
  StudyRecord odd = sample_study();
  odd.input.path = "a\nfolder\x1b/\xff.dat";
  const std::string text = to_json(odd).dump();
  EXPECT_EQ(parse_record(text, "x").input.path, "a\\nfolder\\x1b/\\xff.dat");
  std::string huge = sample().dump();
  const std::size_t at = huge.find("\"measured\":") + 11;
  huge.replace(at, huge.find(',', at) - at, "1e999");
  const std::string message = refusal(huge);
  EXPECT_TRUE(contains(message, "the number 1e999 before byte"));
  EXPECT_FALSE(contains(message, "json.exception"));
}

/// Every study.json in results/ except a user's own studies, which git ignores.
std::vector<fs::path> kept_records() {
  std::vector<fs::path> records;
  for (const char* name : {"epyc-2-cores", "h100", "h200", "xeon-16-cores", "xeon-2-cores"})
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(GPP_SOURCE_DIR "/results") / name))
      if (entry.path().filename() == "study.json") records.push_back(entry.path());
  return records;
}

TEST(HostileRecords, TextsAndListsAreNotEndless) {
  EXPECT_TRUE(contains(refusal_with("/machine/cpu", std::string(1000, 'a'), sample()), "too long"));
  Json record = sample();
  for (int i = 0; i < 1001; ++i) record["results"].push_back(record["results"][3]);
  EXPECT_TRUE(contains(refusal(record.dump()), "too many"));
}

/// Every fact that a record holds is read, and would be written again; a record lacks what is
/// newer, and a null says no more than its absence.
TEST(KeptRecords, ComeBackAsTheyWere) {
  EXPECT_GE(kept_records().size(), 5u);
  for (const auto& kept : kept_records()) {
    const Json before = Json::parse(file_text(kept));
    for (const Json& change : Json::diff(before, Json(roofline::facts_json(read_record(kept))))) {
      const bool was_null =
          change["op"] == "remove" && before.at(Json::json_pointer(change["path"])).is_null();
      EXPECT_TRUE(was_null || change["op"] == "add") << kept << change;
    }
  }
}

TEST(KeptRecords, HavePointsBelowTheirRoofs) {
  const std::set<std::string> tiled = {"v10", "v11", "v12", "v13", "v14"}, past_l1 = {"v12", "v14"};
  int points = 0;
  for (const Result& result : read_record(GPP_SOURCE_DIR "/results/h200/gpp214").results) {
    const roofline::RooflinePoint* point = result.roofline();
    if (point == nullptr || result.kind != "gpu") continue;
    SCOPED_TRACE(result.model + " " + result.variant);
    const bool cuda = result.model == "cuda";
    EXPECT_EQ(point->precision, "fp64");
    EXPECT_TRUE(point->percent_of_roof > 10 && point->percent_of_roof <= 100);
    EXPECT_TRUE(!cuda || point->levels.size() == (tiled.contains(result.variant) ? 4u : 3u))
        << "only tiles live in shared memory";
    EXPECT_EQ(point->defects.empty(), !cuda || !past_l1.contains(result.variant))
        << "copies past L1";
    ++points;
  }
  EXPECT_GE(points, 25);
}

/// Derived values are computed from facts, whatever a record says.
TEST(HostileRecords, NothingDerivedIsBelieved) {
  for (const char* place :
       {"/results/0/time_s/median", "/results/0/time_s/high", "/results/2/time_s/median",
        "/results/0/terms_per_s", "/results/1/speedup", "/results/1/roofline/percent_of_roof",
        "/results/1/rooflines/fp64/bytes/l2", "/results/1/rooflines/fp64/bound_by",
        "/results/1/metrics/dram_bytes"}) {
    Json record = sample();
    const Json good = to_json(parse_record(record.dump(), "x"));
    for (const Json& lie : {Json(12345), Json("l2"), Json(nullptr)}) {
      record[Json::json_pointer(place)] = lie;
      if (place == std::string("/results/1/metrics/dram_bytes") && !lie.is_number()) continue;
      EXPECT_EQ(Json(to_json(parse_record(record.dump(), "x"))), good) << place << lie;
    }
  }
}

}  // namespace
}  // namespace gpp::test
