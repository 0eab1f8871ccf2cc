// The record of a scaling trajectory: variants on a growing part of one device, under the roofs
// that were measured on that part. Written as trajectory.json, which results/README.md
// explains.
//
// Each of its points is a study (record.h) of one size on so many units, with all that makes a
// study's numbers believable. Source: Ibrahim et al. 2019.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/record/fields.h"

namespace gpp {

/// One size of input on so many units.
struct TrajectoryPoint {
  int units = 0;      ///< multiprocessors or cores
  std::string size;   ///< as it was asked for: "gpp214"
  StudyRecord study;  ///< its ceilings are those of that many units
};

struct Trajectory {
  std::string kernel = "gpp";
  std::string created;                  ///< ISO 8601, UTC
  bool complete = true;                 ///< false where it was interrupted
  std::string kind;                     ///< of device: "host" or "gpu"
  std::string device;                   ///< its own name
  int units = 0;                        ///< that the whole device has
  double seconds = 0;                   ///< that measuring took, processes and all
  std::vector<std::string> sizes;       ///< in the order asked for
  std::vector<TrajectoryPoint> points;  ///< by size, then by units
  std::vector<std::string> lost;        ///< what was asked for and is not here, and why, for people

  const TrajectoryPoint* find(int units, const std::string& size) const;
};

/// "multiprocessors" or "cores".
std::string units_name(const std::string& kind);

void fields(roofline::Fields& field, TrajectoryPoint& point);
void fields(roofline::Fields& field, Trajectory& trajectory);

/// With what follows from the facts of each study (record_json.h).
Json to_json(const Trajectory& trajectory);

/// One of its points, each of whose studies is held to the rules of study.json. Throws InputError.
TrajectoryPoint point_from_json(const nlohmann::json& json, const std::string& source);

/// From the text of a trajectory.json; `source` names it in messages. Throws InputError as
/// read_record() does: each study in it is held to the same rules.
Trajectory parse_trajectory(const std::string& text, const std::string& source);

/// Reads a trajectory.json, or the one in a folder. Throws InputError.
Trajectory read_trajectory(const std::filesystem::path& path);

/// Writes <folder>/trajectory.json, complete or not at all. Throws InputError.
void write_trajectory(const std::filesystem::path& folder, const Trajectory& trajectory);

}  // namespace gpp
