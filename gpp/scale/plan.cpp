#include "gpp/scale/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gpp/complex.h"
#include "gpp/scale/calculation.h"
#include "gpp/study/record.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/json.h"

namespace gpp::scale {
namespace {

constexpr double flop_per_term = 80.7;  // of the published v8 and v9: SC20's count
constexpr double element = sizeof(Complex);
constexpr double card_bytes = 79e9;     // an H100's, less what the driver takes
constexpr double summit_r_max = 148.6;  // PFLOP/s of LINPACK on Summit

/// One state and one spin for Sigma, all spins for Epsilon. 1 TB = 1e12 B, 1 GB = 1e9 B.
constexpr struct {
  const char* key;
  const char* heading;
} needs[] = {{"epsilon_pflop", "Epsilon PFLOP"}, {"epsilon_memory_tb", "memory TB"},
             {"epsilon_comm_gb", "passed GB"},   {"sigma_pflop", "Sigma PFLOP"},
             {"sigma_memory_gb", "memory GB"},   {"sigma_comm_gb", "passed GB"}};

/// A system of Del Ben et al. 2020, and the needs that they publish.
struct System {
  const char* name;
  int N_G;                                 ///< plane waves of the dielectric matrix
  int N_b;                                 ///< bands
  std::vector<std::pair<int, int>> spins;  ///< occupied and empty bands
  double published[6];
};

const std::vector<System>& systems() {
  static const std::vector<System> all = {
      {"Si-214", 11075, 6397, {{428, 5969}}, {2.5, 0.45, 3.92, 0.127, 6.19, 2.27}},
      {"Si-510", 26529, 15045, {{1020, 14025}}, {80.5, 6.07, 22.5, 1.71, 34.3, 12.8}},
      {"Si-998", 51627, 29346, {{1996, 27350}}, {1164, 45.1, 85.3, 12.6, 133.8, 48.5}},
      {"SiC-998",
       149397,
       16153,
       {{1997, 14156}, {1995, 14158}},
       {10091, 135, 1428, 58.2, 791.4, 77.2}},
      {"Si-2742", 141505, 80694, {{5484, 75210}}, {66070, 934, 640, 260.7, 1006, 365.4}}};
  return all;
}

/// A run that they publish, on Summit's V100. States as PFLOP/s x s / (PFLOP of a state) gives.
constexpr struct PublishedRun {
  const char* system;
  int gpus, pools, states;
  double compute_s, io_s, pflop_per_s, percent_of_peak;
} published_runs[] = {{"SiC-998", 27360, 80, 160, 142, 71, 65.3, 32.9},
                      {"Si-2742", 27360, 120, 120, 401, 226, 78.0, 39.2},
                      {"Si-2742", 27648, 128, 120, 307, 23, 102.1, 50.9},
                      {"Si-2742", 27648, 256, 240, 592, 39, 105.9, 52.7}};

Json needs_of(const System& system) {
  const double N_G = system.N_G;
  double pairs = 0;  // of occupied and empty bands
  for (const auto& [occupied, empty] : system.spins) pairs += 1.0 * occupied * empty;
  const double matrices = 2 * element * N_G * N_G;  // wtilde and I_eps, or two of Epsilon's
  const double bands = 2 * element * system.N_b * N_G;
  return {{"epsilon_pflop", 1e-15 * 8 * pairs * N_G * N_G},
          {"epsilon_memory_tb", 1e-12 * element * pairs * N_G},
          {"epsilon_comm_gb", 1e-9 * matrices * static_cast<double>(system.spins.size())},
          {"sigma_pflop", 1e-15 * flop_per_term * 2 * system.N_b * N_G * N_G},
          {"sigma_memory_gb", 1e-9 * (matrices + bands)},
          {"sigma_comm_gb", 1e-9 * bands}};
}

/// The speed from which the time follows.
struct Machine {
  double terms_per_s = 0;  ///< of one rank (or GPU)
  std::string source;      ///< where it is from, for people
  int energies = 0;        ///< that share moments at this speed; 0: each costs the same
};

Machine machine_of(const PlanRequest& request) {
  if (request.terms_per_s > 0) return {request.terms_per_s, "as given"};
  if (request.record.empty()) {
    const PublishedRun& best = *std::prev(std::end(published_runs));  // fewer states than pools
    const int busy = best.gpus / best.pools * std::min(best.pools, best.states);
    return {1e15 * best.pflop_per_s / flop_per_term / busy,
            "a V100 of Summit, as published; name a --record or a --speed for another card"};
  }
  const StudyRecord study = read_record(request.record);
  const std::string name = roofline::visible(request.record.string());
  for (const Result& result : study.results) {
    if (!result.timed() || study.kernel != "gpp") continue;
    Machine machine{terms_per_second(study, result),
                    fmt::format("{} {} in {}", result.model, result.variant, name)};
    if (result.step == "moments" || result.step == "integers")
      machine.energies = nfreq_of(study.input);
    if (study.scaling && !study.scaling->strong.empty()) {
      const ScalingPoint& one = study.scaling->strong.front();
      machine.terms_per_s = static_cast<double>(study.input.terms) / study.scaling->states *
                            one.states / one.seconds() / one.ranks;
    }
    return machine;
  }
  throw roofline::InputError(fmt::format("{}: holds no time of a variant of the kernel gpp", name));
}

/// Memory and time of Sigma.
Json run_of(const System& system, const PlanRequest& spread, const Machine& machine) {
  if (spread.gpus < spread.pools)
    throw roofline::InputError(
        fmt::format("{} GPUs make no {} pools: each has one at least", spread.gpus, spread.pools));
  Preset shape;
  shape.ncouls = system.N_G;
  shape.sig_ntband = system.N_b;
  const int ranks = spread.gpus / spread.pools;
  const int states = block_of(spread.states, 0, spread.pools).count;
  const Memory gathered = predict_memory(shape, ranks, states, true);
  const bool whole = ranks == 1 || static_cast<double>(gathered.packed()) <= card_bytes;
  const Memory memory = whole ? gathered : predict_memory(shape, ranks, states, false);
  // The rank that owns most G' is waited for.
  const double terms = 1.0 * system.N_b * system.N_G * block_of(system.N_G, 0, ranks).count *
                       (machine.energies > 0 ? machine.energies : spread.energies);
  const double sum = terms / machine.terms_per_s;
  double pass = 0;  // of a block
  if (spread.gigabytes_per_s > 0)
    pass = 1e-9 * static_cast<double>(memory.own) / states / spread.gigabytes_per_s;
  const double others = ranks - 1;
  const double wait = whole ? others * pass + (states - 1) * std::max(0.0, others * pass - sum)
                            : states * others * std::max(0.0, pass - sum / ranks);
  const double seconds = states * sum + wait;
  return {{"gpus", spread.gpus},
          {"pools", spread.pools},
          {"states", spread.states},
          {"memory_per_gpu_gb", 1e-9 * static_cast<double>(memory.placed())},
          {"compute_s", states * sum},
          {"wait_s", wait},
          {"seconds", seconds},
          {"pflop_per_s", needs_of(system)["sigma_pflop"].get<double>() / 2 * spread.energies *
                              spread.states / seconds}};
}

/// The fewest cards of 80 GB that hold a state, with its time there.
Json fewest_cards(const System& system, PlanRequest spread, const Machine& machine) {
  spread.pools = spread.states = 1;
  for (spread.gpus = 1;; ++spread.gpus)
    if (Json run = run_of(system, spread, machine);
        1e9 * run["memory_per_gpu_gb"].get<double>() <= card_bytes)
      return run;
}

roofline::Table numbers_table(const char* first, const std::vector<const char*>& others) {
  std::vector<roofline::Table::Column> columns = {{first, {}}};
  for (const char* other : others) columns.push_back({other, roofline::Table::Align::right});
  return roofline::Table(columns);
}

/// Each need as "260.8 (260.7)": ours, and what is published.
std::string needs_table(const Json& systems) {
  std::vector<const char*> headings;
  for (const auto& need : needs) headings.push_back(need.heading);
  headings.insert(headings.end(), {"cards of 80 GB", "a state there"});
  roofline::Table table = numbers_table("system", headings);
  for (const auto& [name, system] : systems.items()) {
    std::vector<std::string> row = {name};
    for (const auto& need : needs)
      row.push_back(fmt::format("{:.4g} ({:.4g})", system[need.key].get<double>(),
                                system["published"][need.key].get<double>()));
    const Json& fewest = system["fewest_cards"];
    row.push_back(fewest["gpus"].dump());
    row.push_back(roofline::describe_seconds(fewest["seconds"]));
    table.add(row);
  }
  return table.text();
}

/// The run that is planned, and those that are published, at the machine's speed.
std::string runs_table(const Json& runs) {
  roofline::Table table = numbers_table(
      "Sigma of", {"GPUs", "pools", "states", "GB a GPU", "waiting", "time", "PFLOP/s",
                   "V100: time", "I/O", "PFLOP/s", "of R_peak", "of R_max"});
  for (const Json& run : runs) {
    std::vector<std::string> row = {run["system"],
                                    run["gpus"].dump(),
                                    run["pools"].dump(),
                                    run["states"].dump(),
                                    fmt::format("{:.2f}", run["memory_per_gpu_gb"].get<double>()),
                                    roofline::describe_seconds(run["wait_s"]),
                                    roofline::describe_seconds(run["seconds"]),
                                    fmt::format("{:.3g}", run["pflop_per_s"].get<double>())};
    if (run.contains("published")) {
      const Json& published = run["published"];
      const double rate = published["pflop_per_s"];
      row.push_back(roofline::describe_seconds(published["compute_s"]));
      row.push_back(roofline::describe_seconds(published["io_s"]));
      row.push_back(fmt::format("{:.1f}", rate));
      row.push_back(fmt::format("{:.1f}%", published["percent_of_peak"].get<double>()));
      row.push_back(fmt::format("{:.1f}%", 100 * rate / summit_r_max));
    }
    row.resize(13);
    table.add(row);
  }
  return table.text();
}

}  // namespace

std::vector<std::string> planned_systems() {
  std::vector<std::string> names;
  for (const System& system : systems()) names.emplace_back(system.name);
  return names;
}

Json plan_json(const PlanRequest& request) {
  const Machine machine = machine_of(request);
  Json json = {{"terms_per_s", machine.terms_per_s},
               {"bytes_per_s", 1e9 * request.gigabytes_per_s},
               {"speed_from", machine.source}};
  for (const System& system : systems()) {
    Json& one = json["systems"][system.name] = run_of(system, request, machine);
    one.update(needs_of(system));
    for (std::size_t i = 0; i < std::size(needs); ++i)
      one["published"][needs[i].key] = system.published[i];
    one["fewest_cards"] = fewest_cards(system, request, machine);
    for (const PublishedRun& run : published_runs) {
      if (system.name != std::string(run.system)) continue;
      PlanRequest published = request;
      std::tie(published.gpus, published.pools, published.states) =
          std::tie(run.gpus, run.pools, run.states);
      Json planned = run_of(system, published, machine);
      planned["system"] = run.system;
      planned["published"] = {{"compute_s", run.compute_s},
                              {"io_s", run.io_s},
                              {"pflop_per_s", run.pflop_per_s},
                              {"percent_of_peak", run.percent_of_peak}};
      json["published_runs"].push_back(planned);
    }
  }
  return json;
}

std::string plan_text(const PlanRequest& request) {
  const Json plan = plan_json(request);
  Json runs = plan["published_runs"];
  Json planned = plan["systems"][request.system];
  planned.erase("published");
  planned["system"] = request.system;
  runs.insert(runs.begin(), planned);
  const double link = plan["bytes_per_s"];
  return fmt::format(
      "What the systems of Del Ben et al. 2020 take, and in brackets what they publish.\n\n{}\n"
      "At {} a GPU ({}){}. PFLOP/s count {} operations a term, as published.\n\n{}",
      needs_table(plan["systems"]), roofline::describe_rate(plan["terms_per_s"], "terms/s"),
      plan["speed_from"].get<std::string>(),
      link > 0 ? fmt::format(", linked at {}", roofline::describe_rate(link, "B/s"))
               : "; the links are taken to hide behind the sum",
      flop_per_term, runs_table(runs));
}

}  // namespace gpp::scale
