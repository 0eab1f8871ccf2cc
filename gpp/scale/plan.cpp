#include "gpp/scale/plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "gpp/complex.h"
#include "gpp/scale/partition.h"
#include "harness/record/derive.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/json.h"

namespace gpp::scale {
namespace {

constexpr double flop_per_term = 80.7;  // of the published v8 and v9: SC20's count
constexpr int energies = 2;
constexpr double element = sizeof(Complex);
constexpr double card_bytes = 79e9;     // an H100's, less what the driver takes
constexpr double summit_r_max = 148.6;  // PFLOP/s of LINPACK on Summit

using Table = roofline::Table;

constexpr struct {
  const char* key;      ///< in JSON
  const char* heading;  ///< of the table
  double System::Needs::*value;
} needs[] = {{"epsilon_pflop", "Epsilon PFLOP", &System::Needs::epsilon_pflop},
             {"epsilon_memory_tb", "memory TB", &System::Needs::epsilon_memory_tb},
             {"epsilon_comm_gb", "passed GB", &System::Needs::epsilon_comm_gb},
             {"sigma_pflop", "Sigma PFLOP", &System::Needs::sigma_pflop},
             {"sigma_memory_gb", "memory GB", &System::Needs::sigma_memory_gb},
             {"sigma_comm_gb", "passed GB", &System::Needs::sigma_comm_gb}};

Json needs_json(const System::Needs& of) {
  Json json;
  for (const auto& need : needs) json[need.key] = of.*need.value;
  return json;
}

Table numbers_table(const char* first, const std::vector<const char*>& others) {
  std::vector<Table::Column> columns = {{first, {}}};
  for (const char* other : others) columns.push_back({other, Table::Align::right});
  return Table(columns);
}

/// Each need as "260.8 (260.7)": ours, and what is published.
std::string needs_table() {
  std::vector<const char*> headings;
  for (const auto& need : needs) headings.push_back(need.heading);
  headings.push_back("cards of 80 GB");
  Table table = numbers_table("system", headings);
  for (const System& system : systems()) {
    const System::Needs ours = needs_of(system);
    std::vector<std::string> row = {system.name};
    for (const auto& need : needs)
      row.push_back(fmt::format("{:.4g} ({:.4g})", ours.*need.value, system.published.*need.value));
    row.push_back(std::to_string(fewest_gpus(system, card_bytes)));
    table.add(row);
  }
  return table.text();
}

/// The run that is planned, and those that are published, at the machine's speed. Operations are
/// counted as published: what fewer operations a term bring is no speed of the card.
std::string runs_table(const System& system, const Spread& spread, const Machine& machine) {
  Table table = numbers_table("Sigma of",
                              {"GPUs", "pools", "states", "GB a GPU", "waiting", "time", "PFLOP/s",
                               "V100: time", "I/O", "PFLOP/s", "of R_peak", "of R_max"});
  std::vector<PublishedRun> runs = published_runs();
  runs.insert(runs.begin(), {system.name.c_str(), spread});
  for (const PublishedRun& run : runs) {
    const System& of_run = system_called(run.system);
    const Plan plan = plan_of(of_run, run.spread, machine);
    std::vector<std::string> row = {
        run.system,
        std::to_string(run.spread.gpus),
        std::to_string(run.spread.pools),
        std::to_string(run.spread.states),
        fmt::format("{:.2f}", plan.memory_gb),
        roofline::describe_seconds(plan.wait_s),
        roofline::describe_seconds(plan.seconds()),
        fmt::format("{:.3g}", needs_of(of_run).sigma_pflop * run.spread.states / plan.seconds())};
    if (run.compute_s > 0)
      for (const std::string& published :
           {roofline::describe_seconds(run.compute_s), roofline::describe_seconds(run.io_s),
            fmt::format("{:.1f}", run.pflop_per_s), fmt::format("{:.1f}%", run.of_peak),
            fmt::format("{:.1f}%", 100 * run.pflop_per_s / summit_r_max)})
        row.push_back(published);
    row.resize(13);
    table.add(row);
  }
  return table.text();
}

}  // namespace

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

const System& system_called(std::string_view name) {
  std::vector<std::string> names;
  for (const System& system : systems()) {
    if (system.name == name) return system;
    names.push_back(system.name);
  }
  throw roofline::InputError(roofline::unknown_name("system", std::string(name), names));
}

System::Needs needs_of(const System& system) {
  const double N_G = system.N_G;
  double pairs = 0;  // of occupied and empty bands
  for (const System::Spin& spin : system.spins) pairs += 1.0 * spin.N_v * spin.N_c;
  const double matrices = 2 * element * N_G * N_G;  // wtilde and I_eps, or two of Epsilon's
  const double bands = 2 * element * system.N_b * N_G;
  System::Needs result;
  result.epsilon_pflop = 1e-15 * 8 * pairs * N_G * N_G;
  result.epsilon_memory_tb = 1e-12 * element * pairs * N_G;
  result.epsilon_comm_gb = 1e-9 * matrices * static_cast<double>(system.spins.size());
  result.sigma_pflop = 1e-15 * flop_per_term * energies * system.N_b * N_G * N_G;
  result.sigma_memory_gb = 1e-9 * (matrices + bands);
  result.sigma_comm_gb = 1e-9 * bands;
  return result;
}

Plan plan_of(const System& system, const Spread& spread, const Machine& machine) {
  if (spread.gpus < spread.pools)
    throw roofline::InputError(
        fmt::format("{} GPUs make no {} pools: each has one at least", spread.gpus, spread.pools));
  Plan plan;
  plan.ranks_per_pool = spread.gpus / spread.pools;
  const int ranks = plan.ranks_per_pool;
  // The rank that owns most G' is waited for.
  const double own_g = own_g_of(system.N_G, 0, ranks);
  const double bands = 1.0 * system.N_b / ranks;
  const double states = (spread.states + spread.pools - 1) / spread.pools;
  const double step = bands * own_g * system.N_G * energies / machine.terms_per_s;
  const double block = 2 * element * bands * system.N_G;
  const double pass = machine.bytes_per_s > 0 ? block / machine.bytes_per_s : 0;
  plan.compute_s = states * ranks * step;
  plan.wait_s = states * (ranks - 1) * std::max(0.0, pass - step);
  plan.memory_gb = 1e-9 * (2 * element * system.N_G * own_g + block);
  return plan;
}

int fewest_gpus(const System& system, double bytes) {
  int gpus = 1;
  while (1e9 * plan_of(system, {gpus, 1, 1}, {1, 0, ""}).memory_gb > bytes) ++gpus;
  return gpus;
}

const std::vector<PublishedRun>& published_runs() {
  static const std::vector<PublishedRun> runs = {
      {"SiC-998", {27360, 80, 160}, 142, 71, 65.3, 32.9},
      {"Si-2742", {27360, 120, 120}, 401, 226, 78.0, 39.2},
      {"Si-2742", {27648, 128, 120}, 307, 23, 102.1, 50.9},
      {"Si-2742", {27648, 256, 240}, 592, 39, 105.9, 52.7}};
  return runs;
}

Machine machine_of(const PlanRequest& request) {
  const double link = 1e9 * request.gigabytes_per_s;
  if (request.terms_per_s > 0) return {request.terms_per_s, link, "as given"};
  if (request.record.empty()) {
    const PublishedRun& best = published_runs().back();  // with fewer states than pools
    const Spread& spread = best.spread;
    const int busy = spread.gpus / spread.pools * std::min(spread.pools, spread.states);
    return {1e15 * best.pflop_per_s / flop_per_term / busy, link,
            "a V100 of Summit, as published; name a --record or a --speed for another card"};
  }
  const StudyRecord study = read_record(request.record);
  const std::string name = roofline::visible(request.record.string());
  for (const Result& result : study.results) {
    if (!result.timed() || study.kernel != "gpp") continue;
    Machine machine{terms_per_second(study, result), link,
                    fmt::format("{} {} in {}", result.model, result.variant, name)};
    if (study.scaling && !study.scaling->strong.empty()) {
      const ScalingPoint& one = study.scaling->strong.front();
      const double terms_of_a_state =
          static_cast<double>(study.input.terms) / study.scaling->states;
      machine.terms_per_s = terms_of_a_state * one.states / one.seconds() / one.ranks;
    }
    return machine;
  }
  throw roofline::InputError(fmt::format("{}: holds no time of a variant of the kernel gpp", name));
}

Json plan_json(const Spread& spread, const Machine& machine) {
  Json json = {{"systems", Json::object()}};
  for (const System& system : systems()) {
    const Plan plan = plan_of(system, spread, machine);
    Json one = needs_json(needs_of(system));
    one["published"] = needs_json(system.published);
    one["gpus"] = spread.gpus;
    one["pools"] = spread.pools;
    one["states"] = spread.states;
    one["memory_per_gpu_gb"] = plan.memory_gb;
    one["compute_s"] = plan.compute_s;
    one["wait_s"] = plan.wait_s;
    one["seconds"] = plan.seconds();
    json["systems"][system.name] = one;
  }
  json["terms_per_s"] = machine.terms_per_s;
  json["bytes_per_s"] = machine.bytes_per_s;
  json["speed_from"] = machine.source;
  return json;
}

std::string plan_text(const System& system, const Spread& spread, const Machine& machine) {
  return fmt::format(
      "What the systems of Del Ben et al. 2020 take, and in brackets what they publish.\n\n{}\n"
      "At {} a GPU ({}){}. PFLOP/s count {} operations a term, as published.\n\n{}",
      needs_table(), roofline::describe_rate(machine.terms_per_s, "terms/s"), machine.source,
      machine.bytes_per_s > 0
          ? fmt::format(", linked at {}", roofline::describe_rate(machine.bytes_per_s, "B/s"))
          : "; the links are taken to hide behind the sum",
      flop_per_term, runs_table(system, spread, machine));
}

}  // namespace gpp::scale
