// gpp explain: shows the lesson of a step, a page, a published ladder, or a word.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/program/interrupt.h"
#include "harness/teach/explanation.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

struct ExplainRequest {
  std::string variant;
  Wanted wanted;
  bool no_build = false;
};

int explain_named(ExplainRequest& request) {
  const Kernel& kernel = *request.wanted.kernel;
  const ExplanationStyle style{roofline::text_width(), roofline::colours_wanted()};
  if (const auto page = page_called(kernel, request.variant, style.width)) {
    fmt::print("{}", *page);
    return every_check_passed;
  }
  adopt_plugin_and_edits(request.variant, request.wanted, request.no_build);
  if (std::ranges::none_of(kernel.catalog(), [&request](const Variant& variant) {
        return variant.id == request.variant || variant.step == request.variant;
      }))
    throw roofline::InputError(
        fmt::format("unknown variant, ladder or word '{}'; {} list shows variants and ladders, and "
                    "docs/glossary.md the words",
                    roofline::visible(request.variant), program_name()));
  const Choice choice = select_one(kernel.catalog(), request.variant, request.wanted);
  fmt::print("{}", explanation_of(kernel, *choice.variant, style));
  return every_check_passed;
}

}  // namespace

Command add_explain(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_learn, "explain", "To understand a step: its idea, its difference, its evidence",
      {"gpp explain kernel", "gpp explain v7", "gpp explain v9 --model omp | less -R",
       "gpp explain my_idea", "gpp explain sc20", "gpp explain occupancy"});
  const auto request = std::make_shared<ExplainRequest>();
  command
      ->add_option(
          "variant", request->variant,
          "Its id or step: v7 or reciprocal; kernel: what is computed and why; roofline: how to "
          "read one; a published ladder: sc20; a word: occupancy")
      ->required();
  add_model_option(*command, request->wanted);
  add_build_options(*command, request->no_build);
  return {command, [request] { return explain_named(*request); }};
}

}  // namespace gpp
