#include "tests/harness/sample_study.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/measure/trajectory.h"
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

/// FLOP/s and B/s of the sample's roofs, which give its percentages.
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
  // On a processor the same input takes hundreds of times longer than in that ladder.
  for (roofline::Step step : roofline::test::analytic_ladder()) {
    step.point.flop *= 400;
    step.point.seconds *= 400;
    add(step, "omp", "host", "a processor of two cores");
  }
  study.input = input("somewhere/gpp214.dat", 11075, 1385, 800, 24'542'200'000);
  study.ceilings = {roofline::test::large_gpu(), roofline::test::processor()};
  return study;
}

StudyRecord study_of_v8() {
  StudyRecord study = roofline_study();
  std::erase_if(study.results, [](const Result& result) {
    return result.model != "cuda" || result.variant != "v8";
  });
  Result& v8 = study.results.front();
  v8.counted.metrics = {{"fp64_pipe", 41.0}, {"stall_long_scoreboard", 5.6}, {"stall_wait", 3.3}};
  v8.rooflines.front().percent_of_roof = 26;
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

LinesRecord sample_lines() {
  const std::string variant = "variants/cuda/v08_power2.cu", form = "gpp/forms/power2.h";
  LinesRecord record;
  record.period = 4096;
  record.counted = {"warp_instructions", "sectors", "ideal_sectors"};
  record.sources[variant] = {
      "// v8", "  const Complex m = conj(a) * problem.aqsntemp(ig, n1);",
      "  const Term term = power2(pole, problem.wx_array_t(n1, iw), problem.limits);"};
  record.sources[form] = {
      "  const Real wdiffr = norm(wdiff);",
      "  if (!(norm(term.ssx) <= pole.ssxcutoff) && wx < Real(0)) term.ssx = {Real(0), Real(0)};"};
  const auto counts = [](std::uint64_t sectors, std::uint64_t ideal) {
    return roofline::Events{
        {"warp_instructions", 1000}, {"sectors", sectors}, {"ideal_sectors", ideal}};
  };
  using Place = roofline::SourcePlace;
  record.lines = {
      {Place{variant, 2}, {}, "kernel", {{"long_scoreboard", 100}, {"wait", 10}}, counts(70, 60)},
      {Place{"gpp/array.h", 9},
       Place{variant, 2},
       "operator()",
       {{"long_scoreboard", 440}, {"wait", 50}},
       counts(900, 400)},
      {Place{form, 1}, Place{variant, 3}, "power2", {{"wait", 160}, {"selected", 100}}, {}},
      {Place{form, 2}, Place{variant, 3}, "power2", {{"math_pipe_throttle", 10}, {"wait", 30}}, {}},
      {Place{}, {}, "division", {{"branch_resolving", 90}, {"no_instructions", 10}}, {}}};
  return record;
}

namespace {

constexpr int all = 132;

/// Arithmetic and L1 scale with multiprocessors; half of them saturate L2 and DRAM.
void scale_roofs(StudyRecord& study, double share) {
  std::erase_if(study.ceilings, [](const roofline::Ceilings& one) { return one.kind != "gpu"; });
  for (roofline::Ceilings& ceilings : study.ceilings)
    for (roofline::Ceiling& ceiling : ceilings.list) {
      const bool far = ceiling.name == "l2" || ceiling.name == "dram";
      const double factor = far ? std::min(1.0, 2 * share) : share;
      ceiling.measured *= factor;
      if (ceiling.theoretical) *ceiling.theoretical *= factor;
      ceiling.sweep.clear();
    }
}

double dram_of(const StudyRecord& study) { return study.ceilings.front().find("dram")->measured; }

/// Sets the DRAM bytes, and the transactions of the same counter.
void move_bytes(roofline::Counted& counted, double bytes) {
  counted.counters["dram__bytes.sum"] = counted.metrics["dram_bytes"] = bytes;
  counted.metrics["dram_transactions"] = bytes / 32;
}

TrajectoryPoint point_on(int units) {
  TrajectoryPoint point{units, "silicon8", kernels_study()};
  const double share = static_cast<double>(units) / all;
  const double dram = dram_of(point.study);
  scale_roofs(point.study, share);
  for (Result& result : point.study.results) {
    const double seconds = result.timing().median;
    for (double& sample : result.samples) sample /= share;
    if (result.variant == "v1")
      move_bytes(result.counted, (units == all ? 0.9 : 0.45) * dram * seconds);
    else if (units < all)
      result.counted = counted_on_fewer(result.counted, {}, "nobody could");
    derive(point.study, result);
  }
  return point;
}

}  // namespace

Trajectory sample_trajectory() {
  Trajectory trajectory;
  trajectory.created = "2026-11-23T12:00:00Z";
  trajectory.kind = "gpu";
  trajectory.device = "NVIDIA H200";
  trajectory.units = all;
  trajectory.seconds = 100;
  trajectory.sizes = {"silicon8"};
  for (const int units : {8, 66, all}) trajectory.points.push_back(point_on(units));
  return trajectory;
}

}  // namespace gpp::test
