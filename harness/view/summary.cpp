#include "harness/view/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/view/columns.h"
#include "harness/view/ladder.h"
#include "harness/view/load_text.h"
#include "harness/view/scaling.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::Table;
using roofline::TableCell;

std::string circumstances(const StudyRecord& study) {
  std::string text = fmt::format("{} study of {}{}\n", kernel_of(study).title, study.created,
                                 study.complete ? "" : ", PARTIAL");
  for (const auto& [key, value] : facts_of(study))
    if (!value.empty())
      text += fmt::format("  {:<16}{}\n", key, roofline::wrapped(value, page_width, 18, 18));
  return text;
}

/// Returns "not run: cuda v1, v2: no device ..."; neighbours with the same reason share a line.
std::string unavailable(const StudyRecord& study) {
  std::string text, names;
  const Result* last = nullptr;
  const auto end = [&] {
    if (last != nullptr)
      text += roofline::paragraph(
          fmt::format("not run: {} {}: {}", last->model, names, last->reason), 9);
  };
  for (const Result& result : study.results) {
    if (result.status != Status::unavailable) continue;
    const bool goes_on =
        last != nullptr && last->model == result.model && last->reason == result.reason;
    if (!goes_on) end();
    names = goes_on ? names + ", " + result.variant : result.variant;
    last = &result;
  }
  end();
  return text;
}

/// The untimed preparation of some variants.
std::string preparation(const StudyRecord& study) {
  double seconds = 0;
  std::string names;
  for (const Result& result : study.results) {
    if (!result.timed() || !(result.preparation_seconds > 0)) continue;
    seconds = std::max(seconds, result.preparation_seconds);
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ",
                         model_label(result.model, result.kind), result.variant);
  }
  if (names.empty()) return {};
  return roofline::paragraph(fmt::format("Untimed: the host prepares the input for {} in {}, once.",
                                         names, roofline::describe_seconds(seconds)));
}

/// Explains the columns of energy, with the device's idle power and reasons for unknown values.
std::string energy_legend(const StudyRecord& study) {
  std::string text, unknown;
  for (const Result& result : study.results) {
    if (!result.energy) continue;
    if (result.energy->known() && text.empty())
      text = fmt::format(
          "W: power while the variant runs back to back (idle: {:.0f} W). J/run: energy of a run; "
          "J/1e9: of 1e9 {}.",
          result.energy->idle_watts, kernel_of(study).work);
    if (!result.energy->known() && unknown.empty())
      unknown = fmt::format("Energy of {} {} is not known: {}.", result.model, result.variant,
                            roofline::visible(result.energy->reason));
  }
  text += (text.empty() || unknown.empty() ? "" : " ") + unknown;
  return text.empty() ? "" : roofline::paragraph(text);
}

std::string results_legend(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  std::string text = "error: largest relative error against the reference.";
  for (const KernelColumn& column : kernel.columns) text += " " + column.legend;
  text +=
      " time: median, +- half its 95% interval. in cycles: the gain at an equal clock, where "
      "clocks "
      "differ.";
  if (kernel.published != nullptr && study.ladder.empty()) text += " " + kernel.published().legend;
  return roofline::paragraph(text) + energy_legend(study) + preparation(study) + marks(study);
}

/// Remarks on rounding and on doubts about the input.
std::string remarks_on_the_input(const StudyRecord& study, bool colours) {
  const Kernel& kernel = kernel_of(study);
  return (kernel.remarks == nullptr ? "" : kernel.remarks(study)) + doubt_banner(study, colours);
}

// ---- Several studies ----------------------------------------------------------------------------

std::string rate_text(const StudyRecord& study, const Result& result) {
  if (result.status == Status::failed) return "FAILED";
  if (!result.timed()) return roofline::unknown_text;
  return fmt::format("{:.3e}{}", terms_per_second(study, result),
                     result.trusted().disturbed ? " disturbed" : "");
}

std::string machine_of(const StudyRecord& study) {
  const Machine& machine = study.machine;
  return machine.gpus.empty() ? fmt::format("{} ({})", machine.cpu, describe_threads(study))
                              : machine.gpus.front().name;
}

Table rates_beside(const std::vector<NamedStudy>& studies) {
  Table table{"side_by_side", "", {{"model", "model"}, {"variant", ""}, {"step", "step"}}, {}, {}};
  for (std::size_t i = 0; i < studies.size(); ++i)
    table.columns.push_back({fmt::format("rate_{}", i + 1),
                             fmt::format("[{}] {}/s", i + 1, kernel_of(studies[i].study).work), "",
                             "", Align::right});
  const std::vector<TableCell> unknown(studies.size(), {roofline::unknown_text});
  for (std::size_t i = 0; i < studies.size(); ++i)
    for (const Result& result : studies[i].study.results) {
      if (result.status == Status::unavailable) continue;
      const std::vector<TableCell> names = {
          {model_label(result.model, result.kind)}, {result.variant}, {result.step}};
      auto row = std::ranges::find_if(table.rows, [&names](const roofline::TableRow& one) {
        return std::equal(names.begin(), names.end(), one.cells.begin(),
                          [](const auto& a, const auto& b) { return a.text == b.text; });
      });
      if (row == table.rows.end()) {
        row = table.rows.insert(row, {names});
        row->cells.insert(row->cells.end(), unknown.begin(), unknown.end());
      }
      row->cells[3 + i].text = rate_text(studies[i].study, result);
    }
  return table;
}

}  // namespace

std::string doubt_banner(const StudyRecord& study, bool colours) {
  const ReferenceRecord& reference = study.reference;
  if (reference.disagreement.empty()) return {};
  const std::string bar(page_width, '!');
  const std::string doubt = roofline::wrapped(
      fmt::format(
          "!! THE INPUT IS IN DOUBT: {}. Some of its numbers are damaged, or another program "
          "computed what it carries. Copy or generate it again.",
          reference.disagreement),
      page_width, 6);
  return roofline::coloured(fmt::format("{0}\n{1}\n{0}", bar, doubt), roofline::Colour::red,
                            colours) +
         "\n";
}

std::string failures(const StudyRecord& study, bool colours, std::size_t most) {
  if (!any_failed(study)) return {};
  const auto failed =
      std::count_if(study.results.begin(), study.results.end(),
                    [](const Result& result) { return result.status == Status::failed; });
  const std::string bar(page_width, '!');
  std::string text =
      fmt::format("{}\n!! FAILED: {} of {} variants\n", bar, failed, study.results.size());
  std::size_t told = 0;
  for (const Result& result : study.results)
    if (result.status == Status::failed && told++ < most)
      text += roofline::paragraph(
          fmt::format("!! {} {} {}: {}", result.model, result.variant, result.step, result.reason),
          6);
  if (told > most) text += fmt::format("!! and {} more\n", told - most);
  return roofline::coloured(text + bar, roofline::Colour::red, colours) + "\n";
}

std::string partial_banner(const StudyRecord& study, bool colours) {
  if (study.complete) return {};
  const auto timed = std::count_if(study.results.begin(), study.results.end(),
                                   [](const Result& result) { return result.timed(); });
  const std::string bar(page_width, '!');
  const std::string text = fmt::format(
      "{}\n!! PARTIAL: this study was interrupted or killed, or is still under way.\n"
      "!! {} of {} variants were timed by then. Some of them would have been timed more often.\n{}",
      bar, timed, study.results.size(), bar);
  return roofline::coloured(text, roofline::Colour::red, colours) + "\n";
}

std::string verdict_on_checks(const StudyRecord& study, bool colours, std::size_t most) {
  std::string text;
  if (!study.complete) text = "\n" + partial_banner(study, colours);
  if (any_failed(study)) return text + "\n" + failures(study, colours, most);
  if (!study.complete) return text;
  if (!any_passed(study))
    return "\n" +
           roofline::coloured("No variant ran: nothing was checked.", roofline::Colour::red,
                              colours) +
           "\n";
  if (!study.reference.disagreement.empty())
    return "The variants agree with a reference computed from this input, not with its own.\n";
  return roofline::coloured("Every check passed.", roofline::Colour::green, colours) + "\n";
}

std::string marks(const StudyRecord& study) {
  std::string text;
  int throttled = 0;
  for (const Result& result : study.results)
    if (!result.limited_by("power")) throttled += result.clocks.throttled;
  if (std::any_of(study.results.begin(), study.results.end(), [](const Result& result) {
        return result.timed() && result.limited_by("power");
      }))
    text += "P: the card's power cap held the clock back.\n";
  if (throttled > 0)
    text += fmt::format(
        "*: the clock fell more than {:.0f}% below the highest seen in {} timed runs "
        "(throttled?).\n",
        100 * throttle_threshold, throttled);
  if (std::any_of(study.results.begin(), study.results.end(), [](const Result& result) {
        return result.timed() && result.trusted().disturbed;
      }))
    text += fmt::format(
        "disturbed: others took more than {:.0f}% of the device in too many of the runs.\n",
        100 * disturbed_threshold);
  return text;
}

std::string summary(const StudyRecord& study, bool colours) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  std::string text = circumstances(study) + "\n";
  if (!shown.rows().empty())
    text += terminal_text(table_of(shown, shown.rows(),
                                   {"model", "variant", "step", "passed", "error", "own", "time",
                                    "spread", "runs", "work_rate", "speedup", "in_cycles", "watts",
                                    "joules", "joules_of_work", "published"},
                                   "results", "Results"),
                          colours) +
            "\n" + results_legend(study);
  text += evidence_text(study, shown, colours) + ladder_text(study, colours);
  if (const std::string scaling = scaling_text(study); !scaling.empty()) text += "\n" + scaling;
  return text + unavailable(study) + remarks_on_the_input(study, colours) +
         verdict_on_checks(study, colours);
}

std::string side_by_side(const std::vector<NamedStudy>& studies, bool colours) {
  std::string text;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const StudyRecord& study = studies[i].study;
    text += fmt::format("[{}] {}: {}, {}, {}{}\n", i + 1, studies[i].name, study.created,
                        machine_of(study), study.input.path, study.complete ? "" : ", PARTIAL");
  }
  text += fmt::format("\n{}", terminal_text(rates_beside(studies)));
  for (const NamedStudy& named : studies)
    if (!named.study.complete)
      text += fmt::format("\n{}:\n{}", named.name, partial_banner(named.study, colours));
  for (const NamedStudy& named : studies)
    if (any_failed(named.study))
      text += fmt::format("\n{}:\n{}", named.name, failures(named.study, colours));
  for (const NamedStudy& named : studies)
    if (const std::string doubt = doubts(named.study, colours); !doubt.empty())
      text += fmt::format("\n{}:\n{}", named.name, doubt);
  return text;
}

}  // namespace gpp
