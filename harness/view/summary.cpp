#include "harness/view/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/view/ladder.h"
#include "harness/view/load_text.h"
#include "harness/view/roofline.h"
#include "harness/view/rows.h"
#include "harness/view/scaling.h"
#include "harness/view/steps.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

using roofline::Align;
using roofline::TableCell;
using roofline::ViewTable;
namespace cell = roofline::cell;
using ResultColumn = roofline::ColumnOf<Result>;

// ---- The table of results -----------------------------------------------------------------------

std::string check_cell(const Result& result) {
  const double error = result.check.max_relative_error;
  const std::string size = std::isfinite(error) ? fmt::format(" {:.1e}", error) : "";
  return (result.status == Status::passed ? "ok" : "FAILED") + size;
}

/// Half the width of the median's interval; unknown for one sample.
TableCell half_interval_cell(const Result& result) {
  if (!result.timed()) return {roofline::unknown_text};
  const Trusted trusted = result.trusted();
  if (trusted.disturbed) return {"disturbed"};
  return cell::percent(trusted.samples.size() < 2 ? std::nullopt
                                                  : std::optional(100 * result.timing().spread()));
}

/// Adds a P if the power cap limited the clock, and a star if the clock was low.
TableCell time_cell(const Result& result) {
  if (!result.timed()) return {roofline::unknown_text};
  TableCell time = cell::seconds(result.timing().median);
  time.text += result.limited_by("power") ? "P" : result.clocks.throttled > 0 ? "*" : " ";
  return time;
}

ResultColumn words(const char* name, const std::string& title,
                   std::function<std::string(const Result&)> text) {
  return {{name, title}, [text](const Result& result) { return TableCell{text(result)}; }};
}

ResultColumn number(const char* name, const std::string& title,
                    std::function<TableCell(const Result&)> cell) {
  return {{name, title, "", "", Align::right}, std::move(cell)};
}

/// True if the kernel's variants are steps with a first one.
bool has_first_step(const Kernel& kernel) {
  const std::vector<Variant>& variants = kernel.catalog();
  return std::any_of(variants.begin(), variants.end(),
                     [](const Variant& variant) { return variant.id == "v1"; });
}

/// True if speedups would differ at equal clocks.
bool clocks_decide(const StudyRecord& study) {
  return std::any_of(study.results.begin(), study.results.end(), [&study](const Result& result) {
    const Result* first = first_step_of(study, result);
    return first != nullptr && gain_that_clocks_hide(*first, result);
  });
}

std::vector<ResultColumn> result_columns(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  const bool of_ladder = !study.ladder.empty();
  std::vector<ResultColumn> columns = {
      words("model", "model",
            [](const Result& result) { return model_label(result.model, result.kind); }),
      words("variant", "", [](const Result& result) { return result.variant; }),
      // Steps that exist only in ladders have one long name.
      words(
          "step", "step",
          [of_ladder](const Result& result) { return of_ladder ? own_step(result) : result.step; }),
      words("check", "check", check_cell)};
  for (const KernelColumn& column : kernel.columns)
    columns.push_back(words("kernel", column.title, column.cell));
  columns.push_back(number("time", "time ", time_cell));
  columns.push_back(number("spread", "+-", half_interval_cell));
  columns.push_back(number("runs", "runs", [](const Result& result) {
    return cell::integer(static_cast<std::int64_t>(result.samples.size()));
  }));
  columns.push_back(number("work_rate", kernel.work + "/s", [&study](const Result& result) {
    const double rate = terms_per_second(study, result);
    return cell::scientific(rate > 0 ? std::optional(rate) : std::nullopt);
  }));
  if (has_first_step(kernel) || of_ladder)
    columns.push_back(
        number("speedup", of_ladder ? "over first" : "over v1",
               [&study](const Result& result) { return cell::times(speedup(study, result)); }));
  if (clocks_decide(study))
    columns.push_back(number("speedup_in_cycles", "in cycles", [&study](const Result& result) {
      return cell::times(speedup_in_cycles(study, result));
    }));
  if (std::ranges::any_of(study.results,
                          [](const Result& one) { return one.energy.has_value(); })) {
    columns.push_back(number("watts", "W", [](const Result& result) {
      return cell::short_number(result.energy_told(&EnergyRecord::watts));
    }));
    columns.push_back(number("joules_per_run", "J/run", [](const Result& result) {
      return cell::short_number(result.energy_told(&EnergyRecord::joules_per_run));
    }));
    columns.push_back(number("joules", "J/1e9", [&study](const Result& result) {
      return cell::short_number(joules_per_billion(study, result));
    }));
  }
  if (kernel.published != nullptr && !of_ladder)
    columns.push_back(number(
        "published", kernel.published().device,
        [&study](const Result& result) { return cell::times(published_speedup(study, result)); }));
  return columns;
}

/// The columns that fit on a terminal, with the position under the roofs if known.
std::vector<ResultColumn> brief_columns(const StudyRecord& study) {
  std::vector<ResultColumn> columns = result_columns(study);
  const bool speedups = std::any_of(columns.begin(), columns.end(), [](const ResultColumn& column) {
    return column.head.name == "speedup";
  });
  std::erase_if(columns, [&study, speedups](const ResultColumn& column) {
    const std::string& name = column.head.name;
    return name == "kernel" || name == "runs" || name == "speedup_in_cycles" || name == "watts" ||
           name == "joules_per_run" || (name == "step" && !study.ladder.empty()) ||
           (name == "work_rate" && speedups);
  });
  for (ResultColumn& column : columns)
    if (column.head.name == "check")
      column.cell = [](const Result& result) {
        return TableCell{result.status == Status::passed ? "ok" : "FAILED"};
      };
  if (!study.ladder.empty())
    columns.push_back(number("published", "published", [&study](const Result& result) {
      return cell::times(published_speedup(study, result));
    }));
  if (std::none_of(study.results.begin(), study.results.end(),
                   [](const Result& result) { return result.roofline() != nullptr; }))
    return columns;
  columns.push_back(number("of_roof", "of roof", [](const Result& result) {
    const roofline::RooflinePoint* point = result.roofline();
    return cell::percent(point == nullptr ? std::nullopt : std::optional(point->percent_of_roof));
  }));
  columns.push_back(words("bound_by", "bound by", [](const Result& result) {
    const roofline::RooflinePoint* point = result.roofline();
    return point == nullptr
               ? std::string(roofline::unknown_text)
               : roofline::level_label(result.kind, verdict(*point, result.counted.metrics).by);
  }));
  return columns;
}

/// A table with a row for each of the given results.
ViewTable table_of_results(const std::vector<ResultColumn>& columns,
                           const std::vector<Result>& ran) {
  ViewTable table = roofline::table_of(columns, ran, {"results", "Results", {}, {}, {}});
  for (std::size_t i = 0; i < ran.size(); ++i)
    if (ran[i].status == Status::failed) table.rows[i].tone = "bad";
  return table;
}

// ---- What stands around it ----------------------------------------------------------------------

std::string describe(const GitState& git) {
  return git.revision.substr(0, 12) + (git.dirty ? ", with changes not committed" : "");
}

/// Describes how the reference was obtained.
std::string describe(const ReferenceRecord& reference) {
  const std::string seconds = roofline::describe_seconds(reference.seconds);
  if (reference.kept) return fmt::format("kept by an earlier run, computed there in {}", seconds);
  if (reference.not_kept.empty()) return "computed in " + seconds;
  return fmt::format("computed in {}, not kept: {}", seconds,
                     roofline::visible(reference.not_kept));
}

std::string circumstances(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  std::string text = fmt::format("{} study of {}{}\n", kernel.title, study.created,
                                 study.complete ? "" : ", PARTIAL");
  const auto line = [&text](std::string_view key, const std::string& value) {
    text += fmt::format("  {:<11}{}\n", key, roofline::wrapped(value, page_width, 13, 13));
  };
  line("input", study.input.path);
  if (kernel.describe_input != nullptr) line("", kernel.describe_input(study.input));
  line("machine",
       fmt::format("{} ({}), {}", study.machine.cpu, describe_threads(study), study.machine.os));
  for (const std::string& more : {describe_processors(study.machine), describe_load(study)})
    if (!more.empty()) line("", more);
  if (const std::string set = describe_environment(study.machine); !set.empty()) line("set", set);
  for (const DeviceDescription& gpu : study.machine.gpus)
    line("", fmt::format("{} ({}, driver {})", gpu.name, gpu.architecture, gpu.driver));
  for (const auto& [language, compiler] : study.build.compilers)
    line(language, compiler + ", " +
                       (study.build.flags.contains(language) ? study.build.flags.at(language)
                                                             : std::string("flags unknown")));
  line("sources", describe(study.git));
  if (study.reference.values.empty()) return text;  // answers were checked without a reference
  line("reference", describe(study.reference) + (kernel.describe_reference == nullptr
                                                     ? ""
                                                     : kernel.describe_reference(study.reference)));
  return text;
}

/// Returns "v1", "v1 and v8", or "v1 to v9".
std::string range_of(const std::vector<Result>& results, std::size_t first, std::size_t last) {
  if (last == first) return results[first].variant;
  return fmt::format("{} {} {}", results[first].variant, last == first + 1 ? "and" : "to",
                     results[last].variant);
}

/// Returns "cuda v1 to v9: no device ..."; neighbours with the same reason share a line.
std::string unavailable(const StudyRecord& study) {
  std::string text;
  const std::vector<Result>& results = study.results;
  for (std::size_t first = 0; first < results.size(); ++first) {
    if (results[first].status != Status::unavailable) continue;
    std::size_t last = first;
    while (last + 1 < results.size() && results[last + 1].status == Status::unavailable &&
           results[last + 1].model == results[first].model &&
           results[last + 1].reason == results[first].reason)
      ++last;
    text += roofline::paragraph(fmt::format("not run: {} {}: {}", results[first].model,
                                            range_of(results, first, last), results[first].reason),
                                9);
    first = last;
  }
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

/// Explains stars and the word “disturbed” below the table, if they occur.
std::string marks(const StudyRecord& study) {
  std::string text;
  int throttled = 0;
  for (const Result& result : study.results)
    if (!result.limited_by("power")) throttled += result.clocks.throttled;
  if (std::any_of(study.results.begin(), study.results.end(), [](const Result& result) {
        return result.timed() && result.limited_by("power");
      }))
    text += fmt::format("P: the card's power cap held the clock back{}.\n",
                        clocks_decide(study) ? "; --details tells gains in cycles, too" : "");
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
  std::string text = "check: largest relative error against the reference.";
  if (!kernel.columns_legend.empty()) text += " " + kernel.columns_legend;
  text += "\ntime: median, +- half its 95% interval.";
  if (clocks_decide(study)) text += " in cycles: the gain at an equal clock.";
  if (kernel.published != nullptr && study.ladder.empty()) text += " " + kernel.published().legend;
  text += '\n';
  return text + energy_legend(study) + preparation(study) + marks(study);
}

/// Remarks on rounding and on doubts about the input.
std::string remarks_on_the_input(const StudyRecord& study, bool colours) {
  const Kernel& kernel = kernel_of(study);
  return (kernel.remarks == nullptr ? "" : kernel.remarks(study)) + doubt_banner(study, colours);
}

// ---- Several studies ----------------------------------------------------------------------------

/// The key of a row: results of different studies with equal keys share a row.
struct Key {
  std::string model, kind, variant, step;
  bool operator==(const Key&) const = default;
};

Key key_of(const Result& result) {
  return {result.model, result.kind, result.variant, result.step};
}

/// Keys in order of first appearance.
std::vector<Key> keys_of(const std::vector<NamedStudy>& studies) {
  std::vector<Key> keys;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (result.status != Status::unavailable &&
          std::find(keys.begin(), keys.end(), key_of(result)) == keys.end())
        keys.push_back(key_of(result));
  return keys;
}

std::string rate_text(const StudyRecord& study, const Key& key) {
  for (const Result& result : study.results) {
    if (key_of(result) != key || result.status == Status::unavailable) continue;
    if (result.status == Status::failed) return "FAILED";
    if (!result.timed()) return "-";
    return fmt::format("{:.3e}{}", terms_per_second(study, result),
                       result.trusted().disturbed ? " disturbed" : "");
  }
  return "-";
}

std::string machine_of(const StudyRecord& study) {
  const Machine& machine = study.machine;
  return machine.gpus.empty() ? fmt::format("{} ({})", machine.cpu, describe_threads(study))
                              : machine.gpus.front().name;
}

ViewTable rates_beside(const std::vector<NamedStudy>& studies) {
  ViewTable table{
      "side_by_side", "", {{"model", "model"}, {"variant", ""}, {"step", "step"}}, {}, {}};
  for (std::size_t i = 0; i < studies.size(); ++i)
    table.columns.push_back({fmt::format("rate_{}", i + 1),
                             fmt::format("[{}] {}/s", i + 1, kernel_of(studies[i].study).work), "",
                             "", Align::right});
  for (const Key& key : keys_of(studies)) {
    std::vector<TableCell> cells = {{model_label(key.model, key.kind)}, {key.variant}, {key.step}};
    for (const NamedStudy& named : studies) cells.push_back({rate_text(named.study, key)});
    table.rows.push_back({std::move(cells)});
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

std::string results_in_brief(const StudyRecord& study, const std::vector<Result>& shown,
                             bool colours) {
  const Kernel& kernel = kernel_of(study);
  if (shown.empty()) return {};
  std::string legend = "time: median, +- half its 95% interval.";
  if (kernel.published != nullptr && study.ladder.empty())
    legend += " " + kernel.published().legend;
  if (std::any_of(shown.begin(), shown.end(),
                  [](const Result& result) { return result.roofline() != nullptr; }))
    legend += " of roof: of the nearest roof. bound by: that roof, or what else holds it back.";
  return terminal_text(table_of_results(brief_columns(study), shown), colours) +
         roofline::paragraph(legend) + marks(study);
}

std::string summary(const StudyRecord& study, bool colours) {
  std::vector<Result> ran;
  for (const Result& result : study.results)
    if (result.status != Status::unavailable) ran.push_back(result);
  const ViewTable table = table_of_results(result_columns(study), ran);
  std::string text = circumstances(study) + "\n";
  if (!table.rows.empty()) text += terminal_text(table, colours) + "\n" + results_legend(study);
  if (const std::string roofline = roofline_text(study, colours); !roofline.empty())
    text += "\n" + roofline + "\n";
  text += ladder_text(study, colours);
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
