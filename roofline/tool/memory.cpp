#include "roofline/tool/memory.h"

#include <fmt/format.h>

#include "roofline/base/visible.h"

namespace roofline {

std::vector<MemoryChart> profile_memory(const Profile& profile) {
  constexpr std::size_t most = 8, longest = 36;
  const Ceilings* const ceilings = profile.ceilings ? &*profile.ceilings : nullptr;
  std::vector<MemoryChart> charts;
  for (std::size_t i = 0; i < profile.kernels.size() && charts.size() < most; ++i) {
    const KernelProfile& kernel = profile.kernels[i];
    if (auto chart =
            memory_chart(fmt::format("{} {}", i + 1, visible(short_name(kernel.name, longest))),
                         kernel.metrics, kernel.seconds, table_of(profile.kind), ceilings, true))
      charts.push_back(*std::move(chart));
  }
  return charts;
}

std::vector<Picture> memory_pictures(const Profile& profile) {
  const std::vector<MemoryChart> charts = profile_memory(profile);
  if (charts.empty()) return {};
  return {{"memory", memory_svg(charts), memory_table(charts)}};
}

}  // namespace roofline
