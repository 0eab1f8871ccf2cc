#include "tests/harness/sample_study.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "harness/record/derive.h"
#include "roofline/base/json_place.h"
#include "tests/roofline/sample_chart.h"

namespace gpp::test {
namespace {

Json original(double difference, bool correct) {
  return {{"max_difference", roofline::json_number(difference)},
          {"tolerance", 1e-12},
          {"correct", correct}};
}

/// Sums at two frequencies.
Json sums() {
  return {{"asx", {{0.1, -0.2}, {0.3, 1e-17}}}, {"ach", {{-5.0, 6.0}, {7.0, 1.0 / 3.0}}}};
}

Result passed(const char* variant, const char* step, double seconds) {
  Result result;
  result.variant = variant;
  result.step = step;
  result.model = "omp";
  result.kind = "host";
  result.device = "a processor";
  result.status = Status::passed;
  result.check = {1.3e-14, 1e-10, true, ""};
  result.answer = sums();
  result.answer["original"] = original(3e-16, true);
  for (const double wobble : {1.0, 0.99, 1.01, 1.002, 0.998})
    result.samples.push_back(seconds * wobble);
  result.stop = Stop::stable;
  result.launches = {{"kernel", 1LL << 33, 512, 128, 4096, 16, 0.25}};
  result.clocks = {1980, 1900, {1980, 1980, 1980, 1500, 1980}, 1};
  return result;
}

/// FLOP/s and B/s of the sample's roofs, from which its percentages follow.
constexpr double peak = 3e12 / 0.091, l1 = 3.2e12 / 1.875, l2 = 4e12, dram = 4.1e12;

Result counted(Result result) {
  result.counted = {
      roofline::CountedBy::cupti, "", 3, 1.25, {{"dram__bytes.sum", 2e9}}, {}, {}, {}, {}, {}};
  result.counted.metrics = {{"fp64_flop", 1.5e12},     {"fp64_fma_fraction", 2 * 2.6e13 / peak - 1},
                            {"l1_bytes", 8e11},        {"l2_bytes", 4e10},
                            {"dram_bytes", 2e9},       {"dram_transactions", 2e9 / 32},
                            {"fp64_pipe", 42.5},       {"stall_long_scoreboard", 2},
                            {"stall_not_selected", 4}, {"stall_wait", 3}};
  result.counted.missing = {{"fp64_tensor_flop", "this chip has none"}};
  result.counted.defects = {"2 ranges were dropped"};
  return result;
}

roofline::Ceilings sample_ceilings() {
  using roofline::CeilingKind;
  roofline::Ceilings ceilings{"a processor", "host", "570.1", "2025-01-31T12:00:00Z", 1.5, {}};
  using enum CeilingKind;
  ceilings.list = {
      {"fp64_fma", "FP64, FMA", compute, peak, 3.35e13, 1980, "FMAs", {}},
      {"dram", "DRAM", bandwidth, dram, {}, 1900, "reads", {{1e6, 9e12}, {1e10, 4.1e12}}},
      {"l1", "L1", bandwidth, l1, {}, 1900, "reads", {}},
      {"l2", "L2", bandwidth, l2, {}, 1900, "reads", {}}};
  ceilings.missing = {{"l3", "this processor has none"}};
  return ceilings;
}

Result failed() {
  Result result = passed("v8", "power2", 0.4);
  result.status = Status::failed;
  result.check = {std::numeric_limits<double>::infinity(), 1e-10, false, ""};
  result.answer["asx"][0][0] = nullptr;
  result.answer["original"] = original(std::numeric_limits<double>::infinity(), false);
  result.reason = "in timed run 3: asx at frequency 1 of 2, real part: the variant gave NaN";
  return result;
}

InputRecord input(const char* path, int ncouls, int ngpown, int nbands, long long terms) {
  return {
      path, std::string(64, 'a'), terms,
      Json{{"ncouls", ncouls}, {"ngpown", ngpown}, {"nbands", nbands}, {"nstart", 2}, {"nend", 3}}};
}

Result unavailable() {
  Result result;
  result.variant = "v9";
  result.step = "cache_blocking";
  result.model = "cuda";
  result.check = {std::numeric_limits<double>::infinity(), 1e-10, false, ""};
  result.reason = "no device, \"none\" at all";
  return result;
}

}  // namespace

StudyRecord sample_study() {
  StudyRecord study;
  study.created = "2025-01-31T12:00:00Z";
  study.git = {"0123456789abcdef0123456789abcdef01234567", true};
  study.machine = {"host", "a processor", 2, 8LL << 30, {}, "570.1", "Linux"};
  study.machine.gpus.push_back({"a GPU", "gpu", 132, 140LL << 30, "sm_90", "570.1"});
  study.build = {{{"c++", "GNU 12.2.0"}}, {{"c++", "-O3"}}};
  study.input = input("a.dat", 100, 50, 100'000, 1'000'000'000);
  study.reference.values = sums();
  study.reference.values["magnitude_asx"] = sums()["asx"];
  study.reference.values["magnitude_ach"] = sums()["ach"];
  study.reference.values["original"] = original(1e-16, true);
  study.reference.seconds = 1.5;
  study.results = {passed("v1", "collapse3", 2), counted(passed("v7", "reciprocal", 0.5)), failed(),
                   unavailable()};
  study.ceilings = {sample_ceilings()};
  derive(study);
  return study;
}

StudyRecord roofline_study() {
  StudyRecord study = sample_study();
  study.results.clear();
  const auto add = [&study](const roofline::Step& step, const char* model, const char* kind,
                            const char* device) {
    Result result = passed(step.label.c_str(), "a_step", step.point.seconds);
    result.model = model;
    result.kind = kind;
    result.device = device;
    result.rooflines = {step.point};
    study.results.push_back(result);
  };
  for (const roofline::Step& step : roofline::test::ladder())
    add(step, "cuda", "gpu", "NVIDIA H200");
  // On a processor the same input takes hundreds of times as long as that ladder's own.
  for (roofline::Step step : roofline::test::analytic_ladder()) {
    step.point.flop *= 400;
    step.point.seconds *= 400;
    add(step, "omp", "host", "a processor of two cores");
  }
  study.input = input("somewhere/gpp214.dat", 11075, 1385, 800, 24'542'200'000);
  study.ceilings = {roofline::test::large_gpu(), roofline::test::processor()};
  return study;
}

StudyRecord kernels_study() {
  StudyRecord study = read_record(GPP_SOURCE_DIR "/results/h200/silicon8");
  std::erase_if(study.results, [](const Result& result) {
    return result.model != "cuda" || (result.variant != "v1" && result.variant != "v11");
  });
  for (Result& result : study.results) result.lines.reset();
  return study;
}

}  // namespace gpp::test
