#include "roofline/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "roofline/base/text.h"

namespace roofline {
namespace {

using Value = std::optional<double>;

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Limits nesting: deeper than any formula needs, and shallow enough for the stack.
constexpr int deepest = 100;

Value combined(char sign, Value left, Value right) {
  if (!left || !right || (sign == '/' && *right == 0)) return std::nullopt;
  switch (sign) {
    case '+':
      return *left + *right;
    case '-':
      return *left - *right;
    case '*':
      return *left * *right;
    default:
      return *left / *right;
  }
}

/// A recursive descent parser that computes: a sum of products of factors.
class FormulaReader {
 public:
  /// `value_of` gives the value of a name.
  FormulaReader(std::string_view text, std::function<Value(std::string_view)> value_of)
      : text_(text), value_of_(std::move(value_of)) {}

  Value read() {
    const Value value = sum();
    if (at_ < text_.size()) fail("an operator is missing before");
    return value;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    const std::string place =
        at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : std::string("its end");
    throw FormulaError(fmt::format("{} {}, column {} of the formula", what, place, at_ + 1));
  }

  /// Takes the next character if it is one of `wanted`; else returns 0.
  char take(std::string_view wanted) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() && wanted.find(text_[at_]) != wanted.npos ? text_[at_++] : '\0';
  }

  Value chain(std::string_view signs, Value (FormulaReader::*part)()) {
    Value value = (this->*part)();
    while (const char sign = take(signs)) value = combined(sign, value, (this->*part)());
    return value;
  }
  Value sum() { return chain("+-", &FormulaReader::product); }
  Value product() { return chain("*/", &FormulaReader::factor); }

  Value factor() {
    if (++depth_ > deepest) fail("nested too deeply at");
    Value value;
    if (take("-") != 0) {
      value = combined('*', -1, factor());
    } else if (take("(") != 0) {
      value = sum();
      if (take(")") == 0) fail("')' is missing before");
    } else if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      value = number();
    } else if (at_ < text_.size() && begins_name(text_[at_])) {
      value = value_of_(name());
    } else {
      fail("a number, a name or '(' is missing before");
    }
    --depth_;
    return value;
  }

  double number() {
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto [next, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc{} || !std::isfinite(value)) fail("no number begins with");
    at_ = static_cast<std::size_t>(next - text_.data());
    return value;
  }

  std::string_view name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (begins_name(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::function<Value(std::string_view)> value_of_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Formula::Formula(std::string_view text) : text_(text) {
  const auto add = [this](std::string_view name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.emplace_back(name);
    return Value();
  };
  FormulaReader(text_, add).read();
}

std::optional<double> Formula::evaluate(const Counters& counters) const {
  const auto value_of = [&counters](std::string_view name) {
    const auto found = counters.find(std::string(name));
    return found == counters.end() ? Value() : Value(found->second);
  };
  const Value value = FormulaReader(text_, value_of).read();
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace roofline
