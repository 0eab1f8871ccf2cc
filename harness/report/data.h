// The data of report.html: the records, and their explanations.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/show/side_by_side.h"

namespace gpp {

/// Static charts by the name of their file: "roofline.svg" and its text.
using StaticCharts = std::map<std::string, std::string>;

/// {"kernel": {"name", "title", "work"}, "studies": [{"name", "study"}], "published": [...],
/// "metrics": [...], "lessons": {id: ...}, "glossary": {anchor: meaning},
///  "sources": {"cuda v7": {"predecessor", "files": [{"before", "after", "lines"}]}},
///  "charts": {name: data URI}, "program": {"version", "revision"}}.
/// A "study" is what study.json holds (results/study.schema.json).
nlohmann::ordered_json report_data(const std::vector<NamedStudy>& studies,
                                   const StaticCharts& charts);

/// "data:image/svg+xml;base64,...": an image that needs no file beside the page, and whose parts
/// have no names in common with the page or other images.
std::string svg_data_uri(const std::string& svg);

}  // namespace gpp
