#include "harness/record/record_json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "harness/record/activity.h"
#include "harness/record/contradictions.h"
#include "harness/record/ladder.h"
#include "harness/record/load_json.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/json.h"

namespace gpp {
namespace {

using roofline::json_number;
using roofline::JsonPlace;
namespace bounds = roofline::bounds;

// ---------------------------------------------------------------- writing

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

/// The keys of every kernel, and those that the kernel at hand adds.
Json with(const Json& added, Json json) {
  for (const auto& [key, value] : added.items()) json[key] = value;
  return json;
}

Json input_json(const InputRecord& input, const std::string& unit) {
  return with({{"terms", input.terms}, {"unit", unit}},
              with(input.dimensions, {{"path", input.path}, {"sha256", input.sha256}}));
}

Json reference_json(const ReferenceRecord& reference) {
  return with({{"seconds", reference.seconds},
               {"kept", reference.kept},
               {"disagreement", reference.disagreement}},
              reference.values);
}

Json check_json(const Kernel& kernel, const Result& result) {
  return with(result.answer.empty() ? kernel.no_answer : result.answer,
              {{"max_relative_error", json_number(result.check.max_relative_error)},
               {"tolerance", result.check.tolerance}});
}

/// Statistics stand only beside right results: a failed variant must not get onto a chart.
Json time_json(const Result& result) {
  const Timing timing = result.timing();
  const auto value = [&result](double x) {
    return result.timed() ? json_number(x) : Json(nullptr);
  };
  return {{"median", value(timing.median)},
          {"min", value(timing.min)},
          {"max", value(timing.max)},
          {"low", value(timing.low)},
          {"high", value(timing.high)},
          {"stop", name_of(result.stop)},
          {"samples", roofline::numbers_json(result.samples)}};
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
                    {"occupancy", json_number(launch.occupancy)}});
  return list;
}

Json clocks_json(const Clocks& clocks) {
  return {{"before", json_number(clocks.before)},
          {"after", json_number(clocks.after)},
          {"throttled_runs", clocks.throttled},
          {"samples", roofline::numbers_json(clocks.samples)}};
}

Json trace_json(const TraceRecord& trace) {
  return {{"part", trace.part},
          {"caches", trace.caches},
          {"calls", roofline::named_numbers(trace.calls)},
          {"reason", trace.reason}};
}

// ---------------------------------------------------------------- reading

TraceRecord read_trace(const JsonPlace& place) {
  return {place["part"].text(), place["caches"].text(), place["calls"].named_reals(bounds::count),
          place["reason"].text()};
}

Machine read_machine(const JsonPlace& place) {
  Machine machine;
  machine.host = place["host"].text(bounds::name_length);
  machine.cpu = place["cpu"].text(bounds::name_length);
  machine.cores = place["cores"].small_integer();
  machine.memory_bytes = place["memory_bytes"].integer(0, bounds::large);
  machine.driver = place["driver"].text();
  machine.os = place["os"].text();
  for (const JsonPlace& gpu : place["gpus"].elements(bounds::results))
    machine.gpus.push_back({gpu["name"].text(bounds::name_length), "gpu",
                            gpu["units"].small_integer(),
                            gpu["memory_bytes"].integer(0, bounds::large),
                            gpu["architecture"].text(), gpu["driver"].text()});
  read_processors(place, machine);
  return machine;
}

InputRecord read_input(const JsonPlace& place, const Kernel& kernel) {
  InputRecord input;
  input.path = place["path"].text();
  input.sha256 = place["sha256"].name_or_empty();
  input.terms = place["terms"].integer(1, bounds::large);
  input.dimensions = kernel.read_dimensions(place);
  return input;
}

ReferenceRecord read_reference(const JsonPlace& place, const Kernel& kernel) {
  ReferenceRecord reference;
  reference.values = kernel.read_reference(place);
  reference.seconds = place["seconds"].real(bounds::seconds);
  if (place.has("kept")) reference.kept = place["kept"].truth();
  if (place.has("disagreement")) reference.disagreement = place["disagreement"].text();
  return reference;
}

Status read_status(const JsonPlace& place) {
  for (const Status status : {Status::passed, Status::failed, Status::unavailable})
    if (place.text() == name_of(status)) return status;
  place.refuse("neither passed, failed nor unavailable");
}

Stop read_stop(const JsonPlace& place) {
  for (const Stop stop :
       {Stop::none, Stop::repeats, Stop::stable, Stop::most_samples, Stop::time_limit})
    if (place.text() == name_of(stop)) return stop;
  place.refuse("no such end of timing");
}

std::vector<Launch> read_launches(const JsonPlace& place) {
  std::vector<Launch> launches;
  for (const JsonPlace& launch : place.elements())
    launches.push_back(
        {launch["kernel"].text(), launch["blocks"].integer(0, bounds::large),
         launch["threads_per_block"].small_integer(), launch["registers"].small_integer(),
         launch["shared_bytes"].integer(0, bounds::large),
         launch["spill_bytes"].integer(0, bounds::large), launch["occupancy"].real(bounds::share)});
  return launches;
}

Clocks read_clocks(const JsonPlace& place) {
  return {place["before"].real(bounds::clock_mhz), place["after"].real(bounds::clock_mhz),
          place["samples"].reals(bounds::clock_mhz), place["throttled_runs"].small_integer()};
}

/// Of every precision. Records of before there were several hold one point at most.
std::vector<roofline::RooflinePoint> read_points(const JsonPlace& place) {
  const std::optional<roofline::RooflinePoint> leading = roofline::read_roofline(place["roofline"]);
  std::vector<roofline::RooflinePoint> points;
  if (leading) points.push_back(*leading);
  if (!place.has("rooflines")) return points;
  points = roofline::read_rooflines(place["rooflines"]);
  const std::string first = points.empty() ? "" : points.front().precision;
  if (first != (leading ? leading->precision : ""))
    place["roofline"].refuse("not the one of 'rooflines' with most operations");
  return points;
}

/// Everything derived (median, terms/s, speedup) is computed anew from the samples.
Result read_result(const JsonPlace& place, const Kernel& kernel) {
  Result result;
  result.variant = place["variant"].name();
  result.step = place["step"].name_or_empty();
  result.model = place["model"].name();
  result.kind = place["kind"].text();
  if (!result.kind.empty() && result.kind != "host" && result.kind != "gpu")
    place["kind"].refuse("neither host nor gpu");
  result.device = place["device"].text(bounds::name_length);
  if (place.has("preparation_s"))
    result.preparation_seconds = place["preparation_s"].real(bounds::seconds);
  result.status = read_status(place["status"]);
  result.reason = place["reason"].text();
  const JsonPlace check = place["check"];
  result.check.max_relative_error = check["max_relative_error"].real_or_null(bounds::not_negative);
  result.check.tolerance = check["tolerance"].real(bounds::not_negative);
  result.check.passed = result.status == Status::passed;
  result.answer = kernel.read_answer(check);
  result.samples = place["time_s"]["samples"].reals(bounds::run_seconds);
  result.stop = read_stop(place["time_s"]["stop"]);
  result.launches = read_launches(place["launch"]);
  result.clocks = read_clocks(place["clock_mhz"]);
  read_circumstances(place, result);
  result.counted = read_counted(place);
  // Records of before machine code was looked into have neither.
  if (place.has("code") && place["code"].has("samples"))
    result.code = roofline::read_hot_code(place["code"]);
  if (place.has("trace")) result.trace = read_trace(place["trace"]);
  if (place.has("lines")) result.lines = read_lines_record(place["lines"]);
  result.rooflines = read_points(place);
  if (place.has("kernels")) result.kernels = roofline::read_kernels(place["kernels"]);
  return result;
}

/// The ladder that was studied, by its name; empty where the record tells of none.
std::string read_ladder(const JsonPlace& root, const Kernel& kernel) {
  if (!root.has("ladder")) return {};
  const std::string name = root["ladder"]["name"].name();
  if (find_ladder(kernel, name) == nullptr)
    root["ladder"]["name"].refuse(fmt::format(
        "'{}' is no ladder of the kernel {} that this program knows", name, kernel.name));
  return name;
}

/// Records of before there were several kernels name none.
const Kernel& kernel_of_record(const nlohmann::json& json, std::string_view source) {
  const JsonPlace root(json, "", source);
  if (!root.has("kernel")) return *kernels().front();
  const std::string name = root["kernel"].name();
  if (const Kernel* kernel = find_kernel(name)) return *kernel;
  root["kernel"].refuse(fmt::format("'{}' is no kernel that this program knows", name));
}

}  // namespace

Json to_json(const StudyRecord& study, const Result& result) {
  const std::optional<double> gain = speedup(study, result);
  Json json = {
      {"variant", result.variant},
      {"step", result.step},
      {"model", result.model},
      {"kind", result.kind},
      {"device", result.device},
      {"parent", result.parent},
      {"threads", result.threads > 0 ? Json(result.threads) : Json(nullptr)},
      {"preparation_s", json_number(result.preparation_seconds)},
      {"status", name_of(result.status)},
      {"reason", result.reason},
      {"check", check_json(kernel_of(study), result)},
      {"time_s", time_json(result)},
      {"terms_per_s",
       result.timed() ? json_number(terms_per_second(study, result)) : Json(nullptr)},
      {"speedup", gain ? json_number(*gain) : Json(nullptr)},
      {"launch", launches_json(result.launches)},
      {"clock_mhz", clocks_json(result.clocks)},
      {"load", load_json(result)},
      {"counters", roofline::named_numbers(result.counted.counters)},
      {"metrics", roofline::named_numbers(result.counted.metrics)},
      {"counting", counting_json(result.counted)},
      {"code", result.kind == "host" ? roofline::hot_code_json(result.code) : Json::object()},
      {"trace", trace_json(result.trace)},
      {"roofline",
       result.roofline() ? roofline::roofline_json(*result.roofline()) : Json::object()},
      {"rooflines", roofline::rooflines_json(result.rooflines)},
      {"instruction_rooflines", roofline::rooflines_json(result.instructions)}};
  if (!result.kernels.empty())
    json["kernels"] = roofline::kernels_json(result.kernels, result.kind);
  if (result.lines) json["lines"] = to_json(*result.lines);
  return json;
}

Json to_json(const StudyRecord& study) {
  Json results = Json::array();
  for (const Result& result : study.results) results.push_back(to_json(study, result));
  Json json = {{"schema_version", schema_version}, {"kernel", study.kernel}};
  if (!study.ladder.empty()) json["ladder"] = ladder_json(study);
  json = with({{"created", study.created},
               {"complete", study.complete},
               {"git", {{"revision", study.git.revision}, {"dirty", study.git.dirty}}},
               {"machine", machine_json(study.machine)},
               {"build", {{"compilers", study.build.compilers}, {"flags", study.build.flags}}},
               {"input", input_json(study.input, kernel_of(study).work)},
               {"reference", reference_json(study.reference)},
               {"results", results},
               {"ceilings", roofline::ceilings_json(study.ceilings)}},
              json);
  if (study.scaling) json["scaling"] = to_json(*study.scaling);
  return roofline::with_visible_texts(json);
}

void require_version(const JsonPlace& root, std::string_view source) {
  const long long version = root["schema_version"].integer(0, bounds::small);
  if (version != schema_version)
    throw roofline::InputError(fmt::format(
        "{}: schema version {}, but this program reads version {}; use the program that wrote it",
        source, version, schema_version));
}

StudyRecord from_json(nlohmann::json json, std::string_view source) {
  const Kernel& kernel = kernel_of_record(json, source);
  if (kernel.modernise != nullptr) kernel.modernise(json);
  const JsonPlace root(json, "", source);
  require_version(root, source);
  StudyRecord study;
  study.kernel = kernel.name;
  study.ladder = read_ladder(root, kernel);
  study.created = root["created"].text(bounds::name_length);
  if (study.created.find_first_not_of("0123456789-:.+TZ") != std::string::npos)
    root["created"].refuse("not a date and time such as 2025-01-31T12:00:00Z");
  study.complete = !root.has("complete") || root["complete"].truth();
  study.git = {root["git"]["revision"].text(), root["git"]["dirty"].truth()};
  study.machine = read_machine(root["machine"]);
  study.build = {root["build"]["compilers"].texts(), root["build"]["flags"].texts()};
  study.input = read_input(root["input"], kernel);
  study.reference = read_reference(root["reference"], kernel);
  for (const JsonPlace& result : root["results"].elements(bounds::results))
    study.results.push_back(read_result(result, kernel));
  study.ceilings = roofline::read_ceilings(root["ceilings"]);
  if (root.has("scaling")) study.scaling = read_scaling(root["scaling"]);
  refuse_contradictions(root, study);
  // Records of before there were several precisions, or shared memory among the levels.
  const std::vector<JsonPlace> places = root["results"].elements();
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!places[i].has("rooflines")) place_on_roofline(study, study.results[i]);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (const auto& lines = study.results[i].lines;
        lines && lines->terms != 0 && lines->terms != study.input.terms)
      places[i]["lines"]["terms"].refuse(fmt::format("the input has {}", study.input.terms));
  for (Result& result : study.results) {
    place_instructions(study, result);
    place_kernels(study, result);
  }
  if (root.has("ladder")) refuse_wrong_ladder(root["ladder"], study);
  return study;
}

}  // namespace gpp
