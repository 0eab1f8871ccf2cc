// The memory chart: how many bytes went between the arithmetic, the caches and DRAM, and what each
// of them held, as boxes and arrows. It has counted or computed numbers alone; what is not known is
// named. After the memory charts of Nsight Compute and ROCm Compute Profiler (docs/sources.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/metrics.h"
#include "roofline/models/model_table.h"
#include "roofline/view/table.h"

namespace roofline {

/// A level of memory as a box, and what went between it and the next one nearer to the arithmetic
/// as an arrow. Reads and writes are counted together.
struct MemoryFlow {
  std::string level;               ///< "l2"
  std::string label;               ///< "L2"
  bool beside = false;             ///< the arithmetic asks it itself, not through the others
  double bytes = 0;                ///< of the arrow
  std::optional<double> rate;      ///< B/s
  std::optional<double> share;     ///< of the level's roof, in %
  std::optional<double> hit;       ///< found in the box of what was asked of it, in %
  std::vector<std::string> asked;  ///< "3.08 G global instructions"
  std::string meaning;             ///< of the bytes, for people

  /// The texts at the arrow: "480 GB, 2.16 TB/s", "11.3% of its roof", what was asked.
  std::vector<std::string> texts() const;
  /// "65.9% found in it"; empty where that is not known.
  std::string hit_text() const;
};

struct MemoryChart {
  std::string name;                ///< what ran: "v8 power2, NVIDIA H200, cuda"
  std::vector<MemoryFlow> flows;   ///< nearest to the arithmetic first
  std::vector<std::string> notes;  ///< who counted, and what was not
};

/// The chart of work that took `seconds`. Empty where the bytes of fewer than two levels on the way
/// from DRAM to the registers are known. `counted`: by hardware, not computed.
std::optional<MemoryChart> memory_chart(const std::string& name, const Metrics& metrics,
                                        std::optional<double> seconds, const ModelTable& table,
                                        const Ceilings* ceilings, bool counted);

/// The charts in rows, as one picture: a file on light paper, or a part of a page (roofline/page/)
/// that takes the page's colours.
std::string memory_svg(const std::vector<MemoryChart>& charts, bool on_page = false);

/// The chart in characters, in lines of at most 100 columns.
std::string memory_text(const MemoryChart& chart);

/// A row for each level of each chart, values in full.
ViewTable memory_table(const std::vector<MemoryChart>& charts);

}  // namespace roofline
