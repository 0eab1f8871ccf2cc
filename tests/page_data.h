// The data of a page as elements.js reads them: roofline/page/assemble.cpp writes once what occurs
// often.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace roofline::test {

/// A part with what its places stand for. Throws where `often` has no such place.
inline nlohmann::ordered_json whole(nlohmann::ordered_json part,
                                    const nlohmann::ordered_json& often) {
  if (part.is_string() && part.get_ref<const std::string&>().starts_with('~')) {
    const std::string place = part.get<std::string>().substr(1);
    if (place.starts_with('~')) return place;
    return often.at(std::stoul(place, nullptr, 36));
  }
  if (part.is_structured())
    for (auto& inner : part) inner = whole(inner, often);
  return part;
}

inline nlohmann::ordered_json page_data(const std::string& text) {
  const auto written = nlohmann::ordered_json::parse(text);
  auto often = nlohmann::ordered_json::array();
  for (const auto& part : written.at("often")) often.push_back(whole(part, often));
  return whole(written.at("model"), often);
}

}  // namespace roofline::test
