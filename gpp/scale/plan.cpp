// Who owns what, and the cost of a calculation, for gpp/scale/calculation.h.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gpp/scale/calculation.h"
#include "gpp/study/published.h"
#include "gpp/study/record.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"

namespace gpp::scale {
namespace {

constexpr double flop_per_term = 80.7;  // of the published v8 and v9: SC20's count
constexpr std::int64_t element = sizeof(Complex);
constexpr double card_bytes = 79e9;  // an H100's, less what the driver takes

/// The rows of a table of results/published/.
Json published(const std::string& table) {
  Json rows = Json::array();
  for (const auto& row : published_rows(table)) {
    Json& json = rows.emplace_back(Json::object());
    for (const auto& [column, cell] : row)
      json[column] = column == "system" ? Json(cell) : Json(cell.empty() ? 0.0 : std::stod(cell));
  }
  return rows;
}

double number(const Json& row, const char* column) { return row.at(column).get<double>(); }

Json needs_of(const Json& system) {
  const double G = number(system, "G"), spins = number(system, "occupied_2") > 0 ? 2 : 1;
  const double pairs = number(system, "occupied") * number(system, "empty") +
                       number(system, "occupied_2") * number(system, "empty_2");
  const double matrices = 2 * element * G * G;  // wtilde and I_eps, or two of Epsilon's
  const double bands = 2 * element * number(system, "bands") * G;
  return {{"epsilon_pflop", 1e-15 * 8 * pairs * G * G},
          {"epsilon_memory_tb", 1e-12 * element * pairs * G},
          {"epsilon_comm_gb", 1e-9 * matrices * spins},
          {"sigma_pflop", 1e-15 * flop_per_term * 2 * number(system, "bands") * G * G},
          {"sigma_memory_gb", 1e-9 * (matrices + bands)},
          {"sigma_comm_gb", 1e-9 * bands}};
}

/// The speed from which the time follows.
struct Speed {
  double terms_per_s = 0;  ///< of one rank (or GPU)
  std::string source;      ///< where it is from, for people
  int energies = 0;        ///< that share moments at this speed; 0: each costs the same
};

Speed speed_of(const CalculationRequest& request) {
  // 105.9 PFLOP/s of 27648 GPUs in 256 pools, of which 240 had a state (results/published).
  constexpr double of_a_v100 = 105.9e15 / (27648.0 / 256 * 240) / flop_per_term;
  if (request.terms_per_s > 0) return {request.terms_per_s, "as given"};
  if (request.record.empty())
    return {of_a_v100, "a V100 of Summit, as published; name a --record or a --speed"};
  const StudyRecord study = read_record(request.record);
  const std::string name = roofline::visible(request.record.string());
  if (study.results.empty() || !study.results.front().timed() || study.kernel != "gpp")
    throw roofline::InputError(
        fmt::format("{}: its first result is no time of a variant of the kernel gpp", name));
  const Result& result = study.results.front();
  const bool moments = result.step == "moments" || result.step == "integers";
  return {terms_per_second(study, result) / (study.scaling ? study.scaling->ranks : 1),
          fmt::format("{} {} in {}", result.model, result.variant, name),
          moments ? nfreq_of(study.input) : 0};
}

/// Memory and time of Sigma.
Json run_of(const Json& system, const CalculationRequest& spread, const Speed& speed) {
  if (spread.gpus < spread.pools)
    throw roofline::InputError(
        fmt::format("{} GPUs make no {} pools: each has one at least", spread.gpus, spread.pools));
  Preset shape;
  shape.ncouls = system["G"];
  shape.sig_ntband = system["bands"];
  const int ranks = spread.gpus / spread.pools;
  const int states = block_of(spread.states, 0, spread.pools).count;
  Memory memory = predict_memory(shape, ranks, states, true);
  if (static_cast<double>(memory.packed()) > card_bytes)
    memory = predict_memory(shape, ranks, states, ranks == 1);
  const double terms_of_a_g = 1.0 * shape.sig_ntband * shape.ncouls;  // at one energy
  // The rank that owns most G' is waited for.
  const double seconds = states * terms_of_a_g * block_of(shape.ncouls, 0, ranks).count *
                         (speed.energies > 0 ? speed.energies : spread.energies) /
                         speed.terms_per_s;
  const double flop = flop_per_term * terms_of_a_g * shape.ncouls * spread.energies * spread.states;
  return {{"system", system["system"]},
          {"gpus", spread.gpus},
          {"pools", spread.pools},
          {"states", spread.states},
          {"memory_per_gpu_gb", 1e-9 * static_cast<double>(memory.placed())},
          {"seconds", seconds},
          {"pflop_per_s", 1e-15 * flop / seconds}};
}

/// The fewest cards of 80 GB that hold a state, with its time there.
Json fewest_cards(const Json& system, CalculationRequest spread, const Speed& speed) {
  spread.pools = spread.states = spread.gpus = 1;
  Json run = run_of(system, spread, speed);
  for (; 1e9 * number(run, "memory_per_gpu_gb") > card_bytes; run = run_of(system, spread, speed))
    ++spread.gpus;
  return run;
}

/// A table of the numbers at these places in rows: "fewest_cards/gpus" below "gpus".
std::string table_of(const std::vector<std::string>& places, const std::vector<Json>& rows) {
  std::vector<roofline::ColumnOf<Json>> columns;
  for (const std::string& place : places) {
    std::string title = place.substr(place.find('/') + 1);
    std::replace(title.begin(), title.end(), '_', ' ');
    const auto align = columns.empty() ? roofline::Align::left : roofline::Align::right;
    columns.push_back({{"", title, "", "", align}, [place](const Json& row) {
                         const Json value = row.value(Json::json_pointer("/" + place), Json(""));
                         return roofline::TableCell{
                             value.is_string() ? value.get<std::string>()
                             : value.is_number_integer()
                                 ? value.dump()
                                 : fmt::format("{:.5g}", value.get<double>())};
                       }});
  }
  return roofline::terminal_text(roofline::table_of(columns, rows, {}));
}

}  // namespace

Block block_of(int all, int one, int of) {
  const int more = all % of;
  return {all / of * one + std::min(one, more), all / of + (one < more ? 1 : 0)};
}

Preset part_of(const Preset& preset, int rank, int ranks, int state) {
  if (ranks > preset.ncouls || ranks > preset.sig_ntband)
    throw roofline::InputError(fmt::format(
        "{} ranks share preset {}, which has {} G' and {} bands: each rank needs one of both. "
        "Start fewer ranks, make pools (--pools), or name a larger preset",
        ranks, preset.name, preset.ncouls, preset.sig_ntband));
  const Block bands = block_of(preset.sig_ntband, rank, ranks);
  Preset part = preset;
  part.g_ranks = ranks;
  part.first_own_g = rank;
  part.ngpown = block_of(preset.ncouls, rank, ranks).count;
  part.first_band = bands.first;
  part.ntband_dist = bands.count;
  part.state = state;
  return part;
}

Memory predict_memory(const Preset& preset, int ranks, int states, bool whole) {
  const std::int64_t a_band = (preset.offdiagonal ? 2 : 1) * element * preset.ncouls;
  const std::int64_t ngpown = block_of(preset.ncouls, 0, ranks).count;
  const std::int64_t bands = block_of(preset.sig_ntband, 0, ranks).count;
  const std::int64_t at_once = whole ? preset.sig_ntband : bands;
  return {.poles = 2 * element * preset.ncouls * ngpown,
          .own = a_band * bands * states,
          .block = a_band * at_once,
          .gathered = 2 * element * ngpown * at_once,
          .buffers = ranks == 1             ? 0
                     : whole && states == 1 ? 1
                                            : 2};
}

std::vector<std::string> planned_systems() {
  std::vector<std::string> names;
  for (const Json& system : published("sc20-systems.csv")) names.push_back(system["system"]);
  return names;
}

Json plan_json(const CalculationRequest& request) {
  const Speed speed = speed_of(request);
  Json plan = {{"terms_per_s", speed.terms_per_s}, {"speed_from", speed.source}};
  for (const Json& system : published("sc20-systems.csv")) {
    Json& planned = plan["systems"][system["system"].get<std::string>()];
    planned = run_of(system, request, speed);
    planned.update(needs_of(system));
    planned["published"] = system;
    planned["fewest_cards"] = fewest_cards(system, request, speed);
  }
  for (const Json& run : published("sc20-runs.csv")) {
    CalculationRequest spread = request;
    spread.gpus = run["gpus"];
    spread.pools = run["pools"];
    spread.states = run["states"];
    const Json& system = plan["systems"][run["system"].get<std::string>()]["published"];
    Json& planned = plan["published_runs"].emplace_back(run_of(system, spread, speed));
    planned["published"] = run;
  }
  return plan;
}

std::string plan_text(const CalculationRequest& request) {
  const Json plan = plan_json(request);
  std::vector<Json> systems, runs = {plan["systems"][request.system]};
  runs.front().erase("published");
  for (const Json& system : plan["systems"]) {
    systems.push_back(system);
    systems.push_back(system["published"]);
    systems.back()["system"] = "  published";
  }
  for (const Json& run : plan["published_runs"]) runs.push_back(run);
  return fmt::format(
      "What Epsilon and a state of Sigma take; the fewest cards of 80 GB for it, and its time "
      "there.\n\n{}"
      "\nSigma at {} a GPU ({}); on the right as published on V100. PFLOP/s count {} operations a "
      "term.\n\n{}",
      table_of({"system", "epsilon_pflop", "epsilon_memory_tb", "epsilon_comm_gb", "sigma_pflop",
                "sigma_memory_gb", "sigma_comm_gb", "fewest_cards/gpus", "fewest_cards/seconds"},
               systems),
      roofline::describe_rate(plan["terms_per_s"], "terms/s"),
      plan["speed_from"].get<std::string>(), flop_per_term,
      table_of({"system", "gpus", "pools", "states", "memory_per_gpu_gb", "seconds", "pflop_per_s",
                "published/compute_s", "published/io_s", "published/pflop_per_s",
                "published/percent_of_peak", "published/percent_of_r_max"},
               runs));
}

}  // namespace gpp::scale
