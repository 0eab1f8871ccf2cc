// The data of report.html: the records, and their explanations.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/report/trajectory_data.h"
#include "harness/show/side_by_side.h"
#include "roofline/page/static_charts.h"

namespace gpp {

/// {"kernel": {"name", "title", "work"}, "studies": [{"name", "study", "input_text", "verdicts",
/// "lines"}], "source_texts": [...], "published": [...], "metrics": [...], "models": [...],
/// "instruction_models": [...], "lessons": {id: ...}, "glossary": {anchor: meaning},
///  "sources": {"cuda v7": {"predecessor", "files": [{"before", "after", "lines"}]}},
///  "trajectories": [...] (trajectory_data.h), "charts": {name: data URI}, "program": {"version",
///  "revision"}}.
/// A "study" is what study.json holds (results/study.schema.json) without its results' lines: these
/// are in "lines", a view or null for each result (lines_data.h).
nlohmann::ordered_json report_data(const std::vector<NamedStudy>& studies,
                                   const roofline::StaticCharts& charts,
                                   const std::vector<NamedTrajectory>& trajectories = {});

}  // namespace gpp
