#include "tools/fill_in/advice_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "roofline/models/advice_table.h"

namespace gpp {
namespace {

/// Of the model, timed and numbered, by number.
std::vector<const Result*> steps_of(const StudyRecord& study, const std::string& model) {
  std::vector<const Result*> steps;
  for (const Result& result : study.results)
    if (result.model == model && result.timed() && number_of(result.variant) > 0)
      steps.push_back(&result);
  std::stable_sort(steps.begin(), steps.end(), [](const Result* a, const Result* b) {
    return number_of(a->variant) < number_of(b->variant);
  });
  return steps;
}

std::vector<std::string> acted_on(const LinkedAdvice& advice, const StepAim* aim) {
  std::vector<std::string> acted;
  if (aim == nullptr) return acted;
  for (const LinkedCause* one : {&advice.first, advice.also ? &*advice.also : nullptr})
    if (one != nullptr &&
        std::find(aim->against.begin(), aim->against.end(), one->cause.name) != aim->against.end())
      acted.push_back(one->cause.name);
  return acted;
}

AdviceOutcome outcome_of(const CheckedAdvice& checked) {
  if (!checked.advice || checked.advice->first.cause.binding == roofline::Binding::unknown)
    return AdviceOutcome::silent;
  const bool gained = checked.gain >= least_gain;
  if (checked.acted_on.empty()) return gained ? AdviceOutcome::unforeseen : AdviceOutcome::expected;
  return gained ? AdviceOutcome::hit : AdviceOutcome::miss;
}

std::string title_of(const std::string& cause) {
  const roofline::AdviceRow* row = roofline::find_advice(cause);
  return row == nullptr ? cause : row->title;
}

std::string told(const std::optional<LinkedAdvice>& advice) {
  if (!advice || advice->first.cause.binding == roofline::Binding::unknown) return "";
  return fmt::format("{}: {}", name_of(advice->first.cause.binding),
                     title_of(advice->first.cause.name));
}

std::string beside(const std::optional<LinkedAdvice>& advice) {
  return advice && advice->also ? title_of(advice->also->cause.name) : "";
}

std::string titles(const std::vector<std::string>& causes) {
  std::vector<std::string> list;
  for (const std::string& cause : causes) list.push_back(title_of(cause));
  return fmt::format("{}", fmt::join(list, ", "));
}

}  // namespace

std::string_view name_of(AdviceOutcome outcome) {
  switch (outcome) {
    case AdviceOutcome::hit:
      return "hit";
    case AdviceOutcome::miss:
      return "miss";
    case AdviceOutcome::expected:
      return "as expected";
    case AdviceOutcome::unforeseen:
      return "unforeseen";
    case AdviceOutcome::silent:
      return "nothing named";
  }
  return {};
}

std::vector<CheckedAdvice> checked_advice(const StudyRecord& study, const std::string& model) {
  const std::vector<const Result*> steps = steps_of(study, model);
  std::vector<CheckedAdvice> all;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    CheckedAdvice checked;
    checked.step = steps[i];
    checked.next = steps[i + 1];
    checked.advice = advice_on(study, *checked.step);
    checked.gain = checked.step->timing().median / checked.next->timing().median;
    if (checked.advice)
      checked.acted_on =
          acted_on(*checked.advice, guide_of(kernel_of(study)).find_aim(checked.next->variant));
    checked.outcome = outcome_of(checked);
    all.push_back(std::move(checked));
  }
  return all;
}

std::optional<double> mean_gain(const std::vector<CheckedAdvice>& all, bool acted_on) {
  double sum = 0;
  int number = 0;
  for (const CheckedAdvice& one : all) {
    if (one.outcome == AdviceOutcome::silent || one.acted_on.empty() == acted_on) continue;
    sum += std::log(one.gain);
    ++number;
  }
  return number == 0 ? std::nullopt : std::optional(std::exp(sum / number));
}

std::string advice_check_table(const StudyRecord& study, const std::string& model) {
  std::string text =
      "\n\n| step | bound by | beside that | next | which acts on | gain | |\n"
      "| --- | --- | --- | --- | --- | ---: | --- |\n";
  for (const CheckedAdvice& one : checked_advice(study, model))
    text += fmt::format("| {} | {} | {} | {} | {} | {:.2f}x | {} |\n", one.step->variant,
                        told(one.advice), beside(one.advice), one.next->variant,
                        titles(one.acted_on), one.gain, name_of(one.outcome));
  return text + "\n";
}

const std::vector<Ladder>& checked_ladders() {
  static const std::vector<Ladder> ladders = {{"h200/gpp214", "cuda"},
                                              {"h200/gpp214", "omp"},
                                              {"h200/silicon8", "cuda"},
                                              {"h200/silicon8", "omp"},
                                              {"xeon-16-cores/silicon8", "omp"}};
  return ladders;
}

}  // namespace gpp
