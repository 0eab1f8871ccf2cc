// Regular expressions, in a separate file because each file that includes std::regex takes five
// seconds longer to compile.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roofline {

/// A part of a text that matches a pattern.
struct Match {
  std::vector<std::string> groups;  ///< the whole match first; unused groups are empty
  std::string before, after;        ///< the surrounding text; not set by all()

  const std::string& operator[](std::size_t group) const { return groups.at(group); }
};

/// A regular expression in ECMAScript's grammar.
class Pattern {
 public:
  /// Throws std::regex_error.
  explicit Pattern(const std::string& expression);

  /// Matches only the whole text.
  std::optional<Match> whole(const std::string& text) const;
  std::optional<Match> first(const std::string& text) const;
  std::vector<Match> all(const std::string& text) const;
  /// Replaces each match in the text; `with` refers to groups as $1.
  std::string replaced(const std::string& text, const std::string& with) const;

 private:
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

}  // namespace roofline
