// gpp explain: shows the lesson of a step, a page, a published ladder, or a word.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/plugins.h"
#include "harness/command/options.h"
#include "harness/program/build_info.h"
#include "harness/program/interrupt.h"
#include "harness/teach/explanation.h"
#include "harness/teach/glossary.h"
#include "harness/teach/pages.h"
#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

struct ExplainRequest {
  std::string variant;
  std::string model;
  const Kernel* kernel = kernels().front();
  std::filesystem::path results = std::filesystem::path(build_info::source_dir) / "results";
  bool diff = false;
  bool no_build = false;
};

/// Throws InputError, with what may be meant, where no variant has that name.
void require_variant(const ExplainRequest& request) {
  std::vector<std::string> names;
  for (const Variant& variant : request.kernel->catalog())
    names.insert(names.end(), {variant.id, variant.step});
  if (std::ranges::find(names, request.variant) != names.end()) return;
  for (const Word& word : glossary()) names.push_back(word.name);
  for (const PublishedLadder& ladder : ladders_of(*request.kernel)) names.push_back(ladder.name);
  const std::string meant = roofline::nearest(request.variant, names);
  throw roofline::InputError(fmt::format(
      "unknown variant, ladder or word '{}'; {}", roofline::visible(request.variant),
      meant.empty()
          ? program_name() + " list shows variants and ladders, and docs/glossary.md the words"
          : fmt::format("did you mean '{}'?", meant)));
}

int explain_named(ExplainRequest& request) {
  const ExplanationStyle style{roofline::text_width(), roofline::colours_wanted(), request.diff};
  if (const auto page = page_called(*request.kernel, request.variant, style.width, style.colours)) {
    if (request.diff)
      throw roofline::InputError(fmt::format("{}: only lessons have a --diff", request.variant));
    fmt::print("{}", *page);
    return every_check_passed;
  }
  Wanted wanted;
  wanted.kernel = request.kernel;
  if (!request.model.empty()) wanted.models = {request.model};
  wanted.only = {request.variant};
  std::vector<std::string> names = {request.variant};
  adopt_plugins(names, wanted, request.no_build);
  request.variant = names.front();
  require_variant(request);
  const Choice choice = select_one(request.kernel->catalog(), request.variant, wanted);
  const Explanation explanation = explain(*request.kernel, *choice.variant, request.results);
  fmt::print("{}", request.diff ? diffs_alone(explanation, style)
                                : before_the_answer(explanation, style) +
                                      after_the_answer(explanation, style));
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
  add_build_options(*command, request->no_build);
  return {command, [request] { return explain_named(*request); }};
}

}  // namespace gpp
