// The record of a scaling trajectory: variants on growing parts of one device, with the roofs
// measured on each part. It is written as trajectory.json, which results/README.md explains.
//
// Each point is a study (record.h) with one size on one number of units, complete with all of its
// evidence. Source: Ibrahim et al. 2019.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/record.h"
#include "roofline/record/fields.h"

namespace gpp {

/// One size of input on one number of units.
struct TrajectoryPoint {
  int units = 0;      ///< number of multiprocessors or cores
  std::string size;   ///< the size as requested: "gpp214"
  StudyRecord study;  ///< with ceilings measured on that many units
};

struct Trajectory {
  std::string kernel = "gpp";
  std::string created;                  ///< ISO 8601, UTC
  bool complete = true;                 ///< false if it was interrupted
  std::string kind;                     ///< kind of device: "host" or "gpu"
  std::string device;                   ///< name of the device
  int units = 0;                        ///< units of the whole device
  double seconds = 0;                   ///< total measuring time, with processes
  std::vector<std::string> sizes;       ///< sizes in the order of the request
  std::vector<TrajectoryPoint> points;  ///< by size, then by units
  std::vector<std::string> lost;        ///< missing parts of the request with reasons

  const TrajectoryPoint* find(int units, const std::string& size) const;
};

/// Returns "multiprocessors" or "cores".
std::string units_name(const std::string& kind);

void fields(roofline::Fields& field, TrajectoryPoint& point);
void fields(roofline::Fields& field, Trajectory& trajectory);

/// Includes the values derived from each study's facts (record_json.h).
Json to_json(const Trajectory& trajectory);

/// Parses the text of a trajectory.json; `source` names it in messages. Throws InputError like
/// read_record(), because each study in it must obey the same rules.
Trajectory parse_trajectory(const std::string& text, const std::string& source);

/// Reads a trajectory.json, or the one in a folder. Throws InputError.
Trajectory read_trajectory(const std::filesystem::path& path);

/// Writes <folder>/trajectory.json atomically. Throws InputError.
void write_trajectory(const std::filesystem::path& folder, const Trajectory& trajectory);

// ---- What counters mean on fewer units ----------------------------------------------------------

/// The hardware's counters of what units share: the bytes of L2 and DRAM of a GPU.
std::vector<std::string> shared_traffic_counters();

/// The counts of a whole device on fewer units: operations and instructions stay, as do the bytes
/// of L1 and shared memory. Bytes beyond are those of `bytes`, counted on so many units; where it
/// is empty they are missing, for that reason.
roofline::Counted counted_on_fewer(const roofline::Counted& whole, const roofline::Counters& bytes,
                                   const std::string& reason);

}  // namespace gpp
