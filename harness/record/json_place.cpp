#include "harness/record/json_place.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "data/error.h"
#include "gpp/sums.h"

namespace gpp {

JsonPlace JsonPlace::operator[](const char* key) const {
  if (!value_.is_object()) refuse("not an object");
  const auto found = value_.find(key);
  if (found == value_.end()) refuse(fmt::format("'{}' is missing", key));
  return {*found, path_.empty() ? key : path_ + "." + key, source_};
}

std::vector<JsonPlace> JsonPlace::elements() const {
  if (!value_.is_array()) refuse("not a list");
  std::vector<JsonPlace> places;
  for (std::size_t i = 0; i < value_.size(); ++i)
    places.emplace_back(value_[i], fmt::format("{}[{}]", path_, i), source_);
  return places;
}

std::vector<std::string> JsonPlace::keys() const {
  if (!value_.is_object()) refuse("not an object");
  std::vector<std::string> keys;
  for (const auto& item : value_.items()) keys.push_back(item.key());
  return keys;
}

std::string JsonPlace::text() const {
  if (!value_.is_string()) refuse("not a text");
  return value_.get<std::string>();
}

bool JsonPlace::truth() const {
  if (!value_.is_boolean()) refuse("neither true nor false");
  return value_.get<bool>();
}

long long JsonPlace::integer() const {
  if (!value_.is_number_integer()) refuse("not a whole number");
  return value_.get<long long>();
}

int JsonPlace::small_integer() const {
  const long long value = integer();
  if (value < 0 || value > std::numeric_limits<int>::max()) refuse("out of range");
  return static_cast<int>(value);
}

double JsonPlace::real() const {
  if (value_.is_null()) return std::numeric_limits<double>::infinity();
  if (!value_.is_number()) refuse("not a number");
  return value_.get<double>();
}

std::vector<double> JsonPlace::reals() const {
  std::vector<double> values;
  for (const JsonPlace& element : elements()) values.push_back(element.real());
  return values;
}

std::map<std::string, std::string> JsonPlace::texts() const {
  std::map<std::string, std::string> map;
  for (const std::string& key : keys()) map[key] = (*this)[key.c_str()].text();
  return map;
}

std::map<std::string, double> JsonPlace::named_reals() const {
  std::map<std::string, double> map;
  for (const std::string& key : keys()) map[key] = (*this)[key.c_str()].real();
  return map;
}

int JsonPlace::complex_numbers(Complex* values) const {
  const std::vector<JsonPlace> places = elements();
  if (places.size() > max_frequencies) refuse("more than 3 frequencies");
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::vector<double> parts = places[i].reals();
    if (parts.size() != 2) places[i].refuse("not a pair [real, imaginary]");
    values[i] = {parts[0], parts[1]};
  }
  return static_cast<int>(places.size());
}

void JsonPlace::refuse(const std::string& what) const {
  throw InputError(fmt::format("{}: not a study's record: {}{}{}", source_, path_,
                               path_.empty() ? "" : ": ", what));
}

nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace gpp
