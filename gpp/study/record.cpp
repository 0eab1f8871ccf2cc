#include "gpp/study/record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "gpp/study/check.h"
#include "harness/view/rows.h"
#include "roofline/base/json_place.h"
#include "roofline/base/saturating.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"

namespace gpp {
namespace {

using roofline::json_number;
using roofline::JsonPlace;
namespace bounds = roofline::bounds;

// ---- Complex numbers ----------------------------------------------------------------------------

double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

/// Reads numbers back from a record; missing ones stay 0.
void read_numbers(const Json& values, const char* key, Complex* to) {
  if (!values.contains(key)) return;
  const Json& list = values.at(key);
  for (std::size_t i = 0; i < list.size() && i < max_frequencies; ++i)
    to[i] = {number_of(list[i][0]), number_of(list[i][1])};
}

/// Reads a list of complex numbers, and refuses one with impossible values.
Json read_complex(const JsonPlace& place) {
  const std::vector<JsonPlace> places = place.elements();
  if (places.size() > max_frequencies) place.refuse("more than 3 frequencies");
  Complex values[max_frequencies] = {};
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::vector<JsonPlace> parts = places[i].elements();
    if (parts.size() != 2) places[i].refuse("not a pair [real, imaginary]");
    values[i] = {parts[0].real_or_null(bounds::finite), parts[1].real_or_null(bounds::finite)};
  }
  return complex_numbers(values, static_cast<int>(places.size()));
}

/// A reference's sums by their keys; older records have no ties.
template <class AnyReference, class Visit>
void for_each_sum(AnyReference& reference, const Visit& visit) {
  visit("asx", reference.sums.asx);
  visit("ach", reference.sums.ach);
  visit("magnitude_asx", reference.magnitude.asx);
  visit("magnitude_ach", reference.magnitude.ach);
  visit("ties_asx", reference.ties.asx);
  visit("ties_ach", reference.ties.ach);
}

// ---- The original's verdict ---------------------------------------------------------------------

Json original_json(const std::optional<OriginalVerdict>& original) {
  if (!original) return nullptr;
  return {{"max_difference", json_number(original->max_difference)},
          {"tolerance", original_tolerance},
          {"correct", original->correct}};
}

Json read_original(const JsonPlace& place) {
  if (place.is_null()) return nullptr;
  return original_json(OriginalVerdict{place["max_difference"].real_or_null(bounds::not_negative),
                                       place["correct"].truth()});
}

// ---- Contradictions -----------------------------------------------------------------------------

void compare_terms(const JsonPlace& place, const InputRecord& input) {
  const auto size = [&input](const char* name) { return input.dimension(name); };
  const long long states = std::max(1LL, size("states"));
  const long long due = roofline::saturating_product(
      states,
      roofline::saturating_product(roofline::saturating_product(size("ncouls"), size("ngpown")),
                                   roofline::saturating_product(size("nbands"), nfreq_of(input))));
  if (input.terms != due)
    place["terms"].refuse(fmt::format(
        "{} contradicts ncouls x ngpown x nbands x frequencies x states = {} x {} x {} x {} x {} = "
        "{}",
        input.terms, size("ncouls"), size("ngpown"), size("nbands"), nfreq_of(input), states, due));
}

void require_count(const JsonPlace& list, int nfreq) {
  const std::size_t count = list.elements().size();
  if (count != static_cast<std::size_t>(nfreq))
    list.refuse(fmt::format("{} sums contradict {} frequencies", count, nfreq));
}

void compare_original(const JsonPlace& place, const std::optional<OriginalVerdict>& original) {
  if (!original || !original->correct || original->max_difference < original_tolerance) return;
  place["correct"].refuse(
      fmt::format("true contradicts the largest difference of {:.4g} above {:g}",
                  original->max_difference, original_tolerance));
}

/// The recorded error is the largest of all runs; the recorded sums are those of one run.
void compare_check(const JsonPlace& place, const StudyRecord& study, const Result& result) {
  constexpr double same = 1e-6;  // machines may differ only in the order of operations
  const int nfreq = nfreq_of(study.input);
  const bool passed = result.status == Status::passed;
  const bool has_sums = result.answer.contains("asx") && !result.answer["asx"].empty();
  if (passed || has_sums)
    for (const char* key : {"asx", "ach"}) require_count(place[key], nfreq);
  compare_original(place["original"], original_of(result.answer));
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

// ---- Writing ------------------------------------------------------------------------------------

Json complex_numbers(const Complex* values, int count) {
  Json list = Json::array();
  for (int i = 0; i < count; ++i)
    list.push_back({json_number(values[i].re), json_number(values[i].im)});
  return list;
}

JsonObject answer_json(const Sums& sums, const Input& input) {
  return Json({{"asx", complex_numbers(sums.asx, input.nfreq())},
               {"ach", complex_numbers(sums.ach, input.nfreq())},
               {"original", original_json(original_verdict(sums, input))}});
}

ReferenceRecord reference_record(const Reference& reference, const Input& input) {
  ReferenceRecord record;
  for_each_sum(reference, [&](const char* key, const Complex* values) {
    record.values[key] = complex_numbers(values, input.nfreq());
  });
  record.values["tied_terms"] = reference.tied_terms;
  record.values["original"] = original_json(original_verdict(reference.sums, input));
  record.disagreement = disagreement(reference, input);
  return record;
}

// ---- Reading ------------------------------------------------------------------------------------

namespace {

long long tied_terms_of(const ReferenceRecord& record) {
  return static_cast<const Json&>(record.values).value("tied_terms", 0LL);
}

}  // namespace

int nfreq_of(const InputRecord& input) {
  return static_cast<int>(input.dimension("nend") - input.dimension("nstart")) + 1;
}

Sums sums_of(const Json& answer) {
  Sums sums{};
  read_numbers(answer, "asx", sums.asx);
  read_numbers(answer, "ach", sums.ach);
  return sums;
}

Reference reference_of(const ReferenceRecord& record) {
  Reference reference;
  for_each_sum(reference, [&record](const char* key, Complex* values) {
    read_numbers(record.values, key, values);
  });
  reference.tied_terms = tied_terms_of(record);
  return reference;
}

std::optional<OriginalVerdict> original_of(const Json& values) {
  if (!values.contains("original") || values.at("original").is_null()) return std::nullopt;
  const Json& original = values.at("original");
  return OriginalVerdict{number_of(original.at("max_difference")),
                         original.at("correct").get<bool>()};
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
  Json values = Json::object();
  for (const char* key : {"asx", "ach", "magnitude_asx", "magnitude_ach"})
    values[key] = read_complex(reference[key]);
  if (reference.has("tied_terms")) {  // older records have no ties
    for (const char* key : {"ties_asx", "ties_ach"}) values[key] = read_complex(reference[key]);
    values["tied_terms"] = reference["tied_terms"].integer(0, bounds::large);
  }
  values["original"] = read_original(reference["original"]);
  return values;
}

JsonObject read_answer(const JsonPlace& check) {
  return Json({{"asx", read_complex(check["asx"])},
               {"ach", read_complex(check["ach"])},
               {"original", read_original(check["original"])}});
}

void refuse_contradictions_of_sums(const JsonPlace& root, const StudyRecord& study) {
  compare_terms(root["input"], study.input);
  for (const char* key : {"asx", "ach", "magnitude_asx", "magnitude_ach"})
    require_count(root["reference"][key], nfreq_of(study.input));
  compare_original(root["reference"]["original"], original_of(study.reference.values));
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

std::string describe_answer(const StudyRecord& study, const Result& result) {
  if (!result.answer.contains("asx") || result.answer["asx"].empty()) return {};
  using enum roofline::Align;
  roofline::Table table = roofline::plain_table(
      {{"", left}, {"frequency", right}, {"real (Ry)", right}, {"imaginary (Ry)", right}});
  const Sums sums = sums_of(result.answer);
  const auto rows = [&](const char* name, const Complex* values) {
    for (int iw = 0; iw < nfreq_of(study.input); ++iw)
      table.add({name, std::to_string(study.input.dimension("nstart") + iw),
                 fmt::format("{:.16e}", values[iw].re), fmt::format("{:.16e}", values[iw].im)});
  };
  rows("asx", sums.asx);
  rows("ach", sums.ach);
  return roofline::terminal_text(table);
}

std::string remarks(const StudyRecord& study) {
  const long long tied = tied_terms_of(study.reference);
  if (tied == 0) return {};
  return roofline::paragraph(
      fmt::format("{} {} on a limit of the definition to within rounding (a branch or the "
                  "cutoff): whether they count is decided by the last bit. The check allows "
                  "for them.",
                  tied, tied == 1 ? "term lies" : "terms lie"));
}

std::string original_cell(const Result& result) {
  const auto original = original_of(result.answer);
  if (!original) return "-";
  return original->correct ? "correct" : "off";
}

}  // namespace gpp
