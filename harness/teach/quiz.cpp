#include "harness/teach/quiz.h"

#include <fmt/format.h>

#include <cctype>
#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "harness/teach/markdown_text.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

char letter(std::size_t choice) { return static_cast<char>('a' + choice); }

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

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

std::string shown(const Question& question, std::size_t width) {
  std::string text = roofline::wrapped(without_signs(question.text), width, 0) + "\n";
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    text += fmt::format("  {}) {}\n", letter(i),
                        roofline::wrapped(without_signs(question.choices[i]), width, 5, 5));
  return text;
}

enum class Reply { choice, passed, ended };

/// Reads until there is an answer. `chosen` is set where it is one of the choices.
Reply read_reply(std::size_t choices, std::istream& in, std::ostream& out, std::size_t& chosen) {
  const char last = letter(choices - 1);
  for (std::string line;;) {
    out << fmt::format("Your answer, a to {}: ", last) << std::flush;
    if (!std::getline(in, line)) return Reply::ended;
    line = trimmed(line);
    if (line.empty()) return Reply::passed;
    if (const auto choice = choice_of(line, choices)) {
      chosen = *choice;
      return Reply::choice;
    }
    out << fmt::format("'{}' is none of them: a letter from a to {}, or nothing to pass.\n", line,
                       last);
  }
}

std::string verdict(const Question& question, Reply reply, std::size_t chosen, bool colours) {
  if (reply == Reply::passed) return fmt::format("It is {}.", letter(question.right));
  if (chosen == question.right)
    return roofline::coloured("Right.", roofline::Colour::green, colours);
  return roofline::coloured(fmt::format("No: it is {}.", letter(question.right)),
                            roofline::Colour::red, colours);
}

}  // namespace

Score ask(const std::vector<Question>& quiz, std::istream& in, std::ostream& out,
          const QuizStyle& style) {
  Score score;
  for (const Question& question : quiz) {
    out << roofline::coloured(fmt::format("Question {} of {}\n", ++score.asked, quiz.size()),
                              roofline::Colour::bold, style.colours)
        << shown(question, style.width);
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
