// report.html: studies, trajectories and their explanations in one self-contained file; and all
// files of a measured study.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/command/results_folder.h"
#include "harness/measure/measure.h"
#include "harness/record/trajectory.h"
#include "harness/view/rows.h"
#include "roofline/view/svg.h"

namespace gpp {

struct NamedTrajectory {
  std::string name;  ///< name of the study's folder
  Trajectory trajectory;
};

/// The page as a text.
std::string report_html(const std::vector<NamedStudy>& studies,
                        const std::vector<NamedTrajectory>& trajectories = {});

/// Writes <folder>/report.html atomically and returns its path. Throws InputError if the folder
/// cannot be written.
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::vector<NamedStudy>& studies,
                                   const std::vector<NamedTrajectory>& trajectories = {});

/// The full text: the summary, the variants drawn under their roofs, and doubts.
std::string in_full(const StudyRecord& study, bool colours);

/// Writes the record and then everything drawn from it: table, summary, charts, report. Returns the
/// result for the charts.
roofline::WrittenCharts write_study(ResultsFolder& folder, const Measured& measured);

}  // namespace gpp
