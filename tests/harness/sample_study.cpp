#include "tests/harness/sample_study.h"

#include <limits>

namespace gpp::test {
namespace {

Result passed(const char* variant, const char* step, double seconds) {
  Result result;
  result.variant = variant;
  result.step = step;
  result.model = "omp";
  result.kind = "host";
  result.device = "a processor";
  result.status = Status::passed;
  result.check = {1.3e-14, 1e-10, true, ""};
  result.sums.asx[0] = {0.1, -0.2};
  result.sums.asx[1] = {0.3, 1e-17};
  result.sums.ach[0] = {-5, 6};
  result.sums.ach[1] = {7, 1.0 / 3.0};
  result.has_sums = true;
  result.original = OriginalVerdict{3e-16, true};
  for (const double wobble : {1.0, 0.99, 1.01, 1.002, 0.998})
    result.samples.push_back(seconds * wobble);
  result.stop = Stop::stable;
  result.launches = {{"kernel", 1LL << 33, 512, 128, 4096, 16, 0.25}};
  result.clocks = {1980, 1900, {1980, 1980, 1980, 1500, 1980}, 1};
  return result;
}

Result failed() {
  Result result = passed("v8", "power2", 0.4);
  result.status = Status::failed;
  result.check = {std::numeric_limits<double>::infinity(), 1e-10, false, ""};
  result.sums.asx[0].re = std::numeric_limits<double>::quiet_NaN();
  result.original = OriginalVerdict{std::numeric_limits<double>::infinity(), false};
  result.reason = "in timed run 3: asx at frequency 1 of 2, real part: the variant gave NaN";
  return result;
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
  study.input = {"a.dat", std::string(64, 'a'), 100, 50, 100'000, 2, 3, 1'000'000'000};
  study.reference.values.sums = passed("", "", 1).sums;
  study.reference.values.magnitude = passed("", "", 1).sums;
  study.reference.seconds = 1.5;
  study.reference.original = OriginalVerdict{1e-16, true};
  study.results = {passed("v1", "collapse3", 2), passed("v7", "reciprocal", 0.5), failed(),
                   unavailable()};
  return study;
}

}  // namespace gpp::test
