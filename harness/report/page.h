// report.html: studies, trajectories and their explanations in one self-contained file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/trajectory.h"
#include "harness/view/rows.h"

namespace gpp {

struct NamedTrajectory {
  std::string name;  ///< name of the study's folder
  Trajectory trajectory;
};

/// For each size, the study on the most units, which a report shows beside the trajectory.
std::vector<NamedStudy> studies_of(const NamedTrajectory& named);

/// The page as a text.
std::string report_html(const std::vector<NamedStudy>& studies,
                        const std::vector<NamedTrajectory>& trajectories = {});

/// Writes <folder>/report.html atomically and returns its path. Throws InputError if the folder
/// cannot be written.
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::vector<NamedStudy>& studies,
                                   const std::vector<NamedTrajectory>& trajectories = {});

}  // namespace gpp
