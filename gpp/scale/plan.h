// The cost of a calculation before it runs: operations, memory, communication, time.
//
// The formulas are those of BerkeleyGW's scaling (Del Ben et al. 2020, their table of systems gives
// the numbers that they are held against):
//
//   Epsilon   8 Nv Nc NG^2 operations a spin; 16 Nv Nc NG bytes a spin; 32 NG^2 bytes passed a spin
//   Sigma     161.4 Nb NG^2 operations a state: 80.7 a term at two energies; 32 NG^2 + 32 Nb NG
//             bytes, of which the last 32 Nb NG pass between ranks
//   Time      of a state on the R ranks of a pool: R steps, each the larger of
//               Nb/R bands x NG/R own G' x NG x 2 energies / (terms per second of one rank)
//               32 Nb NG / R bytes / (bytes per second of one rank's link)
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"

namespace gpp::scale {

/// A system of Del Ben et al. 2020, and what they publish of it.
struct System {
  std::string name;
  int N_G = 0;  ///< plane waves of the dielectric matrix
  int N_b = 0;  ///< bands
  struct Spin {
    int N_v = 0, N_c = 0;  ///< occupied and empty bands
  };
  std::vector<Spin> spins;

  /// The needs of one state and one spin for Sigma, of all spins for Epsilon. 1 TB = 1e12 B,
  /// 1 GB = 1e9 B.
  struct Needs {
    double epsilon_pflop = 0;
    double epsilon_memory_tb = 0;
    double epsilon_comm_gb = 0;
    double sigma_pflop = 0;
    double sigma_memory_gb = 0;
    double sigma_comm_gb = 0;
  };
  Needs published;
};

const std::vector<System>& systems();

/// Throws InputError with the names there are.
const System& system_called(std::string_view name);

/// From the formulas above.
System::Needs needs_of(const System& system);

/// The speeds from which the time follows.
struct Machine {
  double terms_per_s = 0;  ///< of one rank (or GPU)
  double bytes_per_s = 0;  ///< of the link of one rank; 0: not known, and never the limit
  std::string source;      ///< where the speed is from, for people
};

/// The GPUs and pools that a calculation is spread over.
struct Spread {
  int gpus = 1;
  int pools = 1;
  int states = 1;
};

struct Plan {
  int ranks_per_pool = 1;
  double compute_s = 0;  ///< of all states
  double wait_s = 0;     ///< for blocks, where the link is the limit
  double memory_gb = 0;  ///< of each rank
  double seconds() const { return compute_s + wait_s; }
};

/// Time and memory of Sigma. Throws InputError where there are fewer GPUs than pools.
Plan plan_of(const System& system, const Spread& spread, const Machine& machine);

/// The fewest GPUs of a pool that hold a state, each with so many bytes.
int fewest_gpus(const System& system, double bytes);

/// A run that Del Ben et al. 2020 publish, on Summit's V100.
struct PublishedRun {
  const char* system;
  Spread spread;  ///< states: as PFLOP/s x s / (PFLOP of a state) gives
  double compute_s = 0;
  double io_s = 0;
  double pflop_per_s = 0;
  double of_peak = 0;  ///< percent
};
const std::vector<PublishedRun>& published_runs();

/// The words of a plan.
struct PlanRequest {
  std::string system;
  int gpus = 1;
  std::filesystem::path record;
  double terms_per_s = 0;
  double gigabytes_per_s = 0;
};

/// The speed given; or that of one rank of a record's variant; or that of the best published run.
Machine machine_of(const PlanRequest& request);

/// {"systems": {"Si-2742": {"epsilon_pflop", ..., "published": {...}, "gpus", "pools", "states",
/// "seconds", ...}, ...}, "terms_per_s", "bytes_per_s", "speed_from"}.
Json plan_json(const Spread& spread, const Machine& machine);

/// The needs of all systems, and the times of the named one and of the published runs.
std::string plan_text(const System& system, const Spread& spread, const Machine& machine);

}  // namespace gpp::scale
