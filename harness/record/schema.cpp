#include "harness/record/schema.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"

namespace gpp {
namespace {

/// Keys that came into version 1 one by one, and what their absence meant.
const nlohmann::json study_defaults = {{"kernel", "gpp"}, {"complete", true}};
const nlohmann::json machine_defaults = {
    {"affinity", ""}, {"online_cores", 0}, {"load_average", nullptr}, {"governor", ""}};
const nlohmann::json reference_defaults = {{"kept", false}, {"disagreement", ""}};
const nlohmann::json result_defaults = {
    {"parent", ""},
    {"threads", nullptr},
    {"preparation_s", 0.0},
    {"trace", {{"part", ""}, {"caches", ""}, {"calls", nlohmann::json::object()}, {"reason", ""}}}};
const nlohmann::json nobody_counted = {{"source", ""},
                                       {"reason", ""},
                                       {"passes", 0},
                                       {"missing", nlohmann::json::object()},
                                       {"defects", nlohmann::json::array()}};

void add_missing(nlohmann::json& object, const nlohmann::json& defaults) {
  for (const auto& [key, value] : defaults.items())
    if (!object.contains(key)) object[key] = value;
}

/// The value there where it is an object, else nullptr: the reader says what is wrong.
nlohmann::json* object_in(nlohmann::json& object, const char* key) {
  return object.contains(key) && object[key].is_object() ? &object[key] : nullptr;
}

/// Slices of Sigma-GPP were described by their number of G' alone.
void upgrade_slice(nlohmann::json& counting, const nlohmann::json& study) {
  nlohmann::json* slice = object_in(counting, "slice");
  if (slice == nullptr) return;
  if (slice->contains("ngpown") && !slice->contains("part")) {
    const auto all = study.find("input");
    const bool known = all != study.end() && all->is_object() && all->contains("ngpown");
    (*slice)["part"] = fmt::format("{} of {} G'", (*slice)["ngpown"].dump(),
                                   known ? (*all)["ngpown"].dump() : "all");
  }
}

void upgrade_result(nlohmann::json& result, const nlohmann::json& study) {
  if (!result.is_object()) return;
  add_missing(result, result_defaults);
  if (!result.contains("counting")) {  // whatever else there is was no counter's
    result["counting"] = nobody_counted;
    result["counters"] = result["metrics"] = nlohmann::json::object();
  }
  if (nlohmann::json* counting = object_in(result, "counting")) upgrade_slice(*counting, study);
}

void upgrade_study(nlohmann::json& study) {
  if (!study.is_object()) return;
  add_missing(study, study_defaults);
  if (nlohmann::json* machine = object_in(study, "machine"))
    add_missing(*machine, machine_defaults);
  if (nlohmann::json* reference = object_in(study, "reference"))
    add_missing(*reference, reference_defaults);
  if (study.contains("results") && study["results"].is_array())
    for (nlohmann::json& result : study["results"]) upgrade_result(result, study);
  study["schema_version"] = schema_version;
}

}  // namespace

void upgrade(nlohmann::json& record, const std::string& source) {
  const roofline::JsonPlace root(record, "", source);
  const long long version = root["schema_version"].integer(0, roofline::bounds::small);
  if (version == schema_version) return;
  if (version != 1)
    throw roofline::InputError(fmt::format(
        "{}: schema version {}, but this program reads versions 1 to {}; use the program that "
        "wrote it",
        source, version, schema_version));
  const bool trajectory = record.contains("points") && record["points"].is_array();
  if (!trajectory) return upgrade_study(record);
  for (nlohmann::json& point : record["points"])
    if (point.is_object() && point.contains("study")) upgrade_study(point["study"]);
  record["schema_version"] = schema_version;
}

}  // namespace gpp
