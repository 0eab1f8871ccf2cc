#include "harness/teach/quiz.h"

#include <fmt/format.h>

#include <cctype>
#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "harness/teach/markdown_text.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

constexpr const char* other_answers = "?) I don't know   q) no more answers";

char letter(std::size_t choice) { return static_cast<char>('a' + choice); }

/// The choice that "b", "B", "b)" or "2" means.
std::optional<std::size_t> choice_of(std::string answer, std::size_t choices) {
  if (answer.size() == 2 && (answer[1] == ')' || answer[1] == '.')) answer.pop_back();
  if (answer.size() != 1) return std::nullopt;
  const auto sign = static_cast<unsigned char>(answer[0]);
  std::size_t choice = choices;
  if (std::isdigit(sign) != 0 && sign != '0') choice = static_cast<std::size_t>(sign - '1');
  if (std::isalpha(sign) != 0) choice = static_cast<std::size_t>(std::tolower(sign) - 'a');
  return choice < choices ? std::optional(choice) : std::nullopt;
}

std::string shown(const std::string& question, const std::vector<std::string>& choices,
                  std::size_t width) {
  std::string text = roofline::wrapped(without_signs(question), width, 0) + "\n";
  for (std::size_t i = 0; i < choices.size(); ++i)
    text += fmt::format("  {}) {}\n", letter(i),
                        roofline::wrapped(without_signs(choices[i]), width, 5, 5));
  return fmt::format("{}  {}\n", text, other_answers);
}

/// Numbers stand in one line.
std::string shown(const PredictionQuestion& question, std::size_t width) {
  if (question.asked == Asked::bound_by) return shown(question.text, question.choices, width);
  std::string choices;
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    choices += fmt::format("{}) {}   ", letter(i), question.choices[i]);
  return roofline::wrapped(without_signs(question.text) + " A number, or one of these:", width, 0) +
         fmt::format("\n  {}{}\n", choices, other_answers);
}

enum class Reply { choice, passed, ended };

/// False where no more answers come: at the end of the input, or at "q".
bool next_answer(std::istream& in, std::string& line) {
  if (!std::getline(in, line)) return false;
  line = roofline::trimmed(line);
  return roofline::in_lower_case(line) != "q";
}

/// Reads until there is an answer. `chosen` is set where it is one of the choices.
Reply read_reply(std::size_t choices, std::istream& in, std::ostream& out, std::size_t& chosen) {
  const char last = letter(choices - 1);
  for (std::string line;;) {
    out << fmt::format("Your answer, a to {}: ", last) << std::flush;
    if (!next_answer(in, line)) return Reply::ended;
    if (is_dont_know(line)) return Reply::passed;
    if (const auto choice = choice_of(line, choices)) {
      chosen = *choice;
      return Reply::choice;
    }
    out << fmt::format("'{}' is none of them: a letter from a to {}, or ? if you don't know.\n",
                       roofline::visible(line.substr(0, 60)), last);
  }
}

std::string verdict(const Question& question, Reply reply, std::size_t chosen, bool colours) {
  if (reply == Reply::passed) return fmt::format("It is {}.", letter(question.right));
  if (chosen == question.right)
    return roofline::coloured("Right.", roofline::Colour::green, colours);
  return roofline::coloured(fmt::format("No: it is {}.", letter(question.right)),
                            roofline::Colour::red, colours);
}

/// The guess in a line, which may be the letter of a choice. Digits are a number where one is
/// asked.
std::optional<Guess> guess_in(const PredictionQuestion& question, const std::string& line) {
  const bool is_word = question.asked == Asked::bound_by;
  const auto choice = is_word || std::isalpha(static_cast<unsigned char>(line[0])) != 0
                          ? choice_of(line, question.choices.size())
                          : std::nullopt;
  return parse_guess(question.asked, choice ? question.choices[*choice] : line, question.choices);
}

/// Reads until there is a guess, which goes into `guesses`.
Reply read_guess(const PredictionQuestion& question, std::istream& in, std::ostream& out,
                 Guesses& guesses) {
  for (std::string line;;) {
    out << "Your prediction: " << std::flush;
    if (!next_answer(in, line)) return Reply::ended;
    if (is_dont_know(line)) {
      guesses.made[question.asked] = std::nullopt;
      return Reply::passed;
    }
    if (const auto guess = guess_in(question, line)) {
      guesses.made[question.asked] = *guess;
      return Reply::choice;
    }
    out << fmt::format("'{}' is no answer: {}, or ? if you don't know.\n",
                       roofline::visible(line.substr(0, 60)),
                       what_is_asked(question.asked, question.choices));
  }
}

}  // namespace

Guesses ask_predictions(const std::vector<PredictionQuestion>& questions, std::istream& in,
                        std::ostream& out, const QuizStyle& style) {
  Guesses guesses;
  std::size_t number = 0;
  for (const PredictionQuestion& question : questions) {
    out << roofline::coloured(fmt::format("Prediction {} of {}\n", ++number, questions.size()),
                              roofline::Colour::bold, style.colours)
        << shown(question, style.width);
    if (read_guess(question, in, out, guesses) == Reply::ended) {
      out << "\n";
      guesses.ended = true;
      break;
    }
    out << "\n";
  }
  return guesses;
}

Score ask(const std::vector<Question>& quiz, std::istream& in, std::ostream& out,
          const QuizStyle& style) {
  Score score;
  for (const Question& question : quiz) {
    out << roofline::coloured(fmt::format("Question {} of {}\n", ++score.asked, quiz.size()),
                              roofline::Colour::bold, style.colours)
        << shown(question.text, question.choices, style.width);
    std::size_t chosen = 0;
    const Reply reply = read_reply(question.choices.size(), in, out, chosen);
    if (reply == Reply::ended) {
      out << "\nNo more answers: the rest is told without them.\n\n";
      return score;
    }
    score.answered += reply == Reply::choice;
    score.right += reply == Reply::choice && chosen == question.right;
    out << verdict(question, reply, chosen, style.colours) << " "
        << roofline::wrapped(without_signs(question.why), style.width, 0, 12) << "\n\n";
  }
  return score;
}

}  // namespace gpp
