#include "roofline/machine_code/out_of_line.h"

#include <algorithm>
#include <array>
#include <utility>

namespace roofline {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> operations = {{
    {"div", "division"},
    {"rem", "remainder"},
    {"rcp", "reciprocal"},
    {"dblrcp", "reciprocal"},
    {"sqrt", "square root"},
    {"dsqrt", "square root"},
    {"rsqrt", "reciprocal square root"},
    {"drsqrt", "reciprocal square root"},
    {"pow", "power"},
    {"trig", "argument reduction"},
}};

std::string_view operation(std::string_view word) {
  const auto found = std::find_if(operations.begin(), operations.end(),
                                  [&](const auto& one) { return one.first == word; });
  return found == operations.end() ? std::string_view() : found->second;
}

}  // namespace

std::string_view without_owner(std::string_view symbol) {
  if (!symbol.starts_with('$')) return symbol;
  const std::size_t end = symbol.find('$', 1);
  return end == symbol.npos ? symbol : symbol.substr(end + 1);
}

std::string helper_name(std::string_view symbol) {
  const std::string_view name = without_owner(symbol);
  if (!name.starts_with("__cuda_") && !name.starts_with("__internal_")) return {};
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t end = std::min(rest.find('_'), rest.size());
    if (const std::string_view found = operation(rest.substr(0, end)); !found.empty())
      return std::string(found);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::string(name);
}

}  // namespace roofline
