#include "cli/what_if.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/teach/last_study.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/table.h"
#include "roofline/base/units.h"
#include "roofline/occupancy.h"

namespace gpp {
namespace {

using roofline::InputError;
using roofline::LaunchShape;
using roofline::Occupancy;

/// The first kernel of a variant as a GPU ran it.
struct RecordedLaunch {
  std::filesystem::path folder;
  std::string device;
  int capability = 0;
  LaunchShape shape;
  double occupancy = 0;
};

int capability_of(const StudyRecord& study, const std::string& device) {
  for (const DeviceDescription& gpu : study.machine.gpus)
    if (gpu.name == device && gpu.architecture.starts_with("sm_"))
      return static_cast<int>(roofline::whole_number(gpu.architecture.substr(3)).value_or(0));
  return 0;
}

std::optional<RecordedLaunch> newest_launch(const Kernel& kernel, const Variant& variant,
                                            const std::filesystem::path& results) {
  std::optional<RecordedLaunch> newest;
  std::string created;
  for (const RecordedStudy& recorded : recorded_studies(kernel, results))
    for (const Result& result : recorded.study.results) {
      if (result.variant != variant.id || result.model != variant.model || result.kind != "gpu" ||
          result.launches.empty() || recorded.study.created < created)
        continue;
      const Launch& launch = result.launches.front();
      created = recorded.study.created;
      newest = {recorded.folder,
                result.device,
                capability_of(recorded.study, result.device),
                {launch.threads_per_block, launch.registers, launch.shared_bytes},
                launch.occupancy};
    }
  return newest;
}

Occupancy occupancy_on(int capability, const LaunchShape& shape) {
  const auto found = roofline::occupancy(capability, shape);
  if (!found)
    throw InputError(fmt::format("--chip {}: known are {}", capability,
                                 fmt::join(roofline::known_capabilities(), ", ")));
  return *found;
}

std::string shape_text(const LaunchShape& shape) {
  return fmt::format("{} threads a block, {} registers a thread, {} bytes of shared memory a block",
                     shape.threads, shape.registers, shape.shared_bytes);
}

std::string limits_text(const Occupancy& occupancy) {
  using enum roofline::Table::Align;
  roofline::Table table({{"limited by", left}, {"blocks", right}, {"warps", right}});
  for (const roofline::OccupancyLimit& limit : occupancy.limits)
    table.add({limit.what, std::to_string(limit.blocks),
               std::to_string(limit.blocks * occupancy.warps_of_block)});
  return table.text();
}

}  // namespace

std::string what_if(const Kernel& kernel, const Variant& variant,
                    const std::filesystem::path& results, const WhatIf& asked) {
  const Variant* shown = &variant;
  std::optional<RecordedLaunch> recorded = newest_launch(kernel, variant, results);
  // A step that runs on a host here may have been recorded in another model on a GPU.
  for (const Variant& other : kernel.catalog())
    if (!recorded && other.id == variant.id && (recorded = newest_launch(kernel, other, results)))
      shown = &other;
  if (!recorded && (!asked.registers || !asked.block || !asked.capability))
    throw InputError(
        fmt::format("no record of {} {} on a GPU tells its launch: name --registers, "
                    "--block and --chip",
                    variant.model, variant.id));
  LaunchShape shape = recorded ? recorded->shape : LaunchShape{};
  const int capability = asked.capability.value_or(recorded ? recorded->capability : 0);
  shape.threads = asked.block.value_or(shape.threads);
  shape.registers = asked.registers.value_or(shape.registers);
  shape.shared_bytes = asked.shared.value_or(shape.shared_bytes);
  const Occupancy occupancy = occupancy_on(capability, shape);
  std::string text = fmt::format(
      "{} {} with {}\non compute capability {}.{}: {} of {} warps a multiprocessor, {}; "
      "limited by {}.\n\n{}",
      shown->model, shown->id, shape_text(shape), capability / 10, capability % 10,
      occupancy.warps(), occupancy.most_warps, roofline::percent_text(100 * occupancy.share(), 0),
      occupancy.limiter(), limits_text(occupancy));
  if (recorded)
    text += fmt::format("\nAs recorded on {} ({}): {}: {}.\n", recorded->device,
                        recorded->folder.string(), shape_text(recorded->shape),
                        roofline::percent_text(100 * recorded->occupancy, 0));
  return text;
}

}  // namespace gpp
