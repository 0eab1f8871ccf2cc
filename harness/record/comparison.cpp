#include "harness/record/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "roofline/base/error.h"

namespace gpp {
namespace {

/// The reason why a result cannot be compared; empty if it can. nullptr: the variant did not run.
std::string obstacle(const Result* result, const char* study) {
  const char* what = result == nullptr                  ? "not run"
                     : result->status == Status::failed ? "failed"
                     : result->samples.empty()          ? "not timed"
                                                        : nullptr;
  return what == nullptr ? "" : fmt::format("{} in {}", what, study);
}

}  // namespace

std::string name_of(Verdict verdict) {
  constexpr std::array names = {"faster", "slower", "same", "undecided", "not comparable"};
  return names.at(static_cast<std::size_t>(verdict));
}

Verdict compare_times(const std::vector<double>& samples_a, const std::vector<double>& samples_b,
                      double terms_a, double terms_b) {
  if (std::min(samples_a.size(), samples_b.size()) < least_samples) return Verdict::undecided;
  const Timing a = summarize(samples_a);
  const Timing b = summarize(samples_b);
  const double factor = (a.median / terms_a) / (b.median / terms_b);
  if (std::max(factor, 1 / factor) <= 1 + least_difference) return Verdict::same;
  if (b.high / terms_b < a.low / terms_a) return Verdict::faster;
  if (b.low / terms_b > a.high / terms_a) return Verdict::slower;
  return Verdict::same;
}

Judgement judge_times(const Result& a, const std::string& name_a, double terms_a, const Result& b,
                      const std::string& name_b, double terms_b) {
  const Trusted of_a = a.trusted();
  const Trusted of_b = b.trusted();
  for (const auto& [result, disturbed, name] :
       {std::tuple{&a, of_a.disturbed, name_a}, std::tuple{&b, of_b.disturbed, name_b}})
    if (disturbed)
      return {Verdict::undecided, fmt::format("disturbed in {}: others took {:.0f}% of the device",
                                              name, 100 * result->taken().value_or(0))};
  const Verdict verdict = compare_times(of_a.samples, of_b.samples, terms_a, terms_b);
  if (verdict != Verdict::undecided) return {verdict, {}};
  return {verdict, fmt::format("with {} and {} runs that may be chance: take --repeat {} or more",
                               of_a.samples.size(), of_b.samples.size(), least_samples)};
}

void require_comparable(const StudyRecord& a, const StudyRecord& b, bool any_input) {
  if (a.kernel != b.kernel)
    throw roofline::InputError(
        fmt::format("the studies are of different kernels, {} and {}: nothing in them compares",
                    a.kernel, b.kernel));
  if (a.input.sha256 != b.input.sha256 && !any_input)
    throw roofline::InputError(
        fmt::format("the studies are of different inputs, {} and {}: their times do not compare; "
                    "gpp compare --force compares terms per second all the same",
                    a.input.path, b.input.path));
}

std::vector<Comparison> compare(const StudyRecord& a, const StudyRecord& b) {
  const auto find = [](const StudyRecord& study, const Result& like) -> const Result* {
    for (const Result& one : study.results)
      if (one.status != Status::unavailable && one.model == like.model && one.kind == like.kind &&
          one.variant == like.variant && one.step == like.step)
        return &one;
    return nullptr;
  };
  std::vector<Comparison> comparisons;
  const auto add = [&](const Result& like, const Result* in_a, const Result* in_b) {
    Comparison& one =
        comparisons.emplace_back(Comparison{like.model, like.kind, like.variant, like.step});
    if (in_a != nullptr) one.rate_a = terms_per_second(a, *in_a);
    if (in_b != nullptr) one.rate_b = terms_per_second(b, *in_b);
    one.remark = obstacle(in_a, "A");
    if (one.remark.empty()) one.remark = obstacle(in_b, "B");
    if (!one.remark.empty()) return;
    const auto terms_a = static_cast<double>(a.input.terms);
    const auto terms_b = static_cast<double>(b.input.terms);
    if (const auto gain = gain_in_cycles(*in_a, *in_b))
      one.factor_in_cycles = *gain * terms_b / terms_a;
    const Judgement judgement = judge_times(*in_a, "A", terms_a, *in_b, "B", terms_b);
    one.verdict = judgement.verdict;
    one.remark = judgement.remark;
  };
  for (const Result& result : a.results)
    if (result.status != Status::unavailable) add(result, &result, find(b, result));
  for (const Result& result : b.results)
    if (result.status != Status::unavailable && find(a, result) == nullptr)
      add(result, nullptr, &result);
  return comparisons;
}

}  // namespace gpp
