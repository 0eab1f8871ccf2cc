// Tests of evidence per source line, combined from two processes with any output.
#include "harness/measure/lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/view/lines.h"
#include "tests/harness/kept_text.h"

namespace gpp::test {
namespace {

using roofline::are_same;
using roofline::Finished;
using roofline::LineMode;
using OptionalTerms = std::optional<std::int64_t>;

const char* const variant_file = "variants/cuda/v04_iw_outside.cu";
const char* const form_file = "gpp/forms/divide.h";

/// Line 40 of the variant and line 20 of an inlined form, with the given values.
Json lines(const char* place, long long own, long long inlined) {
  Json both = {
      {{"file", variant_file}, {"line", 40}, {"function", "f"}, {"stalls", Json::object()}},
      {{"file", form_file}, {"line", 20}, {"function", "f"}, {"stalls", Json::object()}}};
  both[1]["called_from"] = {{"file", variant_file}, {"line", 40}};
  both[0][Json::json_pointer(place)] = own;
  both[1][Json::json_pointer(place)] = inlined;
  return both;
}

Json samples() {
  return {{"what", "samples"},
          {"terms", 13850},
          {"period", 2048},
          {"dropped", 3},
          {"elsewhere", 1},
          {"seconds", {{"sampled", 0.0202}, {"plain", 0.02}}},
          {"part", ""},
          {"scale", 1},
          {"sums", Json::object()},
          {"totals", Json::object()},
          {"lost", Json::array()},
          {"counted", Json::array()},
          {"sources", Json::object()},
          {"lines", lines("/stalls/wait", 10, 30)}};
}

Json totals() {
  return {{"what", "totals"},
          {"asked_terms", 80},
          {"part_terms", 70},
          {"totals", {{"warp_instructions", 10 * 347 * 7}}},
          {"lost", Json::array()}};
}

/// Lines of 7 of 1385 G': each warp executes 4 instructions of the variant and 6 of the form.
Json counts() {
  return {{"what", "instructions"},
          {"terms", 13850},
          {"part_terms", 70},
          {"part", "7 of 1385 G'"},
          {"counted", {"warp_instructions"}},
          {"lost", Json::array()},
          {"lines", lines("/warp_instructions", 4 * 347 * 7, 6 * 347 * 7)}};
}

class Lines : public testing::Test {
 protected:
  Lines() {
    first.output = written({samples(), totals()});
    second.output = written({counts()});
  }
  static std::string written(const std::vector<Json>& documents) {
    std::string text;
    for (const Json& document : documents) text += document.dump() + "\n";
    return text;
  }

  LinesRecord measure() {
    asked.clear();
    return measure_lines(
        [this](LineMode mode, OptionalTerms terms) {
          asked.emplace_back(mode, terms);
          return mode == LineMode::samples ? first : second;
        },
        300);
  }
  /// All lost data as one text.
  std::string lost() {
    std::string text;
    for (const std::string& one : measure().lost) text += one + "\n";
    return text;
  }

  Finished first, second;
  std::vector<std::pair<LineMode, OptionalTerms>> asked;
};

TEST_F(Lines, PutsSamplesAndCountsOfEachLineTogether) {
  const LinesRecord record = measure();
  EXPECT_TRUE(record.lost.empty()) << record.lost.front();
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_EQ(asked[0], std::pair(LineMode::samples, OptionalTerms()));
  EXPECT_EQ(asked[1], std::pair(LineMode::instructions, OptionalTerms(80)))
      << "the part that the totals are of";
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

TEST_F(Lines, ScalesWholeMultiplesToWholeMultiples) {
  for (const std::int64_t kept : {1, 7, 35, 1385})
    EXPECT_EQ(scaled_count(347ULL * 800 * 2 * kept, 11075LL * 1385 * 1600, 11075 * 1600 * kept),
              768'952'000u)
        << kept;
  EXPECT_EQ(scaled_count(7, 10, 4), 18u) << "17.5, rounded";
  EXPECT_EQ(scaled_count(roofline::most_events, 1'000'000'000'000'000'000, 1),
            roofline::most_events);
  EXPECT_EQ(scaled_count(3, 999'999'999'999'999'989, 333'333'333'333'333'333), 9u);
}

TEST_F(Lines, CountsAPartWhereTheWholeTakesTooLong) {
  LinesOptions options;
  options.counting_seconds = 10;
  EXPECT_EQ(countable_terms(1000, 0.05, options), 0) << "10 s: the whole";
  EXPECT_EQ(countable_terms(1000, 0.5, options), 100);
  EXPECT_EQ(countable_terms(1000, 1e9, options), 1);
  options.whole = true;
  EXPECT_EQ(countable_terms(1000, 1e9, options), 0);
}

TEST_F(Lines, SumsThatAreNotTheHardwaresAreADoubt) {
  Json other = totals();
  for (const auto& [total, agrees] : {std::pair(1, false), {24290, true}, {24300, false}}) {
    other["totals"]["warp_instructions"] = total;
    first.output = written({samples(), other});
    EXPECT_EQ(measure().sums_agree(), agrees) << total;
    EXPECT_EQ(lost().find("24290 together, the hardware's counter told ") == std::string::npos,
              agrees);
  }
  other["part_terms"] = 13850;  // lines of another part are incomparable
  first.output = written({samples(), other});
  EXPECT_TRUE(measure().totals.empty());
}

TEST_F(Lines, AProcessThatCrashesOrHangsLosesItsModeAlone) {
  second = {128 + 11, "", "terrible\n"};
  LinesRecord record = measure();
  EXPECT_TRUE(record.has_samples());
  EXPECT_FALSE(record.has_counts());
  EXPECT_EQ(only(record.lost),
            "counts of instructions: the process for them crashed (signal 11); it said: terrible");
  second = {128 + 9, "", "", true};
  EXPECT_TRUE(contains(lost(), "did not end in 300 s (--time-limit)"));
  second.output = written({counts()});
  first = {127, "", ""};
  record = measure();
  EXPECT_FALSE(record.has_samples());
  EXPECT_TRUE(record.has_counts());
  EXPECT_EQ(asked[1].second, OptionalTerms()) << "then the second process decides";
  first = {0, "", ""};
  EXPECT_TRUE(contains(lost(), "samples: the process for them wrote nothing"));
  second = {0, written({counts()}), ""};
  first = {128 + 11, written({samples()}), ""};
  record = measure();
  EXPECT_TRUE(record.has_samples());
  EXPECT_TRUE(record.has_counts());
  EXPECT_TRUE(contains(only(record.lost), "the totals of the hardware's counters: the process"));
}

/// Puts each value into each place of a process's output, and shows what is lost.
TEST_F(Lines, WhatAProcessWritesIsHostile) {
  using Changes = std::vector<std::pair<Json, std::vector<const char*>>>;
  const long long too_many = 1LL << 60;
  std::string told;
  const auto tell = [&](const Json& right, Finished& process, const Changes& changes) {
    for (const auto& [value, places] : changes)
      for (const char* place : places) {
        Json json = right;
        json[Json::json_pointer(place)] = value;
        process.output = written({json});
        EXPECT_TRUE(&process == &first ? measure().has_counts() : !measure().has_counts());
        told += fmt::format("{} = {}\n{}", place, value.dump(), lost());
      }
  };
  tell(samples(), first,
       {{"sample", {"/what"}},
        {7, {"/what", "/lines"}},
        {0, {"/terms", "/period", "/lines/0/line"}},
        {-1, {"/dropped", "/seconds/plain"}},
        {"text", {"/lost"}},
        {1.5, {"/lines/0/line"}},
        {3, {"/lines/0/file", "/lines/0/called_from"}},
        {too_many, {"/lines/0/stalls/wait"}},
        {1, {"/lines/0/stalls/w ait", "/lines/0/warp_instructions"}}});
  first.output = written({samples(), totals()});
  tell(counts(), second,
       {{13851, {"/part_terms"}},
        {13849, {"/terms"}},
        {"sheep", {"/counted/0"}},
        {Json::array(), {"/counted"}},
        {5, {"/lines/0/sectors"}},
        {too_many, {"/lines/0/warp_instructions"}}});
  expect_kept("harness/measure/lost.txt", told);
}

TEST_F(Lines, WhatIsNoJsonOrWasNotAskedForIsShownAndNoMore) {
  for (const char* text : {"Hello\x1b[31m\n", "{\"what\":\n", "[]\n", "\xff\xfe\n", "\n"}) {
    first.output = text;
    const std::string said = lost();
    EXPECT_TRUE(contains(said, "what the process for samples wrote"));
    EXPECT_FALSE(contains(said, "\x1b"));
  }
  first.output = written({samples(), samples()});
  EXPECT_TRUE(contains(lost(), "'samples' was not asked for"));
  EXPECT_EQ(roofline::total_stalls(measure().lines), (roofline::Events{{"wait", 40}}));
  first = {1, written({{{"what", "failure"}, {"reason", "this user may not"}}}), "noise"};
  EXPECT_EQ(lost(), "samples: this user may not\n");
}

// ---- As text ------------------------------------------------------------------------------------

TEST_F(Lines, TheTableHasTheVariantsLineWithTheFormBelow) {
  const std::string text = hottest_lines(measure(), "cuda v4", 20, false);
  EXPECT_TRUE(contains_all(
      text,
      {"cuda v4", "40 samples, one of a multiprocessor every 2048 cycles; 3 more dropped",
       "a run took +1.0% while it was sampled", "7 of 1385 G' and multiplied by 197.857",
       "the lines' sums are what the hardware's counters told (24,290 warp instructions)",
       "v04_iw_outside.cu:40   100.0%  wait 100%    4,805,950", "  divide.h:20           75.0%"}));
  EXPECT_LT(text.find("v04_iw_outside.cu:40"), text.find("  divide.h:20"));
  EXPECT_FALSE(contains(text, "Missing"));
  EXPECT_TRUE(contains_all(whole_files(measure(), "cuda v4", false),
                           {std::string("\n") + variant_file, std::string("\n") + form_file,
                            "#include \"gpp/forms/divide.h\""}));
  second = {1, written({{{"what", "failure"}, {"reason", "no such thing"}}}), ""};
  const std::string half = hottest_lines(measure(), "cuda v4", 1, false);
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
