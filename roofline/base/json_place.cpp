#include "roofline/base/json_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "roofline/base/text.h"

namespace roofline {
namespace {

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

}  // namespace

JsonPlace JsonPlace::operator[](const char* key) const {
  require_object();
  const auto found = value_.find(key);
  if (found == value_.end()) refuse(fmt::format("'{}' is missing", key));
  return {*found, path_.empty() ? key : path_ + "." + key, source_};
}

bool JsonPlace::has(const char* key) const { return value_.is_object() && value_.contains(key); }

bool JsonPlace::is_null() const { return value_.is_null(); }

bool JsonPlace::is_empty_object() const { return value_.is_object() && value_.empty(); }

void JsonPlace::require_object() const {
  if (!value_.is_object()) refuse("not an object");
}

std::size_t JsonPlace::size(std::size_t most) const {
  if (!value_.is_array()) refuse("not a list");
  if (value_.size() > most)
    refuse(fmt::format("{} elements are too many: at most {}", value_.size(), most));
  return value_.size();
}

JsonPlace JsonPlace::element(std::size_t i) const {
  return {value_.at(i), fmt::format("{}[{}]", path_, i), source_};
}

std::vector<JsonPlace> JsonPlace::elements(std::size_t most) const {
  std::vector<JsonPlace> places;
  for (std::size_t i = 0, count = size(most); i < count; ++i) places.push_back(element(i));
  return places;
}

std::vector<std::string> JsonPlace::keys() const {
  require_object();
  if (value_.size() > bounds::list) refuse("too many keys");
  std::vector<std::string> keys;
  for (const auto& item : value_.items()) {
    if (item.key().size() > bounds::name_length) refuse("a key is too long");
    if (item.key() != visible(item.key()))
      refuse(fmt::format("the key '{}' holds a control character", item.key()));
    keys.push_back(item.key());
  }
  return keys;
}

std::string JsonPlace::text(std::size_t longest) const { return visible(text_as_it_is(longest)); }

std::string JsonPlace::text_as_it_is(std::size_t longest) const {
  if (!value_.is_string()) refuse("not a text");
  const auto& text = value_.get_ref<const std::string&>();
  if (text.size() > longest)
    refuse(fmt::format("a text of {} bytes is too long: at most {}", text.size(), longest));
  return text;
}

std::string JsonPlace::name() const {
  const std::string text = name_or_empty();
  if (text.empty()) refuse("a name that is empty");
  return text;
}

std::string JsonPlace::name_or_empty() const {
  const std::string text = this->text(bounds::name_length);
  if (!std::ranges::all_of(text, is_name_letter))
    refuse(fmt::format("'{}' is no name: letters, digits, '_', '-' and '.' alone", text));
  return text;
}

bool JsonPlace::truth() const {
  if (!value_.is_boolean()) refuse("neither true nor false");
  return value_.get<bool>();
}

long long JsonPlace::integer(long long low, long long high) const {
  if (!value_.is_number_integer()) refuse("not a whole number");
  const bool fits = !value_.is_number_unsigned() || value_.get<std::uint64_t>() >> 63 == 0;
  const long long value = value_.get<long long>();
  if (!fits || value < low || value > high)
    refuse(fmt::format("{} is out of range: {} to {}", value_.dump(), low, high));
  return value;
}

int JsonPlace::small_integer(int low, int high) const {
  return static_cast<int>(integer(low, high));
}

double JsonPlace::real(const Bounds& bounds) const {
  if (!value_.is_number()) refuse("not a number");
  const double value = value_.get<double>();
  if (!bounds.hold(value))
    refuse(fmt::format("{} is out of range: {:g} to {:g}", value_.dump(), bounds.low, bounds.high));
  return value;
}

double JsonPlace::real_or_null(const Bounds& bounds) const {
  return value_.is_null() ? std::numeric_limits<double>::infinity() : real(bounds);
}

void JsonPlace::refuse(const std::string& what) const {
  throw InputError(
      visible(fmt::format("{}: {}{}{}", source_, path_, path_.empty() ? "" : ": ", what)));
}

nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json json_number(std::optional<double> value) {
  return value ? json_number(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json with_visible_texts(const nlohmann::ordered_json& json) {
  using Json = nlohmann::ordered_json;
  if (json.is_string()) return visible(json.get_ref<const std::string&>());
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& element : json) list.push_back(with_visible_texts(element));
    return list;
  }
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (const auto& [key, value] : json.items()) object[visible(key)] = with_visible_texts(value);
  return object;
}

}  // namespace roofline
