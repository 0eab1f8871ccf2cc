// Asking before telling.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "harness/teach/lessons.h"
#include "harness/teach/predictions.h"

namespace gpp {

struct Score {
  std::size_t right = 0;
  std::size_t answered = 0;  ///< questions that got one of their choices
  std::size_t asked = 0;     ///< of all, before the input ended
};

struct QuizStyle {
  std::size_t width = 100;  ///< of a line
  bool colours = false;
};

/// Asks one question after the other on `out` and reads a line for each from `in`: the letter or
/// the number of a choice, or "I don't know" (is_dont_know). Anything else is asked again. Each
/// answer is judged and explained at once. Ends early, and says so, at the end of the input and at
/// "q".
Score ask(const std::vector<Question>& quiz, std::istream& in, std::ostream& out,
          const QuizStyle& style);

/// A number or a word to predict.
struct PredictionQuestion {
  Asked asked = Asked::speedup;
  std::string text;
  std::vector<std::string> choices;  ///< each of which parse_guess takes
};

struct Guesses {
  std::map<Asked, Answer> made;
  bool ended = false;  ///< the answers, before all was asked
};

/// Asks one after the other, and tells nothing. A choice can be given by its letter, "I don't know"
/// is an answer. What cannot be one is asked again, with the reason. Ends early at the end of the
/// input and at "q"; saying so is left to the caller.
Guesses ask_predictions(const std::vector<PredictionQuestion>& questions, std::istream& in,
                        std::ostream& out, const QuizStyle& style);

}  // namespace gpp
