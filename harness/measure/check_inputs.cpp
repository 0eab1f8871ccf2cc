#include "harness/measure/check_inputs.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "harness/measure/child.h"
#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

Check no_answer(double tolerance, std::string reason) {
  return {std::numeric_limits<double>::infinity(), tolerance, false, std::move(reason)};
}

/// The worse of a run on the input as it is and one on it varied.
Check check_twice(Placement& placement, const Choice& choice, double tolerance) {
  constexpr std::uint64_t any_seed = 20260101;
  Check worst;
  for (const std::uint64_t seed : {std::uint64_t{0}, any_seed}) {
    placement.vary(seed);
    choice.build->runtime->time([&] { placement.run(*choice.variant, choice.build->call); });
    Check check = placement.check(tolerance);
    const std::string written = placement.repair();
    if (check.passed && !written.empty()) {
      check.passed = false;
      check.reason = fmt::format("it writes to its input ({})", written);
    }
    if (!check.passed && seed != 0) check.reason = "in a second run, varied: " + check.reason;
    if (seed == 0 || !check.passed || check.max_relative_error > worst.max_relative_error)
      worst = check;
    if (!worst.passed) break;
  }
  return worst;
}

/// One after the other on these inputs, or on the first of them.
std::vector<InputVerdict> verdicts_in(const std::string& output,
                                      const std::vector<std::string>& inputs) {
  std::vector<InputVerdict> verdicts;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    verdicts.push_back(roofline::read_text<InputVerdict>(line, "the verdict on an input"));
    if (verdicts.size() > inputs.size() || verdicts.back().name != inputs[verdicts.size() - 1])
      throw roofline::InputError("a verdict that was not asked for: " + roofline::visible(line) +
                                 "; does the variant write where it must not?");
  }
  return verdicts;
}

}  // namespace

InputVerdict check_on(const CheckInput& input, const Choice& choice, double tolerance) {
  InputVerdict verdict{.name = input.name};
  const std::string error = error_of([&] {
    const std::unique_ptr<Subject> subject = input.make();
    const std::unique_ptr<Placement> placement = subject->place(*choice.build->runtime);
    verdict.check = check_twice(*placement, choice, tolerance);
  });
  verdict.spent = !error.empty();
  if (verdict.spent) verdict.check = no_answer(tolerance, error);
  return verdict;
}

void fields(roofline::Fields& field, InputVerdict& verdict) {
  Check& check = verdict.check;
  field("name", verdict.name, roofline::any_text);
  field("passed", check.passed);
  field("max_relative_error", check.max_relative_error,
        roofline::OrNull{roofline::bounds::not_negative});
  field("tolerance", check.tolerance, roofline::bounds::not_negative);
  field("reason", check.reason, roofline::any_text);
  field(roofline::may_lack("spent"), verdict.spent);
}

Json to_json(const InputVerdict& verdict) {
  Json json = roofline::facts_json(verdict);
  json.erase("spent");
  return json;
}

std::vector<InputVerdict> check_all(const std::vector<std::string>& inputs, double tolerance,
                                    double limit_s, const CheckElsewhere& run) {
  std::vector<InputVerdict> verdicts;
  while (verdicts.size() < inputs.size()) {
    const std::vector<std::string> rest(
        inputs.begin() + static_cast<std::ptrdiff_t>(verdicts.size()), inputs.end());
    const roofline::Finished finished = run(rest);
    const std::vector<InputVerdict> some = verdicts_in(finished.output, rest);
    const bool by_itself = !finished.silenced && signal_of(finished) == 0;
    if (some.empty() && by_itself && finished.status != 0)
      throw std::runtime_error("the inputs could not be checked: " +
                               roofline::visible_lines(finished.errors));
    verdicts.insert(verdicts.end(), some.begin(), some.end());
    if (!some.empty() && some.back().spent) continue;
    if (some.size() == rest.size() && by_itself) break;
    // It ended at an input; after the last one, memory was damaged before.
    if (some.size() == rest.size()) verdicts.pop_back();
    verdicts.push_back({.name = inputs[verdicts.size()],
                        .check = no_answer(tolerance, early_end(finished, limit_s))});
  }
  return verdicts;
}

}  // namespace gpp
