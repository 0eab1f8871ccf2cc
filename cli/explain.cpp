// gpp explain: the lesson of a step.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "harness/measure/measure.h"
#include "harness/measure/options.h"
#include "harness/program/build_info.h"
#include "harness/teach/explanation.h"
#include "harness/teach/kernel_page.h"
#include "harness/teach/quiz.h"
#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

struct Request {
  std::string variant;
  std::string model;
  const Kernel* kernel = kernels().front();
  std::filesystem::path results = std::filesystem::path(build_info::source_dir) / "results";
  bool quiz = false;
  bool json = false;
  std::filesystem::path pictures;  ///< a folder to draw the page's pictures into
};

void print_score(const Score& score, std::size_t questions) {
  fmt::print("{} of {} right", score.right, questions);
  if (score.answered < questions) fmt::print(", {} answered", score.answered);
  fmt::print(".\n");
}

/// The page on the kernel, or a word.
int explain_other(const Request& request, const std::string& text) {
  if (request.quiz || request.json)
    throw roofline::InputError(fmt::format("{}: only lessons have {}", request.variant,
                                           request.quiz ? "a --quiz" : "--json"));
  fmt::print("{}", text);
  return every_check_passed;
}

int draw_pictures_of_the_page(const Request& request) {
  if (request.variant != page_name)
    throw roofline::InputError("--svg: only `gpp explain kernel` has pictures to draw");
  for (const std::filesystem::path& file : write_pictures(*request.kernel, request.pictures))
    fmt::print("{}\n", roofline::visible(file.string()));
  return every_check_passed;
}

int explain_variant(const Request& request) {
  if (!request.pictures.empty()) return draw_pictures_of_the_page(request);
  if (const auto text = page_or_word(*request.kernel, request.variant, roofline::text_width()))
    return explain_other(request, *text);
  Wanted wanted;
  wanted.kernel = request.kernel;
  if (!request.model.empty()) wanted.models = {request.model};
  const Choice choice = select_one(request.kernel->catalog(), request.variant, wanted);
  const Explanation explanation = explain(*request.kernel, *choice.variant, request.results);
  if (request.json) {
    fmt::print("{}\n", explanation_json(explanation).dump(1));
    return every_check_passed;
  }
  const ExplanationStyle style{roofline::text_width(), roofline::colours_wanted()};
  fmt::print("{}", before_the_answer(explanation, style));
  if (!request.quiz) {
    fmt::print("{}", after_the_answer(explanation, style));
    return every_check_passed;
  }
  if (explanation.lesson == nullptr)
    throw roofline::InputError(fmt::format("--quiz: there is no lesson on '{}'; {} steps have one",
                                           request.variant, lessons_of(*request.kernel).size()));
  fmt::print("\n");
  std::fflush(stdout);
  const Score score =
      ask(explanation.lesson->quiz, std::cin, std::cout, {style.width, style.colours});
  std::cout.flush();
  fmt::print("{}\n", after_the_answer(explanation, style));
  print_score(score, explanation.lesson->quiz.size());
  return every_check_passed;
}

}  // namespace

Command add_explain(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("explain", "The lesson of a step: idea, diff, prediction, evidence");
  const auto request = std::make_shared<Request>();
  command
      ->add_option(
          "variant", request->variant,
          "Its id or step: v7 or reciprocal; kernel: what is computed and why; a word: occupancy")
      ->required();
  add_kernel_option(*command, request->kernel);
  command->add_option("--model", request->model, "Programming model: cuda, omp, thrust or serial");
  CLI::Option* quiz =
      command->add_flag("--quiz", request->quiz, "Ask before telling; reads standard input");
  command
      ->add_option("--results", request->results,
                   "Folder under which this machine's studies lie (default: results/)")
      ->check(CLI::ExistingDirectory);
  command->add_option("--svg", request->pictures,
                      "Draws the pictures of `gpp explain kernel` into this folder");
  add_json_option(*command, request->json);
  command->get_option("--json")->excludes(quiz);
  command->footer(examples({"gpp explain kernel", "gpp explain v7", "gpp explain v7 --quiz",
                            "gpp explain v9 --model omp", "gpp explain my_idea",
                            "gpp explain occupancy", "gpp explain v7 --json | jq .lesson.idea"}));
  return {command, [request] { return explain_variant(*request); }};
}

}  // namespace gpp
