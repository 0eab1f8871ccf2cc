#include "harness/teach/learner_place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/outside.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

constexpr const char* place_key = "gpp_learn";
constexpr const char* places_list = "places";
constexpr std::uintmax_t most_place_bytes = std::uintmax_t{1} << 20;

nlohmann::json learner_places_in(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::status(file, error).type() == std::filesystem::file_type::not_found)
    return {{place_key, 1}, {places_list, nlohmann::json::object()}};
  const std::string text = roofline::text_of_outside_file(file, most_place_bytes);
  roofline::require_bounded_json(text, file.string());
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  const bool known =
      json.is_object() && json.value(place_key, nlohmann::json()) == 1 &&
      json.contains(places_list) && json[places_list].is_object() &&
      std::ranges::all_of(json[places_list], [](const auto& one) { return one.is_string(); });
  if (!known)
    throw roofline::InputError(
        fmt::format("{}: does not hold the place of a learner; move it away, and gpp learn begins "
                    "anew",
                    roofline::visible(file.string())));
  return json;
}

}  // namespace

std::string learner_place(const std::filesystem::path& file, const std::string& learner) {
  return learner_places_in(file)[places_list].value(learner, "");
}

void keep_learner_place(const std::filesystem::path& file, const std::string& learner,
                        const std::string& next) {
  nlohmann::json json = learner_places_in(file);
  json[places_list][learner] = next;
  const std::string text = json.dump(1) + "\n";
  roofline::replace_file(file, static_cast<std::int64_t>(text.size()),
                         [&text](std::ostream& stream) { stream << text; });
}

}  // namespace gpp
