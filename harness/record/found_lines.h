// Evidence per source line that was found in several processes, put together.
#pragma once

#include <cstdint>
#include <string>

#include "roofline/record/lines.h"

namespace gpp {

using roofline::LinesRecord;

/// What workers found; a record is empty where nothing was.
struct FoundLines {
  LinesRecord samples;                              ///< with the pieces of work of the whole
  LinesRecord totals;                               ///< the hardware's counters of a part
  LinesRecord counts;                               ///< of each line, of a part
  std::int64_t totals_terms = 0, counts_terms = 0;  ///< pieces of work of these parts
  std::string part;                                 ///< what the part is whose lines were counted
};
/// Puts it together.
LinesRecord joined(FoundLines found);

/// A count of a part, for the whole of which it is part_terms of terms; rounded.
std::uint64_t scaled_count(std::uint64_t count, std::int64_t terms, std::int64_t part_terms);

}  // namespace gpp
