#include "tools/fill_in/evidence_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "gpp/study/kernel.h"
#include "gpp/study/published.h"
#include "harness/record/ladder.h"
#include "harness/teach/lessons.h"
#include "roofline/base/units.h"
#include "roofline/models/advice_table.h"
#include "tools/fill_in/gallery.h"

namespace gpp {
namespace {

using Row = std::vector<std::string>;

std::string markdown_row(const Row& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

/// Columns of text first, numbers from `numbers_from` on.
std::string markdown(const Row& header, const std::vector<Row>& rows, std::size_t numbers_from) {
  Row rule(header.size(), "---");
  std::fill(rule.begin() + static_cast<std::ptrdiff_t>(numbers_from), rule.end(), "---:");
  std::string text = "\n\n" + markdown_row(header) + markdown_row(rule);
  for (const Row& row : rows) text += markdown_row(row);
  return text + "\n";
}

std::string ours(const Evidence& evidence, const Lesson& lesson, std::string_view what) {
  return evidence.quantity(fmt::format("{} {}", lesson.id, what)).text;
}

/// The time on the V100, or nothing where SC19 does not tell.
std::string theirs(const Evidence& evidence, const Lesson& lesson, std::string_view what) {
  const PublishedStep* step = published_v100().find(lesson.id);
  if (step == nullptr || (what == "registers" && !step->registers)) return "";
  return evidence.quantity(fmt::format("V100 {} {}", lesson.id, what)).text;
}

/// The steps that the record holds. A newer one may have a record of its own.
std::vector<Lesson> recorded_lessons(const Evidence& evidence) {
  std::vector<Lesson> lessons = lessons_of(gpp_kernel());
  const auto& results = evidence.study("h200/gpp214").results;
  std::erase_if(lessons, [&](const Lesson& lesson) {
    return std::ranges::none_of(results, [&](const Result& result) {
      return result.model == "cuda" && result.variant == lesson.id;
    });
  });
  return lessons;
}

std::string times(const Evidence& evidence) {
  std::vector<Row> rows;
  for (const Lesson& lesson : recorded_lessons(evidence)) {
    const bool first = lesson.id == "v1";
    rows.push_back({lesson.id, lesson.step, theirs(evidence, lesson, "time"),
                    theirs(evidence, lesson, "speedup"),
                    first ? "" : theirs(evidence, lesson, "gain"),
                    theirs(evidence, lesson, "registers"), ours(evidence, lesson, "time"),
                    ours(evidence, lesson, "speedup"), first ? "" : ours(evidence, lesson, "gain"),
                    ours(evidence, lesson, "registers"), ours(evidence, lesson, "warps")});
  }
  return markdown({"step", "", "V100", "over v1", "gain", "registers", "H200", "over v1", "gain",
                   "registers", "warps"},
                  rows, 2);
}

std::string operations(const Evidence& evidence) {
  std::vector<Row> rows;
  for (const Lesson& lesson : recorded_lessons(evidence)) {
    Row row = {lesson.id, lesson.step};
    for (const char* what : {"flop/term", "tflop", "tflop/s", "peak"})
      row.push_back(theirs(evidence, lesson, what));
    for (const char* what : {"flop/term", "tflop", "tflop/s", "peak", "mix"})
      row.push_back(ours(evidence, lesson, what));
    rows.push_back(row);
  }
  return markdown({"step", "", "V100 FLOP/term", "TFLOP", "TFLOP/s", "% of peak", "H200 FLOP/term",
                   "TFLOP", "TFLOP/s", "% of peak", "% of FMA mix"},
                  rows, 2);
}

std::string counters(const Evidence& evidence) {
  const std::vector<const char*> metrics = {"fp64_fma_fraction",
                                            "fp64_pipe",
                                            "issue",
                                            "occupancy",
                                            "stall_wait",
                                            "stall_long_scoreboard",
                                            "stall_math_pipe_throttle",
                                            "l1_hit",
                                            "l2_hit"};
  Row header = {"step", ""};
  for (const char* metric : metrics) header.emplace_back(metric);
  std::vector<Row> rows;
  bool any = false;
  for (const Lesson& lesson : recorded_lessons(evidence)) {
    Row row = {lesson.id, lesson.step};
    for (const char* metric : metrics) {
      row.push_back(ours(evidence, lesson, fmt::format("metric {}", metric)));
      any = any || row.back() != not_counted;
    }
    rows.push_back(row);
  }
  if (!any) return "\n\nThe record holds no counters: not counted yet.\n\n";
  return markdown(header, rows, 2);
}

/// How often each came of advice and what the next steps gained, ladder by ladder.
std::string advice_counts(const Evidence& evidence) {
  using enum AdviceOutcome;
  std::vector<Row> rows;
  for (const Ladder& ladder : checked_ladders()) {
    const std::vector<CheckedAdvice> all =
        checked_advice(evidence.study(ladder.study), ladder.model);
    Row row = {ladder.study, ladder.model};
    for (const AdviceOutcome outcome : {hit, miss, expected, unforeseen})
      row.push_back(std::to_string(std::ranges::count_if(
          all, [outcome](const CheckedAdvice& one) { return one.outcome == outcome; })));
    for (const bool acted_on : {true, false}) {
      const std::optional<double> gain = mean_gain(all, acted_on);
      row.push_back(gain ? roofline::times_text(*gain) : "");
    }
    rows.push_back(row);
  }
  return markdown({"record", "model", "hit", "miss", "as expected", "unforeseen",
                   "gain where acted on", "elsewhere"},
                  rows, 2);
}

std::string factor(std::optional<double> value) {
  return value ? roofline::times_text(*value) : "";
}

/// A measured time, with a * where runs of it were throttled.
std::string measured_time(const LadderRow& row) {
  const bool failed = row.result != nullptr && row.result->status == Status::failed;
  if (!row.measured.seconds) return failed ? "failed" : "not measured yet";
  return roofline::describe_seconds(*row.measured.seconds) +
         (row.result->clocks.throttled > 0 ? "*" : "");
}

/// FLOP for each byte of DRAM; empty where it was not counted.
std::string dram_intensity(const LadderRow& row) {
  if (!row.measured.seconds) return "";
  const auto intensity = roofline::intensity_at(row.result->roofline(), "dram");
  return intensity ? intensity_text(*intensity) : "";
}

/// The clock of the timed runs, MHz; empty where it was not read.
std::string clock_text(const LadderRow& row) {
  if (!row.measured.seconds || row.result->clocks.samples.empty()) return "";
  return fmt::format("{:.0f}", summarize(row.result->clocks.samples).median);
}

/// A ladder of ours without what nobody published, and without the steps that the model lacks.
std::string own_ladder_table(const LadderRun& run, const std::string& card) {
  std::vector<Row> rows;
  for (const LadderRow& row : run.rows)
    if (std::ranges::any_of(gpp_kernel().catalog(), [&](const Variant& variant) {
          return variant.model == run.model && variant.id == row.step->variant &&
                 !variant.source.ends_with(".md");
        }))
      rows.push_back({row.step->label, row.step->variant, row.step->change, measured_time(row),
                      factor(row.measured.gain), factor(row.measured.speedup), clock_text(row)});
  return markdown({"step", "variant", "what changes", card, "gain", "all", "MHz"}, rows, 3);
}

/// A ladder beside the record of it, or what another record knows of its steps. "NAME MODEL", of
/// CUDA without a model, else of a host.
std::string ladder_table(const Evidence& evidence, const std::string& told) {
  const std::size_t blank = told.find(' ');
  const std::string name = told.substr(0, blank);
  const std::string model = blank == told.npos ? "cuda" : told.substr(blank + 1);
  const PublishedLadder& ladder = ladder_called(gpp_kernel(), name);
  using Folders = std::vector<std::pair<std::string, std::string>>;
  const bool on_gpu = model == "cuda";
  const Folders folders =
      on_gpu ? Folders{{"h200", "H200"}, {"h100", "H100"}} : Folders{{"xeon-16-cores", "16 cores"}};
  std::string study = on_gpu ? "h200/gpp214" : "xeon-16-cores/silicon8";
  std::string card = folders.front().second;
  bool is_own = false;
  for (const auto& [folder, called] : folders) {
    const std::string own = fmt::format("{}/ladders/{}", folder, name);
    if (is_own || !evidence.has_study(own)) continue;
    study = own;
    card = called;
    is_own = true;
  }
  const std::string measured =
      fmt::format("Measured: [results/{0}](../results/{0}/study.json){1}.\n\n", study,
                  is_own ? "" : ", which has some of these steps");
  const LadderRun run = ladder_run(evidence.study(study), ladder, model);
  if (!ladder.published()) return own_ladder_table(run, card) + measured;
  std::vector<Row> rows;
  for (const LadderRow& row : run.rows) {
    rows.push_back({row.step->label, row.step->variant, row.step->change,
                    row.published.seconds ? fmt::format("{:.2f} s", *row.published.seconds) : "",
                    factor(row.published.gain), factor(row.published.speedup), row.step->told,
                    measured_time(row), factor(row.measured.gain), factor(row.measured.speedup),
                    clock_text(row), dram_intensity(row),
                    row.holds == Holds::unknown ? "" : name_of(row.holds)});
  }
  return markdown({"step", "variant", "what changes", ladder.device, "gain", "all",
                   "else published", card, "gain", "all", "MHz", "FLOP/B", "holds"},
                  rows, 3) +
         measured;
}

/// "STUDY MODEL"
std::string advice_table_of(const Evidence& evidence, std::string_view ladder) {
  const std::size_t blank = ladder.find(' ');
  if (blank == std::string_view::npos)
    throw std::runtime_error("a table of advice needs a study and a model");
  return advice_check_table(evidence.study(std::string(ladder.substr(0, blank))),
                            std::string(ladder.substr(blank + 1)));
}

/// The results of the model that were timed and are numbered steps, by number.
std::vector<const Result*> steps_of(const StudyRecord& study, const std::string& model) {
  std::vector<const Result*> steps;
  for (const Result& result : study.results)
    if (result.model == model && result.timed() && number_of(result.variant) > 0)
      steps.push_back(&result);
  std::ranges::stable_sort(steps, [](const Result* a, const Result* b) {
    return number_of(a->variant) < number_of(b->variant);
  });
  return steps;
}

std::vector<std::string> acted_on(const LinkedAdvice& advice, const StepAim* aim) {
  std::vector<std::string> acted;
  if (aim == nullptr) return acted;
  for (const LinkedCause* one : {&advice.first, advice.also ? &*advice.also : nullptr})
    if (one != nullptr && std::ranges::find(aim->against, one->cause.name) != aim->against.end())
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

std::string evidence_table(const Evidence& evidence, std::string_view name) {
  if (name == "times") return times(evidence);
  if (name == "operations") return operations(evidence);
  if (name == "counters") return counters(evidence);
  if (name == "advice") return advice_counts(evidence);
  if (name == "gallery") return gallery(evidence.results());
  constexpr std::string_view published = "ladder ";
  if (name.starts_with(published))
    return ladder_table(evidence, std::string(name.substr(published.size())));
  constexpr std::string_view of_ladder = "advice ";
  if (name.starts_with(of_ladder)) return advice_table_of(evidence, name.substr(of_ladder.size()));
  throw std::runtime_error(fmt::format(
      "there is no table '{}'; known: times, operations, counters, gallery, ladder NAME, advice, "
      "advice STUDY MODEL",
      name));
}

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
