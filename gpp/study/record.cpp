#include "gpp/study/record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/record/fields.h"

namespace gpp {

void fields(roofline::Fields& field, OriginalVerdict& verdict) {
  double tolerance = original_tolerance;
  field("max_difference", verdict.max_difference, roofline::OrNull{roofline::bounds::not_negative});
  field(roofline::may_lack("tolerance"), tolerance, roofline::bounds::not_negative);
  field("correct", verdict.correct);
}

namespace {

using roofline::Fields;
using roofline::JsonPlace;
namespace bounds = roofline::bounds;

// ---- Described ----------------------------------------------------------------------------------

/// [[re, im], ...], one a frequency.
void describe(Fields& field, const roofline::Key& key, Complex* values, int& nfreq) {
  std::vector<std::array<double, 2>> list;
  for (int iw = 0; field.writes() && iw < nfreq; ++iw)
    list.push_back({values[iw].re, values[iw].im});
  field(key, list, roofline::List<roofline::OrNull>{{bounds::finite}, max_frequencies});
  for (std::size_t iw = 0; iw < list.size(); ++iw) values[iw] = {list[iw][0], list[iw][1]};
  nfreq = std::max(nfreq, static_cast<int>(list.size()));
}

/// A variant's sums.
struct Answer {
  Sums sums{};
  int nfreq = 0;
  std::optional<OriginalVerdict> original = {};
};

void fields(Fields& field, Answer& answer) {
  describe(field, "asx", answer.sums.asx, answer.nfreq);
  describe(field, "ach", answer.sums.ach, answer.nfreq);
  field("original", answer.original, "the original program's verdict");
}

/// The reference's sums; older records have no ties.
struct Due {
  Reference reference = {};
  int nfreq = 0, nfreq_of_ties = 0;
  std::optional<OriginalVerdict> original = {};
};

void fields(Fields& field, Due& due) {
  Reference& reference = due.reference;
  describe(field, "asx", reference.sums.asx, due.nfreq);
  describe(field, "ach", reference.sums.ach, due.nfreq);
  describe(field, "magnitude_asx", reference.magnitude.asx, due.nfreq);
  describe(field, "magnitude_ach", reference.magnitude.ach, due.nfreq);
  if (field.reads() || due.nfreq_of_ties > 0) {
    describe(field, roofline::may_lack("ties_asx"), reference.ties.asx, due.nfreq_of_ties);
    describe(field, roofline::may_lack("ties_ach"), reference.ties.ach, due.nfreq_of_ties);
    field(roofline::may_lack("tied_terms"), reference.tied_terms, roofline::any_size);
  }
  field("original", due.original, "the original program's verdict");
}

/// Reads a record's values again.
template <class T>
T again(const Json& values) {
  if (!values.contains("asx")) return {};
  const nlohmann::json read = values;
  return roofline::read_facts<T>(JsonPlace(read, "", "a record's sums"));
}

// ---- Contradictions -----------------------------------------------------------------------------

/// The terms that follow from the dimensions.
long long terms_of(const InputRecord& input) {
  long long terms = std::max(1LL, input.dimension("states"));
  for (const char* name : {"ncouls", "ngpown", "nbands"})
    terms = roofline::saturating_product(terms, input.dimension(name));
  return roofline::saturating_product(terms, nfreq_of(input));
}

void require_count(const JsonPlace& list, int nfreq) {
  const std::size_t count = list.elements().size();
  if (count != static_cast<std::size_t>(nfreq))
    list.refuse(fmt::format("{} sums contradict {} frequencies", count, nfreq));
}

/// The recorded error is the largest of all runs; the recorded sums are those of one run.
void compare_check(const JsonPlace& place, const StudyRecord& study, const Result& result) {
  constexpr double same = 1e-6;  // machines may differ only in the order of operations
  const int nfreq = nfreq_of(study.input);
  const bool passed = result.status == Status::passed;
  const bool has_sums = result.answer.contains("asx") && !result.answer["asx"].empty();
  if (passed || has_sums)
    for (const char* key : {"asx", "ach"}) require_count(place[key], nfreq);
  if (!passed) return;
  const Check again =
      check(sums_of(result.answer), reference_of(study.reference), nfreq, result.check.tolerance);
  if (!again.passed)
    place.refuse(fmt::format("the sums contradict status 'passed': {}", again.reason));
  const double recorded = result.check.max_relative_error;
  if (recorded < again.max_relative_error * (1 - same))
    place["max_relative_error"].refuse(
        fmt::format("{:.10g} contradicts {:.10g}, which follows from the recorded sums and the "
                    "reference",
                    recorded, again.max_relative_error));
}

}  // namespace

// ---- Writing and reading ------------------------------------------------------------------------

Json complex_numbers(const Complex* values, int count) {
  Json list = Json::array();
  for (int i = 0; i < count; ++i)
    list.push_back({roofline::json_number(values[i].re), roofline::json_number(values[i].im)});
  return list;
}

InputRecord input_record(const std::string& path, const std::array<int, 5>& dimensions,
                         int states) {
  InputRecord record;
  record.path = roofline::visible(path);
  constexpr std::array names = {"ncouls", "ngpown", "nbands", "nstart", "nend"};
  for (std::size_t i = 0; i < names.size(); ++i) record.dimensions[names[i]] = dimensions[i];
  if (states > 1) record.dimensions["states"] = states;
  record.terms = terms_of(record);
  return record;
}

JsonObject answer_json(const Sums& sums, const Input& input) {
  return roofline::facts_json(Answer{sums, input.nfreq(), original_verdict(sums, input)});
}

ReferenceRecord reference_record(const Reference& reference, const Input& input) {
  ReferenceRecord record;
  record.values = roofline::facts_json(
      Due{reference, input.nfreq(), input.nfreq(), original_verdict(reference.sums, input)});
  record.disagreement = disagreement(reference, input);
  return record;
}

int nfreq_of(const InputRecord& input) {
  return static_cast<int>(input.dimension("nend") - input.dimension("nstart")) + 1;
}

Sums sums_of(const Json& answer) { return again<Answer>(answer).sums; }

Reference reference_of(const ReferenceRecord& record) {
  return again<Due>(record.values).reference;
}

std::optional<OriginalVerdict> original_of(const Json& values) {
  return again<Answer>(values).original;
}

JsonObject read_dimensions(const JsonPlace& input) {
  constexpr int most = std::numeric_limits<int>::max();
  Json dimensions = Json::object();
  for (const char* key : {"ncouls", "ngpown", "nbands"})
    dimensions[key] = input[key].small_integer(1, most);
  const int nstart = input["nstart"].small_integer();
  const int nend = input["nend"].small_integer();
  if (nstart < 1 || nend < nstart || nend > max_frequencies)
    input["nend"].refuse("frequencies must lie in 1..3");
  dimensions["nstart"] = nstart;
  dimensions["nend"] = nend;
  if (input.has("states")) dimensions["states"] = input["states"].small_integer(1);
  return dimensions;
}

JsonObject read_reference(const JsonPlace& reference) {
  return roofline::facts_json(roofline::read_facts<Due>(reference));
}

JsonObject read_answer(const JsonPlace& check) {
  if (!check.has("asx")) return {};  // the variant returned none
  return roofline::facts_json(roofline::read_facts<Answer>(check));
}

void refuse_contradictions_of_sums(const JsonPlace& root, const StudyRecord& study) {
  if (const long long due = terms_of(study.input); study.input.terms != due)
    root["input"]["terms"].refuse(
        fmt::format("{} contradicts the dimensions, which make {}", study.input.terms, due));
  for (const char* key : {"asx", "ach", "magnitude_asx", "magnitude_ach"})
    require_count(root["reference"][key], nfreq_of(study.input));
  const std::vector<JsonPlace> places = root["results"].elements();
  for (std::size_t i = 0; i < places.size(); ++i)
    compare_check(places[i]["check"], study, study.results[i]);
}

// ---- For people ---------------------------------------------------------------------------------

LeastWork least_work(const InputRecord& input, const Result& /*result*/) {
  // In every form, each triple of a band, a G' and a G needs its matrix element m = conj(aqsm)
  // aqsn, computed and added once: one complex multiply-add.
  constexpr double flop_per_triple = 8;
  const double triples = 1.0 * static_cast<double>(input.dimension("ncouls")) *
                         static_cast<double>(input.dimension("ngpown")) *
                         static_cast<double>(input.dimension("nbands"));
  const double flop = flop_per_triple * triples;
  return {
      flop, "fp64",
      fmt::format("{:.4g} triples of a band, a G' and a G vector need {:.3g} FP64 operations in "
                  "any form",
                  triples, flop)};
}

std::string describe_input(const InputRecord& input) {
  const int nfreq = nfreq_of(input);
  const long long states = input.dimension("states");
  return fmt::format("{} G x {} G' x {} bands x {} {}{} = {:.3e} terms", input.dimension("ncouls"),
                     input.dimension("ngpown"), input.dimension("nbands"), nfreq,
                     nfreq == 1 ? "frequency" : "frequencies",
                     states > 1 ? fmt::format(" x {} states", states) : "",
                     static_cast<double>(input.terms));
}

std::string describe_reference(const ReferenceRecord& reference) {
  const auto original = original_of(reference.values);
  if (!original) return "; the input brings none to hold it against";
  return fmt::format("; original program's verdict on it: {} (largest difference {:.1e} Ry)",
                     original->correct ? "correct" : "NOT within 1e-12", original->max_difference);
}

std::string original_cell(const Result& result) {
  const auto original = original_of(result.answer);
  if (!original) return "-";
  return original->correct ? "correct" : "off";
}

}  // namespace gpp
