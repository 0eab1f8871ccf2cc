#include "tests/fuzz/targets.h"

#include <cmath>
#include <vector>

#include "tests/roofline/hostile_texts.h"

namespace roofline::fuzz {
namespace {

using Json = nlohmann::json;

std::vector<Json::json_pointer> places_of(const Json& json) {
  std::vector<Json::json_pointer> places;
  const auto walk = [&places](const auto& self, const Json& at,
                              const Json::json_pointer& place) -> void {
    if (!place.empty()) places.push_back(place);
    if (at.is_object())
      for (const auto& [key, value] : at.items()) self(self, value, place / key);
    if (at.is_array())
      for (std::size_t i = 0; i < at.size(); ++i) self(self, at[i], place / i);
  };
  walk(walk, json, Json::json_pointer());
  return places;
}

Json changed_number(const Json& old, std::mt19937& random) {
  static const std::vector<double> awkward = {
      0,    1,    -1,    5e-324,  1e-300, 1e-9, 1e-3,  0.999999, 1e3, 1e7, 1e12,
      1e18, 1e24, 1e300, 1.7e308, 2,      -0.0, 4.9e9, 1e-12,    255, 1e6, 3};
  const double scale[] = {1 + 1e-9, 1.001, 2, 0.5, 10, 0.1, 1e6, 1e-6, -1};
  const double value = random() % 2 == 0 ? awkward[random() % awkward.size()]
                                         : old.get<double>() * scale[random() % 9];
  const bool whole = old.is_number_integer() && std::abs(value) < 9e18;
  return whole && random() % 8 != 0 ? Json(static_cast<long long>(value)) : Json(value);
}

Json changed(const Json& old, std::mt19937& random) {
  if (random() % 20 == 0)
    return std::vector<Json>{nullptr, true, 0, "", Json::array(), Json::object()}[random() % 6];
  if (old.is_number()) return changed_number(old, random);
  if (old.is_boolean()) return !old.get<bool>();
  if (!old.is_string()) return old;
  static const std::vector<const char*> words = {
      "v1", "v2",   "v13",     "mine",  "host",     "gpu",      "passed", "failed", "l1",
      "l2", "dram", "compute", "cupti", "analytic", "fp64_fma", "cuda",   "omp"};
  if (random() % 2 == 0) return words[random() % words.size()];
  return test::hostile_text(random);
}

}  // namespace

void change_somewhere(Json& json, std::mt19937& random) {
  const std::vector<Json::json_pointer> places = places_of(json);
  if (places.empty()) return;
  const Json::json_pointer& place = places[random() % places.size()];
  Json& parent = json[place.parent_pointer()];
  Json& at = json[place];
  if (random() % 10 != 0) {
    at = changed(at, random);
  } else if (parent.is_array()) {
    const Json copy = at;
    if (random() % 2 == 0)
      parent.push_back(copy);
    else
      parent.erase(parent.begin() + static_cast<std::ptrdiff_t>(random() % parent.size()));
  } else if (random() % 2 == 0) {
    parent.erase(place.back());
  } else {
    const Json copy = at;
    parent[test::hostile_text(random).substr(0, 40) + "x"] = copy;
  }
}

}  // namespace roofline::fuzz
