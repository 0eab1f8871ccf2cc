// The energy of variants for people.
#pragma once

#include <optional>
#include <string>

#include "harness/view/rows.h"
#include "roofline/view/chart.h"

namespace gpp {

/// A row for each result whose energy is known: power, joules, what a model of energy expects and
/// the parts that it is made of (roofline/energy_model.h).
roofline::ViewTable energy_table(const ShownResults& shown);

/// The table of energy for a terminal, with its heading; "" where no energy is known.
std::string energy_text(const StudyRecord& study, bool colours);

/// The roofline of energy of a GPU: FP64 operations per joule of each variant, over its operations
/// per byte of each level, below what the prices allow at the most (roofline/energy_model.h). Empty
/// where no variant's energy, no counts or no prices are known.
std::optional<roofline::Chart> make_energy_roofline(const NamedStudy& named,
                                                    const std::string& name);

}  // namespace gpp
