#include "harness/measure/check_inputs.h"

#include <limits>
#include <memory>
#include <utility>

#include "harness/program/child.h"

namespace gpp {
namespace {

/// The worse of a run on the input as it is and one on it varied.
Check check_twice(const Subject& subject, const Variant& variant, const Build& build,
                  double tolerance) {
  constexpr std::uint64_t any_seed = 20260101;
  Stage stage(subject);
  Check first = stage.run(variant, build, as_it_is, tolerance, nullptr, true).check;
  if (!first.passed) return first;
  Check varied = stage.run(variant, build, any_seed, tolerance, nullptr, true).check;
  if (!varied.passed) varied.reason = "in a second run, varied: " + varied.reason;
  const bool worse = !varied.passed || varied.max_relative_error > first.max_relative_error;
  return worse ? varied : first;
}

}  // namespace

std::vector<Check> check_on(const std::vector<CheckInput>& inputs, const Choice& choice,
                            const CheckOptions& options) {
  const Build& build = *choice.build;
  std::unique_ptr<Apart> apart;
  const Build* there = nullptr;  // the build in the worker
  std::vector<Check> verdicts;
  for (const CheckInput& input : inputs) {
    Check verdict{std::numeric_limits<double>::infinity(), options.tolerance, false, ""};
    const std::string error = error_of([&] {
      const std::unique_ptr<Subject> subject = input.make();
      if (apart == nullptr) {
        apart = std::make_unique<Apart>(*build.runtime,
                                        ApartOptions{options.limit_s, {}, build.kind != "host"});
        there = &apart->employ(build, options.program);
      }
      verdict = check_twice(*subject, *choice.variant, *there, options.tolerance);
    });
    if (!error.empty()) verdict.reason = error;
    if (!verdict.passed) apart.reset();
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace gpp
