// gpp explain: shows the lesson of a step.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/command/options.h"
#include "harness/program/build_info.h"
#include "harness/program/exit_status.h"
#include "harness/teach/explanation.h"
#include "harness/teach/glossary.h"
#include "harness/teach/last_study.h"
#include "harness/teach/pages.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/model.h"
#include "roofline/points.h"
#include "roofline/view/roofline_chart.h"

namespace gpp {
namespace {

struct ExplainRequest {
  std::string variant;
  std::string model;
  const Kernel* kernel = kernels().front();
  std::filesystem::path results = std::filesystem::path(build_info::source_dir) / "results";
  bool diff = false;
  BuildChoice build;
};

/// Draws the roofs as a chart with one example point: a triad a(i) = b(i) + s c(i) does two
/// operations per 24 bytes, and its slowest memory level decides its time.
std::string drawn_roofs(const roofline::Ceilings& roofs, const roofline::Model& model) {
  constexpr double elements = 1e9;
  roofline::Metrics triad = {{model.work, 2 * elements}};
  double seconds = 0;
  for (const roofline::Level& level : model.levels)
    if (const auto bandwidth = roofline::bandwidth_of(roofs, level)) {
      triad[level.traffic] = 24 * elements / level.bytes_each;
      seconds = std::max(seconds, 24 * elements / *bandwidth);
    }
  for (const roofline::RooflinePoint& point :
       roofline::roofline_points(triad, seconds, roofline::CountedBy::analytic, roofs).points)
    if (const auto chart = roofline::make_chart(roofs, {{"triad", point}}, point.precision))
      return "\n" + roofline::terminal_roofline(*chart, "a triad, two operations for 24 bytes");
  return {};
}

/// Describes the peak, bandwidths and ridges of a device, as a study measured them.
std::string roofs_in(const RecordedStudy& study, const roofline::Ceilings& roofs) {
  const roofline::Model* model = roofline::model_of(roofs, "fp64");
  const roofline::Ceiling* peak = model == nullptr ? nullptr : roofs.find(model->peak);
  if (peak == nullptr) return {};
  std::string text =
      fmt::format("{} ({}), in FP64: peak {}\n", roofline::visible(roofs.device),
                  folder_text(study.folder), roofline::describe_rate(peak->measured, "FLOP/s"));
  for (const roofline::Level& level : model->levels)
    if (const auto bandwidth = roofline::bandwidth_of(roofs, level))
      text += fmt::format("  {:<13} {:>12}, ridge at {:.3g} FLOP per byte\n", level.label,
                          roofline::describe_rate(*bandwidth, "B/s"), peak->measured / *bandwidth);
  return text + drawn_roofs(roofs, *model);
}

/// The roofs of each device here, from the newest study of it or of one like it.
std::string own_roofs(const ExplainRequest& request) {
  const std::vector<RecordedStudy> studies = recorded_studies(*request.kernel, request.results);
  std::string text;
  for (const DeviceDescription& device : devices_here(*request.kernel)) {
    std::string own;
    for (const RecordedStudy& one : studies)
      for (const roofline::Ceilings& roofs : one.study.ceilings)
        if (own.empty() && is_like(one.study, roofs.device, device)) own = roofs_in(one, roofs);
    text += own;
  }
  return text.empty() ? "\nAfter a study this page ends with the roofs of your own machine.\n"
                      : "\nYour own machine, or one like it\n\n" + text;
}

/// Shows the page about the kernel, a ladder, or a glossary word.
int explain_other(const ExplainRequest& request, const std::string& text) {
  if (request.diff)
    throw roofline::InputError(fmt::format("{}: only lessons have a --diff", request.variant));
  fmt::print("{}{}", text, request.variant == roofline_name ? own_roofs(request) : "");
  return every_check_passed;
}

/// Suggests a ladder or a glossary word if the name resembles no variant. Throws InputError.
void suggest_a_word(const ExplainRequest& request) {
  std::vector<std::string> variants, words;
  for (const Variant& variant : request.kernel->catalog())
    variants.insert(variants.end(), {variant.id, variant.step});
  if (std::ranges::find(variants, request.variant) != variants.end() ||
      !roofline::nearest(request.variant, variants).empty())
    return;
  for (const Word& word : glossary()) words.push_back(word.name);
  for (const PublishedLadder& ladder : ladders_of(*request.kernel)) words.push_back(ladder.name);
  const std::string meant = roofline::nearest(request.variant, words);
  throw roofline::InputError(fmt::format(
      "unknown variant, ladder or word '{}'; {}", roofline::visible(request.variant),
      meant.empty() ? fmt::format("{} list shows the variants, and docs/glossary.md the "
                                  "words",
                                  program_name())
                    : fmt::format("did you mean '{}'?", meant)));
}

int explain_variant(ExplainRequest& request) {
  if (const auto text = page_or_word(*request.kernel, request.variant, roofline::text_width()))
    return explain_other(request, *text);
  if (const auto text = ladder_page(*request.kernel, request.variant, roofline::text_width(),
                                    roofline::colours_wanted()))
    return explain_other(request, *text);
  Wanted wanted;
  wanted.kernel = request.kernel;
  if (!request.model.empty()) wanted.models = {request.model};
  wanted.only = {request.variant};
  std::vector<std::string> names = {request.variant};
  adopt_plugins(names, wanted, {});
  request.variant = names.front();
  suggest_a_word(request);
  const Choice choice = select_one(request.kernel->catalog(), request.variant, wanted);
  const Explanation explanation =
      explain(*request.kernel, *choice.variant, request.results, !request.model.empty());
  const ExplanationStyle style{roofline::text_width(), roofline::colours_wanted(), request.diff};
  if (request.diff)
    fmt::print("{}", diffs_alone(explanation, style));
  else
    fmt::print("{}{}", before_the_answer(explanation, style), after_the_answer(explanation, style));
  return every_check_passed;
}

}  // namespace

Command add_explain(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_learn, "explain", "To understand a step: its idea, its difference, its evidence",
      {"gpp explain kernel", "gpp explain v7", "gpp explain v9 --model omp",
       "gpp explain v9 --diff | less -R", "gpp explain my_idea", "gpp explain sc20",
       "gpp explain occupancy"});
  const auto request = std::make_shared<ExplainRequest>();
  command
      ->add_option(
          "variant", request->variant,
          "Its id or step: v7 or reciprocal; kernel: what is computed and why; roofline: how to "
          "read one; a published ladder: sc20; a word: occupancy")
      ->required();
  command->add_option("--model", request->model, "Programming model: cuda, omp, thrust or serial");
  command
      ->add_option("--results", request->results,
                   "Folder under which this machine's studies lie (default: results/)")
      ->check(CLI::ExistingDirectory);
  command->add_flag("--diff", request->diff, "Show the whole diff, and no more");
  add_build_options(*command, request->build);
  return {command, [request] { return explain_variant(*request); }};
}

}  // namespace gpp
