#include "roofline/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "roofline/base/text.h"

namespace roofline {
namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Limits nesting: deeper than any formula needs, and shallow enough for the stack.
constexpr int deepest = 100;

}  // namespace

/// A recursive descent parser: a sum of products of factors.
class FormulaReader {
 public:
  FormulaReader(std::string_view text, Formula& formula) : text_(text), formula_(formula) {}

  void read() {
    sum();
    if (at_ < text_.size()) fail("an operator is missing before");
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    const std::string place =
        at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : std::string("its end");
    throw FormulaError(text_, fmt::format("{} {}", what, place), at_ + 1);
  }

  /// Takes the next character if it is one of `wanted`; else returns 0.
  char take(std::string_view wanted) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() && wanted.find(text_[at_]) != wanted.npos ? text_[at_++] : '\0';
  }

  void sum() {
    product();
    while (const char sign = take("+-")) {
      product();
      formula_.steps_.push_back({sign});
    }
  }

  void product() {
    factor();
    while (const char sign = take("*/")) {
      factor();
      formula_.steps_.push_back({sign});
    }
  }

  void factor() {
    if (++depth_ > deepest) fail("nested too deeply at");
    if (take("-") != 0) {
      factor();
      formula_.steps_.push_back({Formula::negate});
    } else if (take("(") != 0) {
      sum();
      if (take(")") == 0) fail("')' is missing before");
    } else if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      number();
    } else if (at_ < text_.size() && begins_name(text_[at_])) {
      name();
    } else {
      fail("a number, a name or '(' is missing before");
    }
    --depth_;
  }

  void number() {
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [next, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc{} || !std::isfinite(value)) fail("no number begins with");
    at_ = static_cast<std::size_t>(next - text_.data());
    formula_.steps_.push_back({Formula::number, value});
  }

  void name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (begins_name(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    auto& names = formula_.names_;
    auto known = std::ranges::find(names, found);
    if (known == names.end()) known = names.insert(names.end(), std::string(found));
    formula_.steps_.push_back(
        {Formula::counter, 0, static_cast<std::size_t>(known - names.begin())});
  }

  std::string_view text_;
  Formula& formula_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

FormulaError::FormulaError(std::string_view formula, std::string problem, std::size_t column)
    : std::runtime_error(fmt::format("formula '{}': {} (column {})", formula, problem, column)),
      problem_(std::move(problem)),
      column_(column) {}

Formula::Formula(std::string_view text) { FormulaReader(text, *this).read(); }

std::optional<double> Formula::evaluate(const Counters& counters) const {
  std::vector<double> stack;
  const auto pop = [&stack] {
    const double value = stack.back();
    stack.pop_back();
    return value;
  };
  for (const Step& step : steps_) {
    if (step.action == number) {
      stack.push_back(step.value);
    } else if (step.action == counter) {
      const auto found = counters.find(names_[step.name]);
      if (found == counters.end()) return std::nullopt;
      stack.push_back(found->second);
    } else {
      const double right = pop();
      if (step.action == '/' && right == 0) return std::nullopt;
      const double left = step.action == negate ? 0 : pop();
      stack.push_back(step.action == '+'      ? left + right
                      : step.action == '*'    ? left * right
                      : step.action == '/'    ? left / right
                      : step.action == negate ? -right
                                              : left - right);
    }
  }
  const double value = pop();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace roofline
