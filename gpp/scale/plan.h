// The cost of a calculation before it runs: operations, memory, communication, time. The needs of a
// system are BerkeleyGW's as Del Ben et al. 2020 publish them (docs/scaling.md); memory and time of
// a run are those of `gpp scale`.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/kernel.h"

namespace gpp::scale {

/// The words of a plan.
struct PlanRequest {
  std::string system;  ///< one of planned_systems()
  int gpus = 1, pools = 1, states = 1, energies = 2;
  std::filesystem::path record = {};
  double terms_per_s = 0, gigabytes_per_s = 0;  ///< 0: not given
};

std::vector<std::string> planned_systems();

/// {"systems": {"Si-2742": {"epsilon_pflop", ..., "published": {...}, "fewest_cards": {"gpus",
/// "seconds", ...}, "gpus", "seconds", ...}, ...}, "published_runs": [...], "terms_per_s",
/// "bytes_per_s", "speed_from"}. The speed is the one given, or that of one rank of a record's
/// variant, or that of the best published run. Throws InputError where there are fewer GPUs than
/// pools, or a record tells no speed.
Json plan_json(const PlanRequest& request);

/// The same as tables.
std::string plan_text(const PlanRequest& request);

}  // namespace gpp::scale
