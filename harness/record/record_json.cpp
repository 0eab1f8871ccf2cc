#include "harness/record/record_json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/record/contradictions.h"
#include "harness/record/load_json.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/json.h"

namespace gpp {
namespace {

using Json = nlohmann::ordered_json;

// ---------------------------------------------------------------- writing

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(roofline::json_number(value));
  return list;
}

/// [[re, im], ...] by frequency, nstart first.
Json complex_numbers(const Complex* values, int count) {
  Json list = Json::array();
  for (int i = 0; i < count; ++i)
    list.push_back({roofline::json_number(values[i].re), roofline::json_number(values[i].im)});
  return list;
}

Json device_json(const DeviceDescription& device) {
  return {{"name", device.name},
          {"architecture", device.architecture},
          {"units", device.units},
          {"memory_bytes", device.memory_bytes},
          {"driver", device.driver}};
}

Json machine_json(const Machine& machine) {
  Json gpus = Json::array();
  for (const DeviceDescription& gpu : machine.gpus) gpus.push_back(device_json(gpu));
  Json json = {{"host", machine.host},   {"cpu", machine.cpu},
               {"cores", machine.cores}, {"memory_bytes", machine.memory_bytes},
               {"gpus", gpus},           {"driver", machine.driver},
               {"os", machine.os}};
  add_processors(json, machine);
  return json;
}

Json input_json(const InputRecord& input) {
  return {{"path", input.path},     {"sha256", input.sha256}, {"ncouls", input.ncouls},
          {"ngpown", input.ngpown}, {"nbands", input.nbands}, {"nstart", input.nstart},
          {"nend", input.nend},     {"terms", input.terms}};
}

Json original_json(const std::optional<OriginalVerdict>& original) {
  if (!original) return nullptr;
  return {{"max_difference", roofline::json_number(original->max_difference)},
          {"tolerance", original_tolerance},
          {"correct", original->correct}};
}

Json reference_json(const ReferenceRecord& reference, int nfreq) {
  return {{"asx", complex_numbers(reference.values.sums.asx, nfreq)},
          {"ach", complex_numbers(reference.values.sums.ach, nfreq)},
          {"magnitude_asx", complex_numbers(reference.values.magnitude.asx, nfreq)},
          {"magnitude_ach", complex_numbers(reference.values.magnitude.ach, nfreq)},
          {"ties_asx", complex_numbers(reference.values.ties.asx, nfreq)},
          {"ties_ach", complex_numbers(reference.values.ties.ach, nfreq)},
          {"tied_terms", reference.values.tied_terms},
          {"seconds", reference.seconds},
          {"original", original_json(reference.original)},
          {"disagreement", reference.disagreement}};
}

Json check_json(const Result& result, int nfreq) {
  const int count = result.has_sums ? nfreq : 0;
  return {{"max_relative_error", roofline::json_number(result.check.max_relative_error)},
          {"tolerance", result.check.tolerance},
          {"asx", complex_numbers(result.sums.asx, count)},
          {"ach", complex_numbers(result.sums.ach, count)},
          {"original", original_json(result.original)}};
}

/// Statistics stand only beside right results: a failed variant must not get onto a chart.
Json time_json(const Result& result) {
  const Timing timing = result.timing();
  const auto value = [&result](double x) {
    return result.timed() ? roofline::json_number(x) : Json(nullptr);
  };
  return {{"median", value(timing.median)},    {"min", value(timing.min)},
          {"max", value(timing.max)},          {"low", value(timing.low)},
          {"high", value(timing.high)},        {"stop", name_of(result.stop)},
          {"samples", numbers(result.samples)}};
}

Json launches_json(const std::vector<Launch>& launches) {
  Json list = Json::array();
  for (const Launch& launch : launches)
    list.push_back({{"kernel", launch.kernel},
                    {"blocks", launch.blocks},
                    {"threads_per_block", launch.threads_per_block},
                    {"registers", launch.registers},
                    {"shared_bytes", launch.shared_bytes},
                    {"spill_bytes", launch.spill_bytes},
                    {"occupancy", roofline::json_number(launch.occupancy)}});
  return list;
}

Json clocks_json(const Clocks& clocks) {
  return {{"before", roofline::json_number(clocks.before)},
          {"after", roofline::json_number(clocks.after)},
          {"throttled_runs", clocks.throttled},
          {"samples", numbers(clocks.samples)}};
}

// ---------------------------------------------------------------- reading

Machine read_machine(const roofline::JsonPlace& place) {
  Machine machine;
  machine.host = place["host"].text(roofline::bounds::name_length);
  machine.cpu = place["cpu"].text(roofline::bounds::name_length);
  machine.cores = place["cores"].small_integer();
  machine.memory_bytes = place["memory_bytes"].integer(0, roofline::bounds::large);
  machine.driver = place["driver"].text();
  machine.os = place["os"].text();
  for (const roofline::JsonPlace& gpu : place["gpus"].elements(roofline::bounds::results))
    machine.gpus.push_back({gpu["name"].text(roofline::bounds::name_length), "gpu",
                            gpu["units"].small_integer(),
                            gpu["memory_bytes"].integer(0, roofline::bounds::large),
                            gpu["architecture"].text(), gpu["driver"].text()});
  read_processors(place, machine);
  return machine;
}

InputRecord read_input(const roofline::JsonPlace& place) {
  InputRecord input;
  input.path = place["path"].text();
  constexpr int most = std::numeric_limits<int>::max();
  input.sha256 = place["sha256"].name_or_empty();
  input.ncouls = place["ncouls"].small_integer(1, most);
  input.ngpown = place["ngpown"].small_integer(1, most);
  input.nbands = place["nbands"].small_integer(1, most);
  input.nstart = place["nstart"].small_integer();
  input.nend = place["nend"].small_integer();
  input.terms = place["terms"].integer(1, roofline::bounds::large);
  if (input.nstart < 1 || input.nend < input.nstart || input.nend > max_frequencies)
    place["nend"].refuse("frequencies must lie in 1..3");
  return input;
}

std::optional<OriginalVerdict> read_original(const roofline::JsonPlace& place) {
  if (place.is_null()) return std::nullopt;
  return OriginalVerdict{place["max_difference"].real_or_null(roofline::bounds::not_negative),
                         place["correct"].truth()};
}

ReferenceRecord read_reference(const roofline::JsonPlace& place) {
  ReferenceRecord reference;
  place["asx"].complex_numbers(reference.values.sums.asx);
  place["ach"].complex_numbers(reference.values.sums.ach);
  place["magnitude_asx"].complex_numbers(reference.values.magnitude.asx);
  place["magnitude_ach"].complex_numbers(reference.values.magnitude.ach);
  reference.seconds = place["seconds"].real(roofline::bounds::seconds);
  reference.original = read_original(place["original"]);
  if (place.has("disagreement")) reference.disagreement = place["disagreement"].text();
  if (!place.has("tied_terms")) return reference;  // older records know of no ties
  place["ties_asx"].complex_numbers(reference.values.ties.asx);
  place["ties_ach"].complex_numbers(reference.values.ties.ach);
  reference.values.tied_terms = place["tied_terms"].integer(0, roofline::bounds::large);
  return reference;
}

Status read_status(const roofline::JsonPlace& place) {
  for (const Status status : {Status::passed, Status::failed, Status::unavailable})
    if (place.text() == name_of(status)) return status;
  place.refuse("neither passed, failed nor unavailable");
}

Stop read_stop(const roofline::JsonPlace& place) {
  for (const Stop stop :
       {Stop::none, Stop::repeats, Stop::stable, Stop::most_samples, Stop::time_limit})
    if (place.text() == name_of(stop)) return stop;
  place.refuse("no such end of timing");
}

std::vector<Launch> read_launches(const roofline::JsonPlace& place) {
  std::vector<Launch> launches;
  for (const roofline::JsonPlace& launch : place.elements())
    launches.push_back(
        {launch["kernel"].text(), launch["blocks"].integer(0, roofline::bounds::large),
         launch["threads_per_block"].small_integer(), launch["registers"].small_integer(),
         launch["shared_bytes"].integer(0, roofline::bounds::large),
         launch["spill_bytes"].integer(0, roofline::bounds::large),
         launch["occupancy"].real(roofline::bounds::share)});
  return launches;
}

Clocks read_clocks(const roofline::JsonPlace& place) {
  return {place["before"].real(roofline::bounds::clock_mhz),
          place["after"].real(roofline::bounds::clock_mhz),
          place["samples"].reals(roofline::bounds::clock_mhz),
          place["throttled_runs"].small_integer()};
}

/// Everything derived (median, terms/s, speedup) is computed anew from the samples.
Result read_result(const roofline::JsonPlace& place) {
  Result result;
  result.variant = place["variant"].name();
  result.step = place["step"].name_or_empty();
  result.model = place["model"].name();
  result.kind = place["kind"].text();
  if (!result.kind.empty() && result.kind != "host" && result.kind != "gpu")
    place["kind"].refuse("neither host nor gpu");
  result.device = place["device"].text(roofline::bounds::name_length);
  result.status = read_status(place["status"]);
  result.reason = place["reason"].text();
  const roofline::JsonPlace check = place["check"];
  result.check.max_relative_error =
      check["max_relative_error"].real_or_null(roofline::bounds::not_negative);
  result.check.tolerance = check["tolerance"].real(roofline::bounds::not_negative);
  result.check.passed = result.status == Status::passed;
  result.has_sums = check["asx"].complex_numbers(result.sums.asx) > 0;
  check["ach"].complex_numbers(result.sums.ach);
  result.original = read_original(check["original"]);
  result.samples = place["time_s"]["samples"].reals(roofline::bounds::run_seconds);
  result.stop = read_stop(place["time_s"]["stop"]);
  result.launches = read_launches(place["launch"]);
  result.clocks = read_clocks(place["clock_mhz"]);
  read_circumstances(place, result);
  result.counted = read_counted(place);
  result.roofline = roofline::read_roofline(place["roofline"]);
  return result;
}

}  // namespace

Json to_json(const StudyRecord& study, const Result& result) {
  const std::optional<double> gain = speedup(study, result);
  return {{"variant", result.variant},
          {"step", result.step},
          {"model", result.model},
          {"kind", result.kind},
          {"device", result.device},
          {"parent", result.parent},
          {"threads", result.threads > 0 ? Json(result.threads) : Json(nullptr)},
          {"status", name_of(result.status)},
          {"reason", result.reason},
          {"check", check_json(result, study.input.nfreq())},
          {"time_s", time_json(result)},
          {"terms_per_s",
           result.timed() ? roofline::json_number(terms_per_second(study, result)) : Json(nullptr)},
          {"speedup", gain ? roofline::json_number(*gain) : Json(nullptr)},
          {"launch", launches_json(result.launches)},
          {"clock_mhz", clocks_json(result.clocks)},
          {"load", load_json(result)},
          {"counters", roofline::named_numbers(result.counted.counters)},
          {"metrics", roofline::named_numbers(result.counted.metrics)},
          {"counting", counting_json(result.counted)},
          {"roofline", roofline::roofline_json(result.roofline)}};
}

Json to_json(const StudyRecord& study) {
  Json results = Json::array();
  for (const Result& result : study.results) results.push_back(to_json(study, result));
  return roofline::with_visible_texts(
      {{"schema_version", schema_version},
       {"created", study.created},
       {"complete", study.complete},
       {"git", {{"revision", study.git.revision}, {"dirty", study.git.dirty}}},
       {"machine", machine_json(study.machine)},
       {"build", {{"compilers", study.build.compilers}, {"flags", study.build.flags}}},
       {"input", input_json(study.input)},
       {"reference", reference_json(study.reference, study.input.nfreq())},
       {"results", results},
       {"ceilings", roofline::ceilings_json(study.ceilings)}});
}

StudyRecord from_json(const nlohmann::json& json, std::string_view source) {
  const roofline::JsonPlace root(json, "", source);
  const long long version = root["schema_version"].integer(0, roofline::bounds::small);
  if (version != schema_version)
    throw roofline::InputError(fmt::format(
        "{}: schema version {}, but this program reads version {}; use the program that wrote it",
        source, version, schema_version));
  StudyRecord study;
  study.created = root["created"].text(roofline::bounds::name_length);
  if (study.created.find_first_not_of("0123456789-:.+TZ") != std::string::npos)
    root["created"].refuse("not a date and time such as 2025-01-31T12:00:00Z");
  study.complete = !root.has("complete") || root["complete"].truth();
  study.git = {root["git"]["revision"].text(), root["git"]["dirty"].truth()};
  study.machine = read_machine(root["machine"]);
  study.build = {root["build"]["compilers"].texts(), root["build"]["flags"].texts()};
  study.input = read_input(root["input"]);
  study.reference = read_reference(root["reference"]);
  for (const roofline::JsonPlace& result : root["results"].elements(roofline::bounds::results))
    study.results.push_back(read_result(result));
  study.ceilings = roofline::read_ceilings(root["ceilings"]);
  refuse_contradictions(root, study);
  return study;
}

}  // namespace gpp
