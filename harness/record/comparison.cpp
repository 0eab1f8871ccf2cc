#include "harness/record/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "roofline/base/text.h"

namespace gpp {
namespace {

const Result* find(const StudyRecord& study, const Result& like) {
  for (const Result& one : study.results)
    if (one.status != Status::unavailable && one.model == like.model && one.kind == like.kind &&
        one.variant == like.variant && one.step == like.step)
      return &one;
  return nullptr;
}

/// Takes the rate, or says why a result cannot be compared. nullptr: the variant did not run.
void take(const StudyRecord& study, const Result* result, const char* name, Comparison& one,
          std::optional<double>& rate) {
  if (result != nullptr && result->timed()) {
    rate = terms_per_second(study, *result);
    return;
  }
  if (one.remark.empty()) one.remark = fmt::format("not timed in {}", name);
}

Comparison compared(const StudyRecord& a, const Result* in_a, const StudyRecord& b,
                    const Result* in_b) {
  const Result& any = in_a != nullptr ? *in_a : *in_b;
  Comparison one{{}, any.model, any.kind, any.variant, any.step};
  take(a, in_a, "A", one, one.rate_a);
  take(b, in_b, "B", one, one.rate_b);
  if (!one.remark.empty()) return one;
  one.factor = *one.rate_b / *one.rate_a;
  one.factor_in_cycles = gain_in_cycles(*in_a, *in_b);
  static_cast<Judgement&>(one) = judge_times(*in_a, "A", *in_b, "B");
  return one;
}

void require_comparable(const StudyRecord& a, const StudyRecord& b) {
  if (a.kernel != b.kernel)
    throw roofline::InputError(
        fmt::format("the studies are of different kernels, {} and {}: nothing in them compares",
                    a.kernel, b.kernel));
  if (a.input.sha256 != b.input.sha256)
    throw roofline::InputError(
        fmt::format("the studies are of different inputs, {} and {}: their times do not compare",
                    a.input.path, b.input.path));
}

}  // namespace

std::string name_of(Verdict verdict) {
  constexpr std::array names = {"faster", "slower", "same", "undecided", "not comparable"};
  return names.at(static_cast<std::size_t>(verdict));
}

Verdict compare_times(const std::vector<double>& samples_a, const std::vector<double>& samples_b) {
  if (std::min(samples_a.size(), samples_b.size()) < least_samples) return Verdict::undecided;
  const Timing a = summarize(samples_a);
  const Timing b = summarize(samples_b);
  const double factor = a.median / b.median;
  if (std::max(factor, 1 / factor) <= 1 + least_difference) return Verdict::same;
  if (b.high < a.low) return Verdict::faster;
  if (b.low > a.high) return Verdict::slower;
  return Verdict::same;
}

Judgement judge_times(const Result& a, const std::string& name_a, const Result& b,
                      const std::string& name_b) {
  const Trusted of_a = a.trusted();
  const Trusted of_b = b.trusted();
  for (const auto& [result, disturbed, name] :
       {std::tuple{&a, of_a.disturbed, name_a}, std::tuple{&b, of_b.disturbed, name_b}})
    if (disturbed)
      return {Verdict::undecided, fmt::format("disturbed in {}: others took {:.0f}% of the device",
                                              name, 100 * result->taken().value_or(0))};
  const Verdict verdict = compare_times(of_a.samples, of_b.samples);
  if (verdict != Verdict::undecided) return {verdict, {}};
  return {verdict, fmt::format("with {} and {} runs that may be chance: take --repeat {} or more",
                               of_a.samples.size(), of_b.samples.size(), least_samples)};
}

std::vector<Comparison> compare(const StudyRecord& a, const StudyRecord& b) {
  require_comparable(a, b);
  std::vector<Comparison> comparisons;
  for (const Result& result : a.results)
    if (result.status != Status::unavailable)
      comparisons.push_back(compared(a, &result, b, find(b, result)));
  for (const Result& result : b.results)
    if (result.status != Status::unavailable && find(a, result) == nullptr)
      comparisons.push_back(compared(a, nullptr, b, &result));
  return comparisons;
}

}  // namespace gpp
