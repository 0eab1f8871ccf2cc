#include "harness/measure/check_inputs.h"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "harness/measure/stage.h"
#include "harness/program/child.h"

namespace gpp {
namespace {

/// A worker that runs the variant on one input after the other.
class Checker {
 public:
  Checker(const Choice& choice, const CheckOptions& options) : choice_(choice), options_(options) {}

  Check check(const CheckInput& input) {
    Check verdict;
    const std::string error = error_of([&] {
      const std::unique_ptr<Subject> subject = input.make();
      const Build& build = *choice_.build;
      if (apart_ == nullptr) {
        apart_ = std::make_unique<Apart>(*build.runtime,
                                         ApartOptions{options_.limit_s, {}, build.kind != "host"});
        build_ = &apart_->employ(build, options_.program);
      }
      verdict = check_twice(*subject);
    });
    if (!error.empty() || !verdict.passed) apart_.reset();
    if (error.empty()) return verdict;
    return {std::numeric_limits<double>::infinity(), options_.tolerance, false, error};
  }

 private:
  /// The worse of a run on the input as it is and one on it varied.
  Check check_twice(const Subject& subject) {
    constexpr std::uint64_t any_seed = 20260101;
    Stage stage(subject);
    Check worst;
    for (const std::uint64_t seed : {as_it_is, any_seed}) {
      Check check;
      const std::string error = error_of(
          [&] { check = stage.run(*choice_.variant, *build_, seed, options_.tolerance).check; });
      if (apart_->wrote_to_input(*build_)) {
        check.passed = false;
        check.reason = fmt::format("it writes to its input ({})", stage.on(*apart_).repair());
      } else if (!error.empty()) {
        throw std::runtime_error(error);
      }
      if (!check.passed && seed != as_it_is)
        check.reason = "in a second run, varied: " + check.reason;
      if (seed == as_it_is || !check.passed || check.max_relative_error > worst.max_relative_error)
        worst = check;
      if (!worst.passed) break;
    }
    return worst;
  }

  const Choice& choice_;
  const CheckOptions& options_;
  std::unique_ptr<Apart> apart_;
  const Build* build_ = nullptr;  // in the worker
};

}  // namespace

std::vector<Check> check_on(const std::vector<CheckInput>& inputs, const Choice& choice,
                            const CheckOptions& options) {
  Checker checker(choice, options);
  std::vector<Check> verdicts;
  for (const CheckInput& input : inputs) verdicts.push_back(checker.check(input));
  return verdicts;
}

}  // namespace gpp
