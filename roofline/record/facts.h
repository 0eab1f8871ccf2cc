// Descriptions of measured and counted values as fields of records: roofline/record/fields.h.
#pragma once

#include <vector>

#include "roofline/ceilings.h"
#include "roofline/counting.h"
#include "roofline/machine_code/instruction_mix.h"
#include "roofline/record/fields.h"

namespace roofline {

/// Describes ceilings. Their `kind` is the key under which they are written.
void fields(Fields& field, Ceilings& ceilings);
void fields(Fields& field, InstructionMix& mix);
/// Describes counts. A GPU's metrics are derived from its counters and not written; stated metrics
/// are written.
void fields(Fields& field, Counted& counted);

/// Describes the date of creation: ISO 8601, UTC, or empty if unknown. Texts other than dates are
/// refused, because only the first characters may be shown.
void date_field(Fields& field, std::string& created, const char* meaning);

/// Describes ceilings by kind: {"host": {...}, "gpu": {...}}
void ceilings_field(Fields& field, std::vector<Ceilings>& ceilings);

/// Describes an object with the reasons of missing values by name.
void missing_field(Fields& field, Key key, std::vector<Missing>& missing, const char* meaning);

}  // namespace roofline
