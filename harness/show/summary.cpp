#include "harness/show/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/show/ladder_table.h"
#include "harness/show/load_text.h"
#include "harness/show/roofline_table.h"
#include "harness/show/scaling_text.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

constexpr std::size_t page_width = 100;

std::string times(std::optional<double> factor) {
  return factor ? fmt::format("{:.2f}x", *factor) : "-";
}

std::string check_cell(const Result& result) {
  const double error = result.check.max_relative_error;
  const std::string size = std::isfinite(error) ? fmt::format(" {:.1e}", error) : "";
  return (result.status == Status::passed ? "ok" : "FAILED") + size;
}

/// "±0.4%": where the median can be. One sample says nothing about that.
std::string spread_cell(const Result& result) {
  if (!result.timed()) return "-";
  const Trusted trusted = result.trusted();
  if (trusted.disturbed) return "disturbed";
  if (trusted.samples.size() < 2) return "-";
  return fmt::format("{:.1f}%", 100 * result.timing().spread());
}

std::string time_cell(const Result& result) {
  if (!result.timed()) return "-";
  return roofline::describe_seconds(result.timing().median) +
         (result.clocks.throttled > 0 ? "*" : " ");
}

std::string rate_cell(const StudyRecord& study, const Result& result) {
  const double rate = terms_per_second(study, result);
  return rate > 0 ? fmt::format("{:.2e}", rate) : "-";
}

std::function<std::string(std::string)> paint_failed(const Result& result, bool colours) {
  if (result.status != Status::failed) return {};
  return [colours](std::string line) {
    return roofline::coloured(line, roofline::Colour::red, colours);
  };
}

/// Whether the kernel's variants are steps from a first one.
bool has_first_step(const Kernel& kernel) {
  const std::vector<Variant>& variants = kernel.catalog();
  return std::any_of(variants.begin(), variants.end(),
                     [](const Variant& variant) { return variant.id == "v1"; });
}

std::string results_table(const StudyRecord& study, bool colours) {
  using enum roofline::Table::Align;
  const Kernel& kernel = kernel_of(study);
  const bool over_first = has_first_step(kernel) || !study.ladder.empty();
  std::vector<roofline::Table::Column> columns = {
      {"model", left}, {"", left}, {"step", left}, {"check", left}};
  for (const KernelColumn& column : kernel.columns) columns.push_back({column.title, left});
  for (const char* title : {"time ", "+-", "runs"}) columns.push_back({title, right});
  columns.push_back({kernel.work + "/s", right});
  if (over_first) columns.push_back({study.ladder.empty() ? "over v1" : "over first", right});
  const bool published = kernel.published != nullptr && study.ladder.empty();
  if (published) columns.push_back({kernel.published().device, right});
  roofline::Table table(columns);
  for (const Result& result : study.results) {
    if (result.status == Status::unavailable) continue;
    // Steps of published ladders have long names, and one name for both.
    const bool one_name = !study.ladder.empty() && result.step == result.variant;
    std::vector<std::string> cells = {model_label(result.model, result.kind), result.variant,
                                      one_name ? "" : result.step, check_cell(result)};
    for (const KernelColumn& column : kernel.columns) cells.push_back(column.cell(result));
    for (const std::string& cell :
         {time_cell(result), spread_cell(result), std::to_string(result.samples.size()),
          rate_cell(study, result)})
      cells.push_back(cell);
    if (over_first) cells.push_back(times(speedup(study, result)));
    if (published) cells.push_back(times(published_speedup(study, result)));
    table.add(cells, paint_failed(result, colours));
  }
  return table.empty() ? "" : table.text();
}

std::string describe(const GitState& git) {
  return git.revision.substr(0, 12) + (git.dirty ? ", with changes not committed" : "");
}

/// How a reference was come by.
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
  for (const DeviceDescription& gpu : study.machine.gpus)
    line("", fmt::format("{} ({}, driver {})", gpu.name, gpu.architecture, gpu.driver));
  for (const auto& [language, compiler] : study.build.compilers)
    line(language, compiler + ", " +
                       (study.build.flags.contains(language) ? study.build.flags.at(language)
                                                             : std::string("flags unknown")));
  line("sources", describe(study.git));
  if (study.reference.values.empty()) return text;  // answers are judged without one
  line("reference", describe(study.reference) + (kernel.describe_reference == nullptr
                                                     ? ""
                                                     : kernel.describe_reference(study.reference)));
  return text;
}

/// "v1", "v1 and v8", "v1 to v9".
std::string range_of(const std::vector<Result>& results, std::size_t first, std::size_t last) {
  if (last == first) return results[first].variant;
  return fmt::format("{} {} {}", results[first].variant, last == first + 1 ? "and" : "to",
                     results[last].variant);
}

/// "cuda v1 to v9: no device ...": neighbours with one reason share a line.
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
    text += roofline::wrapped(fmt::format("not run: {} {}: {}", results[first].model,
                                          range_of(results, first, last), results[first].reason),
                              page_width, 9) +
            "\n";
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
  return roofline::wrapped(fmt::format("Untimed: the host prepares the input for {} in {}, once.",
                                       names, roofline::describe_seconds(seconds)),
                           page_width, 0) +
         "\n";
}

std::string legend(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  std::string text = "check: largest relative error against the reference.";
  if (!kernel.columns_legend.empty()) text += " " + kernel.columns_legend;
  text += "\ntime: median, +- half its 95% interval.";
  if (kernel.published != nullptr && study.ladder.empty()) text += " " + kernel.published().legend;
  text += '\n';
  text += preparation(study);
  int throttled = 0;
  for (const Result& result : study.results) throttled += result.clocks.throttled;
  if (throttled > 0)
    text += fmt::format(
        "*: the clock fell more than {:.0f}% below the highest seen in {} timed runs "
        "(throttled?).\n",
        100 * throttle_threshold, throttled);
  if (std::any_of(study.results.begin(), study.results.end(), [](const Result& result) {
        return result.timed() && result.trusted().disturbed;
      }))
    text += fmt::format(
        "disturbed: others took more than {:.0f}% of the processor in too many of the runs.\n",
        100 * disturbed_threshold);
  return text;
}

}  // namespace

std::string failures(const StudyRecord& study, bool colours) {
  if (!any_failed(study)) return {};
  const auto failed =
      std::count_if(study.results.begin(), study.results.end(),
                    [](const Result& result) { return result.status == Status::failed; });
  const std::string bar(page_width, '!');
  std::string text =
      fmt::format("{}\n!! FAILED: {} of {} variants\n", bar, failed, study.results.size());
  for (const Result& result : study.results)
    if (result.status == Status::failed)
      text += roofline::wrapped(fmt::format("!! {} {} {}: {}", result.model, result.variant,
                                            result.step, result.reason),
                                page_width, 6) +
              "\n";
  return roofline::coloured(text + bar, roofline::Colour::red, colours) + "\n";
}

namespace {

/// Remarks on rounding, and on doubts about the input.
std::string remarks_on_the_input(const StudyRecord& study, bool colours) {
  std::string text;
  const Kernel& kernel = kernel_of(study);
  if (kernel.remarks != nullptr) text += kernel.remarks(study);
  const ReferenceRecord& reference = study.reference;
  if (reference.disagreement.empty()) return text;
  const std::string bar(page_width, '!');
  const std::string doubt = roofline::wrapped(
      fmt::format(
          "!! THE INPUT IS IN DOUBT: {}. Some of its numbers are damaged, or another program "
          "computed what it carries. Copy or generate it again.",
          reference.disagreement),
      page_width, 6);
  return text +
         roofline::coloured(fmt::format("{0}\n{1}\n{0}", bar, doubt), roofline::Colour::red,
                            colours) +
         "\n";
}

}  // namespace

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

std::string summary(const StudyRecord& study, bool colours) {
  const std::string table = results_table(study, colours);
  std::string text = circumstances(study) + "\n";
  if (!table.empty()) text += table + "\n" + legend(study);
  if (const std::string roofline = roofline_text(study, colours); !roofline.empty())
    text += "\n" + roofline + "\n";
  text += ladder_tables(study, colours);
  if (const std::string scaling = scaling_text(study); !scaling.empty()) text += "\n" + scaling;
  text += unavailable(study);
  text += remarks_on_the_input(study, colours);
  if (!study.complete) text.append("\n").append(partial_banner(study, colours));
  if (any_failed(study)) return text + "\n" + failures(study, colours);
  if (!study.complete) return text;
  if (!any_passed(study))
    return text + "\n" +
           roofline::coloured("No variant ran: nothing was checked.", roofline::Colour::red,
                              colours) +
           "\n";
  if (!study.reference.disagreement.empty())
    return text +
           "The variants agree with a reference computed from this input, not with its own.\n";
  return text + roofline::coloured("Every check passed.", roofline::Colour::green, colours) + "\n";
}

}  // namespace gpp
