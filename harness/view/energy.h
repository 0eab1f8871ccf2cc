// The energy of variants for people.
#pragma once

#include <string>

#include "harness/view/rows.h"

namespace gpp {

/// A row for each result whose energy is known: power, clock, what held it, joules.
roofline::ViewTable energy_table(const ShownResults& shown);

/// The table of energy for a terminal, with its heading; "" where no energy is known.
std::string energy_text(const StudyRecord& study, bool colours);

}  // namespace gpp
