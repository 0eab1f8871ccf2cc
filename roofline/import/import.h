// Profiles from the files of other profilers: Nsight Compute's CSV, rocprof's and
// rocprof-compute's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/profile.h"

namespace roofline {

/// Reads the files, which belong to one profile of one device: any number of Nsight Compute's
/// tables, or of rocprof's. Roofs that rocprof-compute measured (roofline.csv) become the
/// profile's. Beside a rocprof table pmc_perf.csv its timestamps.csv and roofline.csv are read too
/// where they lie in the same folder and bear the same name otherwise. Throws InputError with file,
/// line and remedy for whatever cannot be read, or is the CSV of something else.
Profile import_profile(const std::vector<std::filesystem::path>& files);

/// The roofs of a named device, "v100" or "mi250x", as published; or those in a file: `roofline
/// ceilings --json`, a profile, or roofline.csv. `kind`: of the profile, for files that hold
/// several devices; roofs of another kind are refused. Throws InputError.
Ceilings roofs_called(const std::string& name_or_file, const std::string& kind);

/// The published roofs of "v100" or "mi250x"; nullptr for any other name. Each ceiling's definition
/// names its source.
const Ceilings* published_roofs(std::string_view name);

std::vector<std::string> published_names();

}  // namespace roofline
