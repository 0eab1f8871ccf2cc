// The energy of variants for people.
#pragma once

#include <string>

#include "harness/view/rows.h"

namespace gpp {

/// A row for each result whose energy is known: power, joules, what a model of energy expects and
/// the parts that it is made of (roofline/energy_model.h).
roofline::ViewTable energy_table(const ShownResults& shown);

/// The same for a terminal, with what stands above it; "" where no energy is known.
std::string energy_text(const StudyRecord& study, bool colours);

}  // namespace gpp
