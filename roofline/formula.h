// Small arithmetic expressions over counters: how a metric follows from what the hardware counts.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// A formula that cannot be read: says what is wrong, and at which column.
class FormulaError : public std::runtime_error {
 public:
  FormulaError(std::string_view formula, std::string problem, std::size_t column);

  const std::string& problem() const { return problem_; }  ///< "')' is missing before its end"
  std::size_t column() const { return column_; }           ///< of the formula's text, from 1

 private:
  std::string problem_;
  std::size_t column_;
};

/// Numbers, names of counters, + - * / and parentheses: "dadd.sum + 2 * dfma.sum". A name begins
/// with a letter or an underscore, and goes on with these, digits and dots.
class Formula {
 public:
  /// Reads it, once. Throws FormulaError.
  explicit Formula(std::string_view text);

  /// The counters it needs, each once, in the order of appearance.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }

  /// Its value; empty when a counter is missing, or where the value is not a finite number (a
  /// division by zero).
  std::optional<double> evaluate(const Counters& counters) const;

 private:
  friend class FormulaReader;

  static constexpr char number = '0', counter = 'a', negate = '~';
  /// One step of a stack machine: operands before their operator, which is its own sign.
  struct Step {
    char action;
    double value = 0;      ///< the number
    std::size_t name = 0;  ///< of the counter: index into names_
  };

  std::vector<std::string> names_;
  std::vector<Step> steps_;
};

}  // namespace roofline
