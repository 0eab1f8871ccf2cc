#include "gpp/scale/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gpp/complex.h"
#include "gpp/scale/calculation.h"
#include "gpp/study/published.h"
#include "gpp/study/record.h"
#include "roofline/base/error.h"
#include "roofline/base/table.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/json.h"

namespace gpp::scale {
namespace {

constexpr double flop_per_term = 80.7;  // of the published v8 and v9: SC20's count
constexpr double element = sizeof(Complex);
constexpr double card_bytes = 79e9;  // an H100's, less what the driver takes

/// The rows of a table of results/published/.
Json published(const std::string& table) {
  Json rows = Json::array();
  for (const auto& row : published_rows(table)) {
    Json& json = rows.emplace_back(Json::object());
    for (const auto& [column, cell] : row)
      if (column == "system")
        json[column] = cell;
      else
        json[column] = cell.empty() ? 0.0 : std::stod(cell);
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
struct Machine {
  double terms_per_s = 0;  ///< of one rank (or GPU)
  std::string source;      ///< where it is from, for people
  int energies = 0;        ///< that share moments at this speed; 0: each costs the same
};

Machine machine_of(const PlanRequest& request) {
  if (request.terms_per_s > 0) return {request.terms_per_s, "as given"};
  if (request.record.empty()) {
    const Json best = published("sc20-runs.csv").back();  // with fewer states than pools
    const double busy = number(best, "gpus") / number(best, "pools") * number(best, "states");
    return {1e15 * number(best, "pflop_per_s") / flop_per_term / busy,
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
Json run_of(const Json& system, const PlanRequest& spread, const Machine& machine) {
  if (spread.gpus < spread.pools)
    throw roofline::InputError(
        fmt::format("{} GPUs make no {} pools: each has one at least", spread.gpus, spread.pools));
  Preset shape;
  shape.ncouls = system["G"];
  shape.sig_ntband = system["bands"];
  const int ranks = spread.gpus / spread.pools, others = ranks - 1;
  const int states = block_of(spread.states, 0, spread.pools).count;
  const Memory gathered = predict_memory(shape, ranks, states, true);
  const bool whole = ranks == 1 || static_cast<double>(gathered.packed()) <= card_bytes;
  const Memory memory = whole ? gathered : predict_memory(shape, ranks, states, false);
  // The rank that owns most G' is waited for.
  const double terms =
      1.0 * shape.sig_ntband * shape.ncouls * block_of(shape.ncouls, 0, ranks).count;
  const double sum =
      terms * (machine.energies > 0 ? machine.energies : spread.energies) / machine.terms_per_s;
  double pass = 0;  // of a block
  if (spread.gigabytes_per_s > 0)
    pass = 1e-9 * static_cast<double>(memory.own) / states / spread.gigabytes_per_s;
  const double wait = whole ? others * pass + (states - 1) * std::max(0.0, others * pass - sum)
                            : states * others * std::max(0.0, pass - sum / ranks);
  const double flop = flop_per_term * 1.0 * shape.sig_ntband * shape.ncouls * shape.ncouls *
                      spread.energies * spread.states;
  return {{"system", system["system"]},
          {"gpus", spread.gpus},
          {"pools", spread.pools},
          {"states", spread.states},
          {"memory_per_gpu_gb", 1e-9 * static_cast<double>(memory.placed())},
          {"compute_s", states * sum},
          {"wait_s", wait},
          {"seconds", states * sum + wait},
          {"pflop_per_s", 1e-15 * flop / (states * sum + wait)}};
}

/// The fewest cards of 80 GB that hold a state, with its time there.
Json fewest_cards(const Json& system, PlanRequest spread, const Machine& machine) {
  spread.pools = spread.states = spread.gpus = 1;
  Json run = run_of(system, spread, machine);
  for (; 1e9 * number(run, "memory_per_gpu_gb") > card_bytes; run = run_of(system, spread, machine))
    ++spread.gpus;
  return run;
}

/// A column of a table: where its numbers lie in a row, and how they are written.
struct Column {
  const char* heading;
  const char* place;
  const char* form = "{:.5g}";
};

std::string table_of(const std::vector<Column>& columns, const std::vector<Json>& rows) {
  using roofline::Table;
  std::vector<Table::Column> headings(columns.size(), {"", Table::Align::right});
  for (std::size_t i = 0; i < columns.size(); ++i) headings[i].title = columns[i].heading;
  headings.front().align = Table::Align::left;
  Table table(headings);
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (const Column& column : columns) {
      const Json value = row.value(Json::json_pointer(column.place), Json());
      cells.push_back(value.is_number()
                          ? fmt::format(fmt::runtime(column.form), value.get<double>())
                      : value.is_string() ? value.get<std::string>()
                                          : "");
    }
    table.add(cells);
  }
  return table.text();
}

}  // namespace

std::vector<std::string> planned_systems() {
  std::vector<std::string> names;
  for (const Json& system : published("sc20-systems.csv")) names.push_back(system["system"]);
  return names;
}

Json plan_json(const PlanRequest& request) {
  const Machine machine = machine_of(request);
  Json plan = {{"terms_per_s", machine.terms_per_s},
               {"bytes_per_s", 1e9 * request.gigabytes_per_s},
               {"speed_from", machine.source}};
  for (const Json& system : published("sc20-systems.csv")) {
    Json& planned = plan["systems"][system["system"].get<std::string>()];
    planned = run_of(system, request, machine);
    planned.update(needs_of(system));
    planned["published"] = system;
    planned["fewest_cards"] = fewest_cards(system, request, machine);
  }
  for (const Json& run : published("sc20-runs.csv")) {
    PlanRequest spread = request;
    spread.gpus = run["gpus"];
    spread.pools = run["pools"];
    spread.states = run["states"];
    const Json system = plan["systems"][run["system"].get<std::string>()]["published"];
    plan["published_runs"].push_back(run_of(system, spread, machine));
    plan["published_runs"].back()["published"] = run;
  }
  return plan;
}

std::string plan_text(const PlanRequest& request) {
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
      "What the systems of Del Ben et al. 2020 take.\n\n{}\n"
      "At {} a GPU ({}); links {}. PFLOP/s count {} operations a term, as published.\n\n{}",
      table_of({{"system", "/system"},
                {"Epsilon PFLOP", "/epsilon_pflop"},
                {"memory TB", "/epsilon_memory_tb"},
                {"passed GB", "/epsilon_comm_gb"},
                {"Sigma PFLOP", "/sigma_pflop"},
                {"memory GB", "/sigma_memory_gb"},
                {"passed GB", "/sigma_comm_gb"},
                {"cards of 80 GB", "/fewest_cards/gpus", "{:.0f}"},
                {"a state there, s", "/fewest_cards/seconds"}},
               systems),
      roofline::describe_rate(plan["terms_per_s"], "terms/s"),
      plan["speed_from"].get<std::string>(),
      request.gigabytes_per_s > 0 ? roofline::describe_rate(plan["bytes_per_s"], "B/s")
                                  : "are taken to hide behind the sum",
      flop_per_term,
      table_of({{"Sigma of", "/system"},
                {"GPUs", "/gpus", "{:.0f}"},
                {"pools", "/pools", "{:.0f}"},
                {"states", "/states", "{:.0f}"},
                {"GB a GPU", "/memory_per_gpu_gb"},
                {"waiting s", "/wait_s"},
                {"time s", "/seconds"},
                {"PFLOP/s", "/pflop_per_s"},
                {"V100: time s", "/published/compute_s"},
                {"I/O s", "/published/io_s"},
                {"PFLOP/s", "/published/pflop_per_s"},
                {"% of R_peak", "/published/percent_of_peak"},
                {"% of R_max", "/published/percent_of_r_max"}},
               runs));
}

}  // namespace gpp::scale
