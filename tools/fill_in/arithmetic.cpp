#include "tools/fill_in/arithmetic.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "roofline/base/pattern.h"

namespace gpp {
namespace {

/// The value of one of the unit at the beginning of the text: 1e-3 for " ms", 0.01 for "%".
double scale_of(const std::string& unit) {
  static const roofline::Pattern prefixed(R"(^\s([munkMGT])(s|Hz|i?B|FLOP))");
  if (unit.starts_with('%')) return 0.01;
  const auto found = prefixed.first(unit);
  if (!found) return 1;
  static const std::string prefixes = "num kMGT";
  return std::pow(1000, double(prefixes.find((*found)[1])) - 3);
}

/// Reads from the left; products bind closer than sums.
class Arithmetic {
 public:
  Arithmetic(std::string_view text, const std::function<double(std::string_view)>& value_of)
      : text_(text), rest_(text), value_of_(value_of) {}

  double all() {
    const double value = sum();
    if (!rest_.empty()) refuse();
    return value;
  }

 private:
  [[noreturn]] void refuse() const {
    throw std::runtime_error(fmt::format("'{}' is no arithmetic, at '{}'", text_, rest_));
  }

  bool take(char sign) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  double sum() {
    double value = product();
    for (;;) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }

  double product() {
    double value = factor();
    for (;;) {
      if (take('*'))
        value *= factor();
      else if (take('/'))
        value /= factor();
      else
        return value;
    }
  }

  double factor() {
    if (++depth_ > 50) refuse();
    double value = 0;
    if (take('(')) {
      value = sum();
      if (!take(')')) refuse();
    } else if (take('{')) {
      const std::size_t end = rest_.find('}');
      if (end == rest_.npos) refuse();
      value = value_of_(rest_.substr(0, end));
      rest_.remove_prefix(end + 1);
    } else {
      const std::string number(rest_);
      char* end = nullptr;
      value = std::strtod(number.c_str(), &end);
      if (end == number.c_str()) refuse();
      rest_.remove_prefix(std::size_t(end - number.c_str()));
    }
    --depth_;
    return value;
  }

  std::string_view text_, rest_;
  const std::function<double(std::string_view)>& value_of_;
  int depth_ = 0;
};

}  // namespace

bool rounds_to(double value, std::string_view written) {
  static const roofline::Pattern number(R"((\d+)(?:\.(\d+))?(?:e([+-]?\d+))?)");
  const auto found = number.first(std::string(written));
  if (!found) return false;
  const double exponent = (*found)[3].empty() ? 0 : std::stod((*found)[3]);
  const double half = 0.5 * std::pow(10, exponent - double((*found)[2].length()));
  for (const double scale : {1.0, scale_of(found->after)})
    if (std::abs(value / scale - std::stod((*found)[0])) <= half * (1 + 1e-6)) return true;
  return false;
}

std::vector<double> numbers_in(std::string_view line) {
  static const roofline::Pattern number(R"(\d+(\.\d+)?([eE][+-]?\d+)?)");
  std::vector<double> all;
  for (const roofline::Match& found : number.all(std::string(line)))
    all.push_back(std::strtod(found[0].c_str(), nullptr));
  return all;
}

double computed(std::string_view expression,
                const std::function<double(std::string_view)>& value_of) {
  return Arithmetic(expression, value_of).all();
}

}  // namespace gpp
