// The part of a study's record that only this kernel has: dimensions, sums, the original's verdict.
//
//   input      ncouls, ngpown, nbands, nstart, nend
//   reference  asx, ach, magnitude_asx, magnitude_ach, ties_asx, ties_ach: [[re, im], ...] by
//              frequency; tied_terms; original
//   check      asx, ach, original; no sums where the variant gave none
#pragma once

#include <optional>
#include <string>

#include "gpp/input.h"
#include "gpp/reference.h"
#include "gpp/study/original.h"
#include "harness/record/record.h"

namespace gpp {

/// [[re, im], ...]; null for what is not finite.
Json complex_numbers(const Complex* values, int count);

/// A variant's sums, with what the original program says of them.
JsonObject answer_json(const Sums& sums, const Input& input);

ReferenceRecord reference_record(const Reference& reference, const Input& input);

/// Frequencies of a recorded input.
int nfreq_of(const InputRecord& input);

/// These read a record's values back; what is not there is 0.
Sums sums_of(const Json& answer);
Reference reference_of(const ReferenceRecord& record);
std::optional<OriginalVerdict> original_of(const Json& values);

// For harness/kernel.h.
JsonObject read_dimensions(const roofline::JsonPlace& input);
JsonObject read_reference(const roofline::JsonPlace& reference);
JsonObject read_answer(const roofline::JsonPlace& check);

/// Refuses a number of terms that does not follow from the dimensions, sums that are not one per
/// frequency, that fail the check of a result that passed or err more than recorded, and a verdict
/// of the original that does not follow from its difference.
void refuse_contradictions_of_sums(const roofline::JsonPlace& root, const StudyRecord& study);

LeastWork least_work(const InputRecord& input, const Result& result);

std::string describe_input(const InputRecord& input);
std::string describe_reference(const ReferenceRecord& reference);
/// The sums as a table.
std::string describe_answer(const StudyRecord& study, const Result& result);
/// How many terms rounding decides.
std::string remarks(const StudyRecord& study);
/// "correct", "off" or "-".
std::string original_cell(const Result& result);

}  // namespace gpp
