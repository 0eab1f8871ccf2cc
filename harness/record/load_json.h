// The circumstances of times in a record: threads, processors, and the load of others. Records of
// earlier programs lack them.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/record/record.h"
#include "roofline/base/json_place.h"

namespace gpp {

/// Adds the keys "affinity", "online_cores", "load_average" and "governor" to "machine".
void add_processors(Json& json, const Machine& machine);
void read_processors(const roofline::JsonPlace& place, Machine& machine);

/// {"others": [...], "steal": [...], "disturbed_runs": n, "disturbed": false}: shares by timed run,
/// and whether the time rests on disturbed runs; empty where the load was not measured.
Json load_json(const Result& result);

/// Reads "parent", "threads" and "load" of a result whose samples are there.
void read_circumstances(const roofline::JsonPlace& place, Result& result);

}  // namespace gpp
