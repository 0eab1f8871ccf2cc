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

/// The remark that too few runs allow no verdict.
std::string few_runs(const std::vector<double>& a, const std::string& name_a, double terms_a,
                     const std::vector<double>& b, const std::string& name_b, double terms_b) {
  const auto [least_a, most_a] = std::ranges::minmax_element(a);
  const auto [least_b, most_b] = std::ranges::minmax_element(b);
  std::string seen = "the runs of both overlap";
  for (const auto& [lower, upper, word] :
       {std::tuple{*most_b / terms_b, *least_a / terms_a, "faster"},
        std::tuple{*most_a / terms_a, *least_b / terms_b, "slower"}})
    if (lower < upper)
      seen = fmt::format("every run of {} was {} than every run of {}", name_b, word, name_a);
  return fmt::format("{}; with {} and {} runs that may be chance: take --repeat {} or more", seen,
                     a.size(), b.size(), least_samples);
}

}  // namespace

std::optional<double> Comparison::difference() const {
  const double ratio = factor_in_cycles.value_or(factor());
  if (!(ratio > 0)) return std::nullopt;
  return std::max(ratio, 1 / ratio) - 1;
}

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
  return {verdict, few_runs(of_a.samples, name_a, terms_a, of_b.samples, name_b, terms_b)};
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
