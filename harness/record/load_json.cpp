#include "harness/record/load_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpp {
namespace {

/// A share of each timed run; NaN where it is null.
std::vector<double> read_shares(const roofline::JsonPlace& place, std::size_t runs) {
  std::vector<double> shares;
  for (const roofline::JsonPlace& element : place.elements()) {
    shares.push_back(element.is_null() ? std::nan("") : element.real(roofline::bounds::share));
  }
  if (shares.size() != runs)
    place.refuse(fmt::format("{} shares of {} timed runs", shares.size(), runs));
  return shares;
}

void read_load(const roofline::JsonPlace& place, Result& result) {
  if (place.keys().empty()) return;
  const std::vector<double> others = read_shares(place["others"], result.samples.size());
  const std::vector<double> steal = read_shares(place["steal"], result.samples.size());
  for (std::size_t i = 0; i < others.size(); ++i) result.load.push_back({others[i], steal[i]});
  const std::vector<bool> disturbed = result.disturbed_runs();
  const auto count = std::count(disturbed.begin(), disturbed.end(), true);
  if (place["disturbed_runs"].small_integer() != count)
    place["disturbed_runs"].refuse(
        fmt::format("by the shares beside it, {} runs were disturbed", count));
}

}  // namespace

void add_processors(Json& json, const Machine& machine) {
  json["affinity"] = machine.affinity;
  json["online_cores"] = machine.online_cores;
  json["load_average"] =
      machine.load_average ? roofline::json_number(*machine.load_average) : Json(nullptr);
  json["governor"] = machine.governor;
}

void read_processors(const roofline::JsonPlace& place, Machine& machine) {
  if (place.has("affinity")) machine.affinity = place["affinity"].text();
  if (machine.affinity.find_first_not_of("0123456789,-") != std::string::npos)
    place["affinity"].refuse("not a list of processors");
  if (place.has("online_cores")) machine.online_cores = place["online_cores"].small_integer();
  if (place.has("governor")) machine.governor = place["governor"].text();
  if (!place.has("load_average") || place["load_average"].is_null()) return;
  machine.load_average = place["load_average"].real({0, 1e9});
}

Json load_json(const Result& result) {
  if (result.load.empty()) return Json::object();
  Json others = Json::array(), steal = Json::array();
  for (const LoadShare& share : result.load) {
    others.push_back(roofline::json_number(share.others));
    steal.push_back(roofline::json_number(share.steal));
  }
  const std::vector<bool> disturbed = result.disturbed_runs();
  return {{"others", others},
          {"steal", steal},
          {"disturbed_runs", std::count(disturbed.begin(), disturbed.end(), true)},
          {"disturbed", result.trusted().disturbed}};
}

void read_circumstances(const roofline::JsonPlace& place, Result& result) {
  if (place.has("parent")) result.parent = place["parent"].name_or_empty();
  if (place.has("threads") && !place["threads"].is_null()) {
    result.threads = place["threads"].small_integer();
  }
  if (place.has("load")) read_load(place["load"], result);
}

}  // namespace gpp
