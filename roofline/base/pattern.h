// Regular expressions, compiled in one place: each file that names std::regex itself compiles the
// library's matcher for five seconds.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// A part of a text that a pattern matched.
struct Match {
  std::vector<std::string> groups;  ///< the whole first; empty where one took no part
  std::string before, after;        ///< the text around it; all() leaves it out

  const std::string& operator[](std::size_t group) const { return groups.at(group); }
};

/// An expression in ECMAScript's grammar.
class Pattern {
 public:
  /// Throws std::regex_error.
  explicit Pattern(const std::string& expression);

  /// All of the text.
  std::optional<Match> whole(const std::string& text) const;
  std::optional<Match> first(const std::string& text) const;
  std::vector<Match> all(const std::string& text) const;
  /// The text with each match replaced; `with` names groups as in $1.
  std::string replaced(const std::string& text, const std::string& with) const;

 private:
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

}  // namespace roofline
