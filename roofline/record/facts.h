// What was measured and counted, as fields of records: roofline/record/fields.h.
#pragma once

#include <vector>

#include "roofline/ceilings.h"
#include "roofline/counting.h"
#include "roofline/machine_code/instruction_mix.h"
#include "roofline/record/fields.h"

namespace roofline {

/// Its `kind` is the name under which it stands.
void fields(Fields& field, Ceilings& ceilings);
void fields(Fields& field, InstructionMix& mix);
/// Counters of a GPU give its metrics, so that these follow and are not written. Metrics that were
/// stated are facts.
void fields(Fields& field, Counted& counted);

/// When something was made: ISO 8601, UTC, or empty where that is not known. Only the first letters
/// of it may be shown, so it is refused where it is no date.
void date_field(Fields& field, std::string& created, const char* meaning);

/// {"host": {...}, "gpu": {...}}
void ceilings_field(Fields& field, std::vector<Ceilings>& ceilings);

/// Names and the reasons why they are missing, as an object.
void missing_field(Fields& field, Key key, std::vector<Missing>& missing, const char* meaning);

}  // namespace roofline
