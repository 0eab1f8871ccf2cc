#include "harness/record/trajectory.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "harness/record/record_json.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::JsonPlace;
namespace bounds = roofline::bounds;

constexpr std::size_t most_words = 1'000;
constexpr const char* file_name = "trajectory.json";

Json words_json(const std::vector<std::string>& words) {
  Json list = Json::array();
  for (const std::string& word : words) list.push_back(word);
  return list;
}

std::vector<std::string> read_texts(const JsonPlace& place) {
  std::vector<std::string> texts;
  for (const JsonPlace& text : place.elements(most_words)) texts.push_back(text.text());
  return texts;
}

/// What cannot be true of a point beside those before it.
void refuse_contradictions(const JsonPlace& place, const Trajectory& trajectory,
                           const TrajectoryPoint& point) {
  const auto& sizes = trajectory.sizes;
  if (std::find(sizes.begin(), sizes.end(), point.size) == sizes.end())
    place["size"].refuse(fmt::format("'{}' is not among the sizes", point.size));
  if (trajectory.find(point.units, point.size) != nullptr)
    place["units"].refuse(fmt::format("{} units of {} twice", point.units, point.size));
  if (point.study.kernel != trajectory.kernel)
    place["study"]["kernel"].refuse(
        fmt::format("'{}' contradicts '{}'", point.study.kernel, trajectory.kernel));
  for (const Result& result : point.study.results)
    if (!result.kind.empty() && result.kind != trajectory.kind)
      place["study"]["results"].refuse(
          fmt::format("{} {} ran on a '{}', and the trajectory is of a '{}'", result.model,
                      result.variant, result.kind, trajectory.kind));
}

Trajectory from_json(const nlohmann::json& json, const std::string& source) {
  const JsonPlace root(json, "", source);
  require_version(root, source);
  Trajectory trajectory;
  trajectory.kernel = kernel_called(root["kernel"].name()).name;
  trajectory.created = root["created"].text(bounds::name_length);
  trajectory.complete = root["complete"].truth();
  trajectory.kind = root["kind"].name();
  if (trajectory.kind != "host" && trajectory.kind != "gpu")
    root["kind"].refuse("neither host nor gpu");
  trajectory.device = root["device"].text(bounds::name_length);
  trajectory.units = root["units"].small_integer(1);
  trajectory.seconds = root["seconds"].real(bounds::seconds);
  trajectory.sizes = read_texts(root["sizes"]);
  trajectory.lost = read_texts(root["lost"]);
  for (const JsonPlace& place : root["points"].elements(bounds::results)) {
    TrajectoryPoint point;
    point.units = place["units"].small_integer(1, trajectory.units);
    point.size = place["size"].text(bounds::name_length);
    const std::size_t index = trajectory.points.size();
    point.study = gpp::from_json(json["points"][index].value("study", nlohmann::json()),
                                 fmt::format("{}: points[{}].study", source, index));
    refuse_contradictions(place, trajectory, point);
    trajectory.points.push_back(std::move(point));
  }
  return trajectory;
}

}  // namespace

const TrajectoryPoint* Trajectory::find(int wanted, const std::string& size) const {
  const auto found = std::find_if(points.begin(), points.end(), [&](const TrajectoryPoint& point) {
    return point.units == wanted && point.size == size;
  });
  return found == points.end() ? nullptr : &*found;
}

std::string units_name(const std::string& kind) {
  return kind == "gpu" ? "multiprocessors" : "cores";
}

Json to_json(const Trajectory& trajectory) {
  Json points = Json::array();
  for (const TrajectoryPoint& point : trajectory.points)
    points.push_back(
        {{"units", point.units}, {"size", point.size}, {"study", to_json(point.study)}});
  return roofline::with_visible_texts({{"schema_version", schema_version},
                                       {"kernel", trajectory.kernel},
                                       {"created", trajectory.created},
                                       {"complete", trajectory.complete},
                                       {"kind", trajectory.kind},
                                       {"device", trajectory.device},
                                       {"units", trajectory.units},
                                       {"seconds", trajectory.seconds},
                                       {"sizes", words_json(trajectory.sizes)},
                                       {"lost", words_json(trajectory.lost)},
                                       {"points", points}});
}

Trajectory parse_trajectory(const std::string& text, const std::string& source) {
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception&) {
    throw roofline::InputError(
        fmt::format("{}: not JSON, or cut off; was it made by `gpp trajectory`?", source));
  }
  return from_json(json, source);
}

Trajectory read_trajectory(const std::filesystem::path& path) {
  std::error_code why;
  const std::filesystem::path file =
      std::filesystem::is_directory(path, why) ? path / file_name : path;
  const std::string source = roofline::visible(file.string());
  if (!std::filesystem::is_regular_file(file, why))
    throw roofline::InputError(fmt::format(
        "{}: there is no such file; name a folder that `gpp trajectory` made, or its {}", source,
        file_name));
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream || text.str().empty())
    throw roofline::InputError(fmt::format("{}: empty or not readable", source));
  return parse_trajectory(text.str(), source);
}

void write_trajectory(const std::filesystem::path& folder, const Trajectory& trajectory) {
  roofline::write_whole(folder / file_name, to_json(trajectory).dump(1) + "\n");
}

}  // namespace gpp
