// This kernel's part of a study's record: dimensions, sums, the original program's verdict.
//
//   input      ncouls, ngpown, nbands, nstart, nend
//   reference  asx, ach, magnitude_asx, magnitude_ach, ties_asx, ties_ach: [[re, im], ...] by
//              frequency; tied_terms; original
//   check      asx, ach, original; none if the variant returned no sums
#pragma once

#include <array>
#include <optional>
#include <string>

#include "gpp/input.h"
#include "gpp/reference.h"
#include "gpp/study/check.h"
#include "harness/record/record.h"

namespace gpp {

/// Writes [[re, im], ...], with null for numbers that are not finite.
Json complex_numbers(const Complex* values, int count);

/// The record of an input with these numbers of G, own G' and bands, its first and last frequency,
/// and so many states.
InputRecord input_record(const std::string& path, const std::array<int, 5>& dimensions,
                         int states = 1);

/// A variant's sums, with the original program's verdict on them.
JsonObject answer_json(const Sums& sums, const Input& input);

ReferenceRecord reference_record(const Reference& reference, const Input& input);

/// The number of frequencies of a recorded input.
int nfreq_of(const InputRecord& input);

/// These functions read a record's values; missing ones are 0.
Sums sums_of(const Json& answer);
Reference reference_of(const ReferenceRecord& record);
std::optional<OriginalVerdict> original_of(const Json& values);

// These functions implement harness/kernel.h.
JsonObject read_dimensions(const roofline::JsonPlace& input);
JsonObject read_reference(const roofline::JsonPlace& reference);
JsonObject read_answer(const roofline::JsonPlace& check);

/// Refuses contradictions: a number of terms that does not follow from the dimensions, sums that
/// are not one per frequency, and sums of a passed result that fail the check or have a larger
/// error than recorded.
void refuse_contradictions_of_sums(const roofline::JsonPlace& root, const StudyRecord& study);

LeastWork least_work(const InputRecord& input, const Result& result);

std::string describe_input(const InputRecord& input);
std::string describe_reference(const ReferenceRecord& reference);
/// Returns "correct", "off" or "-".
std::string original_cell(const Result& result);

}  // namespace gpp
