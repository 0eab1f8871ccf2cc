// Raw counters by name, missing counters, and arithmetic expressions over them, which define
// metrics.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// Values by the hardware's counter names: "dram__bytes.sum". A counter that was not measured is
/// absent, never 0.
using Counters = std::map<std::string, double>;

/// A requested counter or metric that is missing.
struct Missing {
  std::string name;    ///< name of the counter or metric
  std::string reason;  ///< "GA102 has no such counter"
};

class Fields;
void fields(Fields& field, Missing& missing);  ///< see roofline/record/fields.h

/// An unreadable formula; the message has the mistake and its column.
struct FormulaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Numbers, names of counters, + - * / and parentheses: "dadd.sum + 2 * dfma.sum". A name begins
/// with a letter or underscore and continues with these, digits and dots.
class Formula {
 public:
  /// Checks the text. Throws FormulaError.
  explicit Formula(std::string_view text);

  /// The counters that it needs, each once, in order of appearance.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }

  /// The formula's value; empty if a counter is missing or the value is not finite (a division by
  /// zero).
  std::optional<double> evaluate(const Counters& counters) const;

 private:
  std::string text_;
  std::vector<std::string> names_;
};

}  // namespace roofline
