// Records that were changed to hurt or to deceive: each is refused, with file, key and value.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "harness/record/record_json.h"
#include "roofline/base/error.h"
#include "tests/harness/kept_records.h"
#include "tests/harness/kept_text.h"
#include "tests/harness/sample_study.h"
#include "tests/text.h"

namespace gpp::test {
namespace {

using Json = nlohmann::json;

std::string refusal(const std::string& text) {
  return thrown<roofline::InputError>([&] { parse_record(text, "results/x/study.json"); });
}

/// The sample with one value changed.
std::string refusal_with(const char* place, const Json& value, Json record) {
  record[Json::json_pointer(place)] = value;
  return refusal(record.dump());
}

using Changes = std::vector<std::pair<Json, std::vector<const char*>>>;

/// The record with one value changed at a time, which stands in each of some places: the value, the
/// place and the message, which begins with the file.
std::string refusals(const Json& record, const Changes& changes) {
  EXPECT_EQ(refusal(record.dump()), "");
  std::string text;
  for (const auto& [value, places] : changes)
    for (const char* place : places) {
      const std::string message = refusal_with(place, value, record);
      EXPECT_TRUE(message.starts_with("results/x/study.json: ")) << place << message;
      text += fmt::format("{} at {}\n  {}\n", value.dump(), place,
                          message.substr(std::min(message.size(), message.find(' ') + 1)));
    }
  return text;
}

Json sample() { return to_json(sample_study()); }

/// Numbers out of their range, values of another kind, and what contradicts the rest.
const Changes changes = {
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
    {1e-3, {"/results/0/check/original/max_difference", "/reference/original/max_difference"}}};

TEST(HostileRecords, RefusalsAreThoseThatAreKept) {
  StudyRecord loaded = sample_study();
  loaded.results[1].load = {{0.01, 0.0}, {0.25, 0.125}, {}, {0.5, 0}, {0.0, 0.0}};
  expect_kept("harness/record/refusals.txt",
              refusals(sample(), changes) +
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

TEST(HostileRecords, ANumberBeyondADoubleIsToldInOurWords) {
  std::string text = sample().dump();
  const std::size_t at = text.find("\"measured\":") + 11;
  text.replace(at, text.find(',', at) - at, "1e999");
  const std::string message = refusal(text);
  EXPECT_TRUE(contains(message, "the number 1e999 before byte"));
  EXPECT_FALSE(contains(message, "json.exception"));
}

TEST(HostileRecords, NamesAreNames) {
  for (const char* place : {"/results/1/variant", "/results/1/step", "/results/1/model",
                            "/results/1/parent", "/ceilings/host/list/0/name"})
    for (const char* text : {"`touch PWNED`", "x'; system('y')", "a b", "a\nb", "\x1b[2J", "=1"})
      EXPECT_TRUE(contains(refusal_with(place, text, sample()), "is no name")) << place;
  EXPECT_TRUE(
      contains(refusal_with("/results/1/kind", "\x1b[2J", sample()), "neither host nor gpu"));
  EXPECT_TRUE(contains(refusal_with("/created", "\x1b[2J", sample()), "not a date"));
  EXPECT_TRUE(contains(refusal_with("/input/sha256", "`x`", sample()), "input.sha256"));
}

TEST(HostileRecords, TextsAreShownEscaped) {
  Json record = sample();
  record["results"][2]["reason"] = "a\x1b[2J\nEvery check passed\u009b\u202e";
  record["machine"]["cpu"] = "cpu\x07";
  record["ceilings"]["host"]["list"][0]["label"] = "roof\r";
  const StudyRecord study = parse_record(record.dump(), "x");
  EXPECT_EQ(study.results[2].reason, "a\\x1b[2J\\nEvery check passed\\u009b\\u202e");
  EXPECT_EQ(study.machine.cpu, "cpu\\x07");
  EXPECT_EQ(study.ceilings[0].list[0].label, "roof\\r");
  EXPECT_TRUE(contains(refusal_with("/results/1/counters/a\x1b", 1, sample()), "holds a control"));
}

TEST(HostileRecords, WhatIsWrittenCanBeRead) {
  StudyRecord study = sample_study();
  study.input.path = "a\nfolder\x1b/\xff.dat";
  const std::string text = to_json(study).dump();
  EXPECT_EQ(parse_record(text, "x").input.path, "a\\nfolder\\x1b/\\xff.dat");
}

TEST(HostileRecords, TextsAndListsAreNotEndless) {
  EXPECT_TRUE(contains(refusal_with("/machine/cpu", std::string(1000, 'a'), sample()), "too long"));
  Json record = sample();
  for (int i = 0; i < 1001; ++i) record["results"].push_back(record["results"][3]);
  EXPECT_TRUE(contains(refusal(record.dump()), "too many"));
}

/// Facts are derived anew, whatever a record says of them.
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

/// The sample in which v1 takes another time, and all that follows from it.
Json with_time(double seconds) {
  StudyRecord study = sample_study();
  for (double& sample : study.results[0].samples) sample *= seconds / 2;
  return to_json(study);
}

TEST(HostileRecords, ImpossibleTimesAreRefused) {
  EXPECT_EQ(refusal(with_time(0.1).dump()), "");
  Json record = with_time(1e-6);
  EXPECT_TRUE(contains_all(refusal(record.dump()), {"results[0].time_s.samples", "impossible"}));
  record["machine"]["cores"] = 0;
  record["ceilings"] = Json::object();
  record["results"].erase(1);
  EXPECT_TRUE(contains(refusal(record.dump()), "impossible")) << "on any machine of 1024 cores";
}

TEST(HostileRecords, OurOwnRecordsHold) {
  for (const auto& record : kept_records()) EXPECT_NO_THROW(read_record(record)) << record;
  EXPECT_GE(kept_records().size(), 5u);
}

}  // namespace
}  // namespace gpp::test
