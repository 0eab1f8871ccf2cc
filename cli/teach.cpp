#include "cli/teach.h"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>

#include "harness/teach/quiz.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

void print_score(const Score& score, std::size_t questions) {
  fmt::print("\n{} of {} questions right", score.right, questions);
  if (score.answered < questions) fmt::print(", {} answered", score.answered);
  fmt::print(".\n");
}

/// The predictions, before anything is told.
Guesses ask_numbers(const Step& step, const std::optional<Observed>& observed,
                    const ExplanationStyle& style) {
  fmt::print("\n");
  const std::vector<PredictionQuestion> questions = questions_on(step, observed);
  if (questions.empty())
    fmt::print("{}\n\n", roofline::wrapped(
                             fmt::format("There is nothing to predict on this machine: {} {} {}",
                                         step.choice.variant->model, step.choice.variant->id,
                                         step.choice.build == nullptr ? "does not run here"
                                                                      : "shows no number here") +
                                 ".",
                             style.width, 0));
  std::fflush(stdout);
  const Guesses guesses =
      ask_predictions(questions, std::cin, std::cout, {style.width, style.colours});
  std::cout.flush();
  return guesses;
}

/// Runs what no record shows, and shows the predictions beside the outcomes. Where no question was
/// answered nothing is run. Of a run that was interrupted nothing is told or kept.
ExitStatus reveal(const Step& step, const Guesses& guesses, const PredictionOptions& options,
                  const std::optional<LastStudy>& last, std::optional<Observed>& observed) {
  if (guesses.made.empty()) return every_check_passed;
  if (!observed) {
    fmt::print("Running {}{} here.\n\n",
               step.before.build == nullptr ? "" : step.before.variant->id + " and ",
               step.choice.variant->id);
    std::fflush(stdout);
    observed = run_now(step, options, last);
    if (observed->status == interrupted) return interrupted;
  }
  const std::vector<Prediction> predictions = judge(*observed, guesses.made, options);
  fmt::print("{}Kept in {}\n",
             text_of(predictions, observed->outcome(), step.kernel->work, roofline::text_width()),
             roofline::visible(options.answers.string()));
  return observed->status;
}

/// The lesson's own questions that this kind of device can show the answers of. Returns whether the
/// answers ended before them or among them.
bool ask_choices(const Explanation& explanation, bool ended, const ExplanationStyle& style) {
  if (explanation.lesson == nullptr) return ended;
  const std::vector<Question> quiz = questions_for(explanation.kind, explanation.lesson->quiz);
  Score score;
  fmt::print("\n");
  std::fflush(stdout);
  if (!ended) score = ask(quiz, std::cin, std::cout, {style.width, style.colours});
  std::cout.flush();
  fmt::print("{}", next_text(explanation, style));
  if (!quiz.empty()) print_score(score, quiz.size());
  return ended || score.ended || std::cin.eof();
}

}  // namespace

Taught teach(const Step& step, Explanation& explanation, const PredictionOptions& options,
             std::optional<Observed> observed, AtEnd at_end, const ExplanationStyle& style) {
  fmt::print("{}", before_the_answer(explanation, style, Diffs::kept_back));
  const Guesses guesses = ask_numbers(step, observed, style);
  if (guesses.ended && at_end == AtEnd::stop) return {every_check_passed, false, true};
  if (guesses.ended) fmt::print("No more answers: the rest is told without them.\n");
  const ExitStatus status = reveal(step, guesses, options, explanation.last, observed);
  if (status == interrupted) return {status, false, true};
  if (observed && observed->study.study.results[observed->study.result].timed())
    explanation.last = observed->study;
  fmt::print("{}{}", kept_back_diffs(explanation, style), outcomes_text(explanation, style));
  return {status, true, ask_choices(explanation, guesses.ended, style)};
}

}  // namespace gpp
