#include "roofline/energy_model.h"

#include <algorithm>

namespace roofline {
namespace {

constexpr double instructions_per_flop = 0.5;  // of fused multiply-adds

/// The fastest of that name: some roofs are measured with several shapes of instructions.
const RoofPower* find(const std::vector<RoofPower>& power, std::string_view name) {
  const RoofPower* fastest = nullptr;
  for (const RoofPower& one : power)
    if (one.name == name && (fastest == nullptr || one.rate > fastest->rate)) fastest = &one;
  return fastest;
}

}  // namespace

std::optional<EnergyPrices> energy_prices(const std::vector<RoofPower>& power) {
  const RoofPower* const resident = find(power, "resident");
  if (resident == nullptr || !(resident->watts > 0)) return std::nullopt;
  bool complete = true;
  const auto price = [&](std::string_view name, double units_per_rate) {
    const RoofPower* const at = find(power, name);
    const bool known = at != nullptr && at->rate > 0 && at->watts > resident->watts;
    complete &= known;
    return known ? (at->watts - resident->watts) / (at->rate * units_per_rate) : 0.0;
  };
  EnergyPrices prices{resident->watts, {}};
  EnergyParts& one = prices.of_one;
  one.fp64 = price("fp64_operands_3", instructions_per_flop);
  one.instructions = price("issue_alu", 1);
  one.l1 = price("l1", 1);
  one.l2 = std::max(0.0, price("l2", 1) - one.l1);
  one.dram = std::max(0.0, price("dram", 1) - one.l1 - one.l2);
  if (!complete) return std::nullopt;
  if (find(power, "fp64_tensor") != nullptr) one.tensor = price("fp64_tensor", 1);
  return prices;
}

double EnergyRoof::at(double intensity) const {
  const double seconds = std::max(1 / flop_per_s, 1 / (intensity * bytes_per_s));
  return 1 / (joules_per_flop + joules_per_byte / intensity + constant_watts * seconds);
}

std::optional<EnergyRoof> energy_roof(const std::vector<RoofPower>& power, std::string_view level) {
  const std::optional<EnergyPrices> prices = energy_prices(power);
  const RoofPower* const memory = find(power, level);
  if (!prices || memory == nullptr) return std::nullopt;
  const EnergyParts& one = prices->of_one;
  const double bytes = one.l1 + (level == "l1" ? 0 : one.l2) + (level == "dram" ? one.dram : 0.0);
  return EnergyRoof{instructions_per_flop * one.fp64, bytes, prices->constant_watts,
                    find(power, "fp64_operands_3")->rate, memory->rate};
}

std::optional<EnergyParts> predicted_energy(const EnergyPrices& prices, const Metrics& metrics,
                                            double seconds) {
  constexpr double lanes = 32;
  const auto fp64 = metric_value(metrics, "fp64_pipe_instructions");
  const auto instructions = metric_value(metrics, "instructions");
  const auto l1 = metric_value(metrics, "l1_bytes"), l2 = metric_value(metrics, "l2_bytes"),
             dram = metric_value(metrics, "dram_bytes");
  if (!fp64 || !instructions || !l1 || !l2 || !dram || !(seconds > 0)) return std::nullopt;
  const double tensor = metric_value(metrics, "fp64_tensor_flop").value_or(0);
  const double shared = metric_value(metrics, "shared_bytes").value_or(0);
  const EnergyParts& one = prices.of_one;
  return EnergyParts{prices.constant_watts * seconds,
                     one.fp64 * *fp64,
                     one.tensor * tensor,
                     one.instructions * std::max(0.0, *instructions - *fp64 / lanes),
                     one.l1 * (*l1 + shared),
                     one.l2 * *l2,
                     one.dram * *dram};
}

}  // namespace roofline
