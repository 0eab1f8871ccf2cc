#include "roofline/occupancy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace roofline {
namespace {

struct Multiprocessor {
  int compute_capability;
  int warps, blocks;
  long long shared_bytes;
  long long reserved_bytes;  ///< reserved shared memory per block
  int shared_unit;           ///< allocation granularity in bytes
};

constexpr long long kib = 1024;
constexpr Multiprocessor multiprocessors[] = {
    {70, 64, 32, 96 * kib, 0, 256},    {75, 32, 16, 64 * kib, 0, 256},
    {80, 64, 32, 164 * kib, kib, 128}, {86, 48, 16, 100 * kib, kib, 128},
    {87, 48, 16, 164 * kib, kib, 128}, {89, 48, 24, 100 * kib, kib, 128},
    {90, 64, 32, 228 * kib, kib, 128}, {100, 64, 32, 228 * kib, kib, 128}};
constexpr int warp = 32;

template <class T>
constexpr T rounded_up(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

/// Each of a multiprocessor's four parts has 16384 registers, in units of 256 per warp.
int blocks_by_registers(int registers, int warps_of_block) {
  constexpr int parts = 4, of_part = 16384, unit = 256;
  const int of_warp = rounded_up(registers * warp, unit);
  return of_part / of_warp * parts / warps_of_block;
}

int blocks_by_shared_memory(const Multiprocessor& has, long long bytes) {
  const long long taken =
      rounded_up(bytes + has.reserved_bytes, static_cast<long long>(has.shared_unit));
  return taken == 0 ? has.blocks
                    : static_cast<int>(std::min<long long>(1024, has.shared_bytes / taken));
}

}  // namespace

std::string Occupancy::limiter() const {
  std::vector<std::string> names;
  for (const OccupancyLimit& limit : limits)
    if (limit.blocks == blocks()) names.push_back(limit.what);
  return fmt::format("{}", fmt::join(names, " and "));
}

std::optional<Occupancy> occupancy(int compute_capability, const LaunchShape& shape) {
  const auto* const has =
      std::ranges::find(multiprocessors, compute_capability, &Multiprocessor::compute_capability);
  if (has == std::end(multiprocessors)) return std::nullopt;
  Occupancy found;
  found.warps_of_block = rounded_up(shape.threads, warp) / warp;
  found.most_warps = has->warps;
  found.limits = {{"registers", blocks_by_registers(shape.registers, found.warps_of_block)},
                  {"warps", has->warps / found.warps_of_block},
                  {"blocks", has->blocks},
                  {"shared memory", blocks_by_shared_memory(*has, shape.shared_bytes)}};
  std::ranges::stable_sort(found.limits, {}, &OccupancyLimit::blocks);
  return found;
}

}  // namespace roofline
