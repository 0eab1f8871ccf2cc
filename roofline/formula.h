// Arithmetic expressions over counters, which define metrics.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// An unreadable formula: the error and its column.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(std::string_view formula, std::string problem, std::size_t column);

  const std::string& problem() const { return problem_; }  ///< "')' is missing before its end"
  std::size_t column() const { return column_; }           ///< column in the formula's text, from 1

 private:
  std::string problem_;
  std::size_t column_;
};

/// Numbers, names of counters, + - * / and parentheses: "dadd.sum + 2 * dfma.sum". A name begins
/// with a letter or underscore and continues with these, digits and dots.
class Formula {
 public:
  /// Parses the text. Throws FormulaError.
  explicit Formula(std::string_view text);

  /// The counters that it needs, each once, in order of appearance.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }

  /// The formula's value; empty if a counter is missing or the value is not finite (a division by
  /// zero).
  std::optional<double> evaluate(const Counters& counters) const;

 private:
  friend class FormulaReader;

  static constexpr char number = '0', counter = 'a', negate = '~';
  /// One step of a stack machine: operands precede their operator, which its sign represents.
  struct Step {
    char action;
    double value = 0;      ///< value, if the step is a number
    std::size_t name = 0;  ///< index of a counter in names_
  };

  std::vector<std::string> names_;
  std::vector<Step> steps_;
};

}  // namespace roofline
