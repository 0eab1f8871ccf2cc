// Records written and read back, and files that are no records.
#include "gpp/study/record.h"
#include "harness/record/record.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "harness/record/record_json.h"
#include "roofline/base/error.h"
#include "tests/harness/sample_study.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace gpp {
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
  EXPECT_FALSE(back.results[0].counted.slice.has_value());
  EXPECT_EQ(back.results[1].counted.slice.value().scale, 50.0 / 7);
  EXPECT_EQ(back.results[1].counted.slice->counters, study.results[1].counted.slice->counters);
  EXPECT_EQ(back.results[1].counted.counters, study.results[1].counted.counters);
  EXPECT_EQ(sums_of(back.results[0].answer).ach[1].im, 1.0 / 3.0);
  EXPECT_EQ(back.results[0].launches[0].blocks, 1LL << 33);
  EXPECT_EQ(back.results[2].status, Status::failed);
  EXPECT_EQ(back.results[2].check.max_relative_error, std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.machine.gpus.at(0).name, "a GPU");
  EXPECT_TRUE(back.git.dirty);
  ASSERT_TRUE(original_of(back.results[0].answer).has_value());
  EXPECT_EQ(original_of(back.results[0].answer)->max_difference, 3e-16);
  EXPECT_FALSE(original_of(back.results[3].answer).has_value());
  EXPECT_EQ(back.results[0].roofline(), nullptr);
  ASSERT_NE(back.results[1].roofline(), nullptr);
  EXPECT_EQ(back.results[1].roofline()->levels.at(2).level, "dram") << "nearest first";
  EXPECT_EQ(back.results[1].counted.missing.at(0).reason, "this chip has none");
  EXPECT_EQ(back.ceilings.at(0).find("dram")->sweep.at(1).bytes, 1e10);
  EXPECT_EQ(back.ceilings.at(0).missing.at(0).reason, "this processor has none");
  const auto failed = to_json(study)["results"][2];
  EXPECT_TRUE(failed["time_s"]["median"].is_null() && failed["terms_per_s"].is_null());
  EXPECT_EQ(failed["time_s"]["samples"].size(), 5u) << "what was measured is kept";
}

/// A record holds facts alone; what follows from them is derived anew.
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

TEST_F(Record, LeadingKernelsShareTheTime) {
  Result result;
  const auto kernel = [](double seconds) {
    roofline::KernelProfile one;
    one.seconds = seconds;
    return one;
  };
  result.kernels = {kernel(0.7), kernel(0.26), kernel(0.04)};
  ASSERT_EQ(result.leading_kernels().size(), 2u) << "the third takes less than 5%";
  EXPECT_EQ(result.leading_kernels()[1], &result.kernels[1]);
  result.kernels = {kernel(0.96), kernel(0.04)};
  EXPECT_TRUE(result.leading_kernels().empty()) << "one that takes it all is its variant";
  result.kernels.clear();
  EXPECT_TRUE(result.leading_kernels().empty());
}

/// The sample study with the circumstances of its times.
StudyRecord with_load(StudyRecord study) {
  study.machine.affinity = "0-1";
  study.machine.online_cores = 4;
  study.machine.load_average = 0.25;
  study.machine.governor = "powersave";
  Result& v7 = study.results[1];
  v7.parent = "v6";
  v7.threads = 2;
  v7.load = {{0.01, 0.0}, {0.25, 0.125}, {}, {0.5, 0}, {0.0, 0.0}};
  return study;
}

TEST_F(Record, KeepsTheLoadOfOthers) {
  const StudyRecord loaded = with_load(study);
  write_record(folder, loaded);
  const StudyRecord back = read_record(folder);
  EXPECT_EQ(to_json(back), to_json(loaded));
  EXPECT_EQ(back.machine.affinity, "0-1");
  EXPECT_EQ(back.machine.load_average, 0.25);
  EXPECT_EQ(back.results[1].threads, 2);
  EXPECT_EQ(back.results[1].parent, "v6");
  EXPECT_EQ(back.results[1].load.at(1).steal, 0.125);
  EXPECT_TRUE(std::isnan(back.results[1].load.at(2).others)) << "not known, not 0";
  EXPECT_EQ(to_json(back)["results"][1]["load"]["disturbed_runs"], 3)
      << "one of them may have been";
  EXPECT_TRUE(back.results[0].load.empty());
  nlohmann::json json = to_json(study);
  for (auto& result : json["results"]) result.erase("load");
  json["results"][1]["counting"].erase("slice");
  EXPECT_EQ(error_of_text(json.dump()), "") << "earlier programs had neither";
  EXPECT_EQ(to_json(read_record(folder)), to_json(study)) << "the same times, nothing made up";
}

TEST_F(Record, SaysWhetherItIsComplete) {
  nlohmann::json json = to_json(study);
  EXPECT_TRUE(json["complete"].get<bool>());
  study.complete = false;
  write_record(folder, study);
  EXPECT_FALSE(read_record(folder).complete);
  json["complete"] = "almost";
  EXPECT_NE(error_of_text(json.dump()).find("complete: neither true nor false"), std::string::npos);
}

TEST_F(Record, FilesThatAreNoRecordsAreRefused) {
  EXPECT_TRUE(test::contains(error_of(folder / "none"), "no such file"));
  EXPECT_TRUE(test::contains(error_of(folder), "holds no study.json"));
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
  study.results[1].counted.slice = roofline::SliceCount{"7 of 50 G'", 50.0 / 7, {}};
  const nlohmann::json whole = roofline::facts_json(study);
  nlohmann::json unscaled = whole;
  unscaled["results"][1]["counting"]["slice"].erase("scale");
  EXPECT_TRUE(test::contains(error_of_text(unscaled.dump()), "slice: 'scale' is missing"));
  for (const char* key : {"created", "git", "machine", "build", "input", "reference", "results"}) {
    nlohmann::json part = whole;
    part.erase(key);
    EXPECT_NE(error_of_text(part.dump()).find(std::string("'") + key), std::string::npos) << key;
  }
  for (const auto& [key, value] : whole["results"][0].items()) {
    if (key == "load" || key == "code" || key == "metrics" || key == "kernels")
      continue;  // not of every result
    nlohmann::json part = whole;
    part["results"][0].erase(key);
    const std::string error = error_of_text(part.dump());
    EXPECT_NE(error.find("results[0]"), std::string::npos) << key;
    EXPECT_NE(error.find(key), std::string::npos) << key;
  }
}

/// How many lines of a variant executed a whole multiple of so many instructions.
std::size_t lines_of_multiples(const StudyRecord& study, const char* model, const char* variant,
                               std::uint64_t each) {
  for (const Result& result : study.results)
    if (result.variant == variant && result.model == model && result.lines)
      return static_cast<std::size_t>(std::count_if(
          result.lines->lines.begin(), result.lines->lines.end(), [each](const auto& line) {
            const std::uint64_t count = roofline::events_of(line.counts, "warp_instructions");
            return count > 0 && count % each == 0;
          }));
  return 0;
}

// A warp takes 32 G of one G', in 347 warps the last of which has some lanes; or 32 pairs of G and
// G', whatever their G'.
TEST(LinesRecord, OfTheH200HoldsTheNumbersOfThePublishedSlides) {
  const StudyRecord study = read_record(fs::path(GPP_SOURCE_DIR) / "results/h200/gpp214");
  constexpr std::uint64_t by_row = 768'952'000, collapsed = 766'944'000;
  static_assert(by_row == 347ULL * 1385 * 800 * 2);
  static_assert(collapsed == (11075ULL * 1385 + 31) / 32 * 800 * 2);
  for (const char* variant : {"v2", "v4", "v8", "v9"}) {
    EXPECT_GE(lines_of_multiples(study, "cuda", variant, by_row), 5u) << variant;
    EXPECT_EQ(lines_of_multiples(study, "cuda", variant, collapsed), 0u) << variant;
  }
  const StudyRecord small = read_record(fs::path(GPP_SOURCE_DIR) / "results/h200/silicon8");
  constexpr std::uint64_t small_collapsed = (402ULL * 402 + 31) / 32 * 192 * 2;
  EXPECT_GE(lines_of_multiples(small, "thrust", "v2", small_collapsed), 5u);
  EXPECT_EQ(lines_of_multiples(small, "thrust", "v2", 13ULL * 402 * 192 * 2), 0u);
}

}  // namespace
}  // namespace gpp
