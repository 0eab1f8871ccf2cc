#include "harness/record/record_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/record/derive.h"
#include "harness/record/ladder.h"
#include "roofline/base/files.h"
#include "roofline/base/json_place.h"
#include "roofline/base/text.h"
#include "roofline/json.h"
#include "roofline/record/facts.h"

namespace gpp {

using roofline::a_name;
using roofline::any_size;
using roofline::any_text;
using roofline::Choice;
using roofline::Fields;
using roofline::json_number;
using roofline::JsonPlace;
using roofline::may_lack;
using roofline::name_or_empty;
using roofline::OrNull;
using roofline::short_text;
using roofline::Whole;
namespace bounds = roofline::bounds;

// ---- Facts --------------------------------------------------------------------------------------

void fields(Fields& field, DeviceDescription& gpu) {
  field("name", gpu.name, short_text);
  field("architecture", gpu.architecture, any_text);
  field("units", gpu.units, Whole{}, "multiprocessors");
  field("memory_bytes", gpu.memory_bytes, any_size);
  field("driver", gpu.driver, any_text);
  if (field.reads()) gpu.kind = "gpu";
}

void fields(Fields& field, Machine& machine) {
  field("host", machine.host, short_text);
  field("cpu", machine.cpu, short_text);
  field("cores", machine.cores, Whole{}, "that the program could use");
  field("memory_bytes", machine.memory_bytes, any_size);
  field("gpus", machine.gpus, roofline::List<roofline::NoRule>{{}, bounds::results});
  field("driver", machine.driver, any_text, "of the GPUs; empty where there are none");
  field("os", machine.os, any_text, "distribution and kernel");
  field("affinity", machine.affinity, any_text,
        "processors that the program could use, as 0-3,8; empty: not known");
  field("online_cores", machine.online_cores, Whole{}, "of the whole machine; 0: not known");
  field("load_average", machine.load_average, roofline::Bounds{0, 1e9},
        "of the minute before the study");
  field("governor", machine.governor, any_text, "who sets the processors' clock; empty: not known");
  if (field.reads() || !machine.environment.empty())
    field(may_lack("environment"), machine.environment,
          roofline::Named<roofline::Text>{any_text, bounds::results},
          "variables that put other code into a program or change its threads or devices, where "
          "any was set: LD_PRELOAD, OMP_NUM_THREADS, ...");
  if (field.reads() && machine.affinity.find_first_not_of("0123456789,-") != std::string::npos)
    field.refuse("affinity", "not a list of processors");
}

void fields(Fields& field, Launch& launch) {
  field("kernel", launch.kernel, any_text);
  field("blocks", launch.blocks, any_size);
  field("threads_per_block", launch.threads_per_block, Whole{});
  field("registers", launch.registers, Whole{}, "per thread");
  field("shared_bytes", launch.shared_bytes, any_size, "per block");
  field("spill_bytes", launch.spill_bytes, any_size, "per thread");
  field("occupancy", launch.occupancy, bounds::share);
}

void fields(Fields& field, Clocks& clocks) {
  field("before", clocks.before, bounds::clock_mhz, "0: not known");
  field("after", clocks.after, bounds::clock_mhz);
  field("throttled_runs", clocks.throttled, Whole{}, "whose clock was far below the study's best");
  field("samples", clocks.samples, bounds::clock_mhz,
        "of each timed run: of a GPU under CUDA during it, by its cycles; else right after it");
  if (field.reads() || !clocks.limited.empty())
    field(may_lack("limited_runs"), clocks.limited,
          roofline::Named<Whole>{Whole{}, bounds::results},
          "timed runs whose clock was more than 2% below the study's best, by what held it back as "
          "the driver tells: power, heat or hardware");
  if (!field.reads()) return;
  const auto refuse_more = [&](const char* key, int runs) {
    if (static_cast<std::size_t>(runs) > clocks.samples.size())
      field.refuse(key, fmt::format("{} contradicts {} clocks read", runs, clocks.samples.size()));
  };
  for (const auto& [what, runs] : clocks.limited) refuse_more("limited_runs", runs);
  refuse_more("throttled_runs", clocks.throttled);
}

void fields(Fields& field, EnergyRecord& energy) {
  field("reason", energy.reason, any_text, "why it is not known, then without what follows");
  if (field.writes() && !energy.known()) return;
  field(may_lack("joules"), energy.used.joules, bounds::not_negative,
        "from a move of the device's counter to a later one");
  field(may_lack("seconds"), energy.used.seconds, bounds::seconds, "between these two");
  field(may_lack("updates"), energy.used.updates, Whole{}, "moves of the counter, after the first");
  field(may_lack("runs"), energy.runs, Whole{0, std::numeric_limits<int>::max()}, "back to back");
  field(may_lack("run_s"), energy.run_seconds, bounds::seconds,
        "of one of them, with what the host does between two");
  field(may_lack("clock_mhz"), energy.clock_mhz, bounds::clock_mhz, "mean; 0: not known");
  field(may_lack("idle_watts"), energy.idle_watts, bounds::not_negative, "while nothing ran");
  field(may_lack("celsius"), energy.celsius, roofline::Bounds{-273, 1000}, "at the end");
  field(may_lack("limits"), energy.limits, roofline::List<roofline::Text>{a_name, bounds::results},
        "what held the clock back at the end: power, heat or hardware");
  if (field.reads() && energy.reason.empty() && !energy.known())
    field.refuse("joules", "missing, without a reason");
}

namespace {

/// The load of each timed run, as a list for each kind of share.
void load_fields(Fields& field, Result& result) {
  if (field.writes() && result.load.empty()) return;
  const auto add = [&](const char* name, double LoadShare::*share, const char* meaning) {
    std::optional<std::vector<double>> shares;
    const bool known = std::ranges::any_of(
        result.load, [share](const LoadShare& one) { return std::isfinite(one.*share); });
    if (field.writes() && (known || share != &LoadShare::gpu)) shares.emplace();
    for (const LoadShare& one : result.load)
      if (shares) shares->push_back(one.*share);
    field(name, shares, OrNull{bounds::share}, meaning);
    if (!field.reads() || !shares) return;
    if (shares->size() != result.samples.size())
      field.refuse(
          name, fmt::format("{} shares of {} timed runs", shares->size(), result.samples.size()));
    result.load.resize(shares->size());
    for (std::size_t i = 0; i < shares->size(); ++i)  // null: nobody knows
      result.load[i].*share = std::isfinite((*shares)[i]) ? (*shares)[i] : std::nan("");
  };
  field.group(
      may_lack("load"),
      [&] {
        add("others", &LoadShare::others, "other programs");
        add("steal", &LoadShare::steal, "the machine below a virtual one");
        add("gpu", &LoadShare::gpu, "other programs, of the time of the GPU");
      },
      "what others took of the processor during each timed run, as shares of all cores that the "
      "program could use; missing where it was not measured");
}

/// The fields that only the current kernel knows; `read` may be null if it has none.
void kernel_fields(Fields& field, JsonObject& values, JsonObject (*read)(const JsonPlace&)) {
  field.others(values, [read](const JsonPlace& place) {
    return read == nullptr ? Json::object() : read(place);
  });
}

void check_fields(Fields& field, Result& result, const Kernel& kernel) {
  Check& check = result.check;
  field("max_relative_error", check.max_relative_error, OrNull{bounds::not_negative},
        "of the worst run; null: infinite");
  field("tolerance", check.tolerance, bounds::not_negative);
  kernel_fields(field, result.answer, kernel.read_answer);
  if (!field.reads()) return;
  check.passed = result.status == Status::passed;
  if (check.passed && !(check.max_relative_error <= check.tolerance))
    field.refuse("max_relative_error",
                 fmt::format("{:.4g} contradicts status 'passed' with a tolerance of {:.4g}",
                             check.max_relative_error, check.tolerance));
}

void result_fields(Fields& field, Result& result, const StudyRecord& study, const Kernel& kernel) {
  field("variant", result.variant, roofline::a_name);
  field("step", result.step, name_or_empty);
  field("model", result.model, roofline::a_name);
  field("kind", result.kind, Choice{{"host", "gpu", ""}}, "where it ran; empty: nowhere");
  field("device", result.device, short_text, "its own name");
  field("parent", result.parent, name_or_empty,
        "the variant that it was made from, or the step before it; empty: none");
  std::optional<int> threads;
  if (result.threads > 0) threads = result.threads;
  field("threads", threads, Whole{}, "of the host; null on a GPU, or not known");
  if (field.reads()) result.threads = threads.value_or(0);
  field("preparation_s", result.preparation_seconds, bounds::seconds,
        "that preparing the input for this variant alone took, once, and in none of the times");
  field("status", result.status, Choice{{"passed", "failed", "unavailable"}});
  field("reason", result.reason, any_text, "empty where it passed");
  field.group("check", [&] { check_fields(field, result, kernel); });
  field.group("time_s", [&] {
    field("stop", result.stop, Choice{{"", "repeats", "stable", "most samples", "time limit"}},
          "why timing ended");
    field("samples", result.samples, bounds::run_seconds, "of each timed run, as they came");
  });
  field("launch", result.launches, "of each kernel");
  field("clock_mhz", result.clocks, "of the compute units");
  field("energy", result.energy, roofline::NoRule{},
        "of the device, in a phase of its own in which the variant ran back to back (--energy)");
  load_fields(field, result);
  fields(field, result.counted);
  std::optional<roofline::InstructionMix> code;
  if (result.kind == "host") code = result.code;
  field("code", code, roofline::NoRule{}, "what the compiler made of a host's variant");
  if (field.reads() || !result.sources.empty())
    field(may_lack("sources"), result.sources, roofline::lines_of_files,
          "of a plug-in: lines of its files, as they were; missing of a variant of the tree");
  field("lines", result.lines, roofline::NoRule{}, "evidence per source line (gpp lines)");
  if (!field.reads()) return;
  result.code = code.value_or(roofline::InstructionMix());
  if (result.lines && result.lines->terms != 0 && result.lines->terms != study.input.terms)
    field.refuse("lines", fmt::format("terms: the input has {}", study.input.terms));
}

const Kernel& kernel_field(Fields& field, StudyRecord& study) {
  field("kernel", study.kernel, roofline::a_name, "that was studied");
  const Kernel* kernel = find_kernel(study.kernel);
  if (kernel == nullptr) field.refuse("kernel", shown_elsewhere(study.kernel));
  return *kernel;
}

void ladder_field(Fields& field, StudyRecord& study, const Kernel& kernel) {
  if (field.writes() && study.ladder.empty()) return;
  field.group(
      may_lack("ladder"),
      [&] {
        field("name", study.ladder, roofline::a_name);
        if (field.reads() && find_ladder(kernel, study.ladder) == nullptr)
          field.refuse("name",
                       fmt::format("'{}' is no ladder of the kernel {} that this program knows",
                                   study.ladder, kernel.name));
      },
      "the published ladder whose steps were studied; missing: none");
}

}  // namespace

void fields(Fields& field, JudgeLayer& layer) {
  field("name", layer.name, a_name);
  field("lacked", layer.lacked, any_text, "why it was not in force; empty where it held");
}

void fields(Fields& field, JudgeRecord& judge) {
  field("team", judge.team, short_text);
  field("source_sha256", judge.source_sha256, name_or_empty,
        "of the submission's file; empty for a step of the tree");
  field("library_sha256", judge.library_sha256, name_or_empty, "of what the compiler made of it");
  field("layers", judge.layers, roofline::List<roofline::NoRule>{{}, bounds::results},
        "of the sandbox");
  field("round_trip_s", judge.round_trip_seconds, bounds::seconds,
        "of an empty variant by the referee's clock: it is part of every time");
  field("problems_per_go", judge.problems_per_go, Whole{1, bounds::small},
        "drawn before each \"go\"; a time is the total over them");
  field("key", judge.key, name_or_empty, "the fingerprint of the judge's");
  field("signature", judge.signature, name_or_empty, "HMAC-SHA256 of the record without it");
}

void fields(Fields& field, StudyRecord& study) {
  int version = schema_version;
  field("schema_version", version, Whole{schema_version, schema_version});
  const Kernel& kernel = kernel_field(field, study);
  ladder_field(field, study, kernel);
  roofline::date_field(field, study.created, "start of the study, ISO 8601, UTC");
  field("complete", study.complete,
        "false: the study was interrupted or killed, or is still under way");
  field.group("git", [&] {
    field("revision", study.git.revision, any_text);
    field("dirty", study.git.dirty, "something in the source tree was not committed");
  });
  field("machine", study.machine);
  field.group("build", [&] {
    field("compilers", study.build.compilers, any_text, "by language");
    field("flags", study.build.flags, any_text, "by language");
  });
  field.group("input", [&] {
    field("path", study.input.path, any_text, "of the file, or preset and seed");
    field("sha256", study.input.sha256, name_or_empty,
          "of the file; of inputs that are no file: what tells them apart");
    field("terms", study.input.terms, Whole{1, bounds::large},
          "pieces of work, which speed counts");
    kernel_fields(field, study.input.dimensions, kernel.read_dimensions);
  });
  field.group("reference", [&] {
    field("seconds", study.reference.seconds, bounds::seconds,
          "to compute it, in this run or in the one that kept it");
    field("kept", study.reference.kept, "it was read from where an earlier run kept it");
    field("disagreement", study.reference.disagreement, any_text,
          "with the reference that the input carries");
    kernel_fields(field, study.reference.values, kernel.read_reference);
  });
  field.list<Result>("results", study.results, bounds::results,
                     [&](Result& result) { result_fields(field, result, study, kernel); });
  ceilings_field(field, study.ceilings);
  field("scaling", study.scaling, roofline::NoRule{},
        "of a calculation that many ranks shared (gpp scale)");
  field("judge", study.judge, roofline::NoRule{}, "of a study that a referee made (gpp judge)");
}

// ---- What follows from facts --------------------------------------------------------------------

namespace {

/// Statistics are written only for correct results: a failed variant must not get onto a chart.
void add_times(const StudyRecord& study, const Result& result, Json& json) {
  const Timing timing = result.timing();
  const auto value = [&result](double x) {
    return result.timed() ? json_number(x) : Json(nullptr);
  };
  json["time_s"].update({{"median", value(timing.median)},
                         {"min", value(timing.min)},
                         {"max", value(timing.max)},
                         {"low", value(timing.low)},
                         {"high", value(timing.high)}});
  json["terms_per_s"] = value(terms_per_second(study, result));
  json["speedup"] = json_number(speedup(study, result));
  if (const auto joules = joules_per_billion(study, result))
    json["energy"].update({{"watts", result.energy->watts()},
                           {"joules_per_run", result.energy->joules_per_run()},
                           {"joules_per_1e9", *joules}});
  if (result.load.empty()) return;
  const std::vector<bool> disturbed = result.disturbed_runs();
  json["load"]["disturbed_runs"] = std::ranges::count(disturbed, true);
  json["load"]["disturbed"] = result.trusted().disturbed;
}

}  // namespace

Json to_json(const StudyRecord& study, const Result& result) {
  Json json = roofline::written([&](Fields& field) {
    result_fields(field, const_cast<Result&>(result), study, kernel_of(study));
  });
  add_times(study, result, json);
  json["metrics"] = roofline::named_numbers(result.counted.metrics);
  json["roofline"] =
      result.roofline() ? roofline::roofline_json(*result.roofline()) : Json::object();
  json["rooflines"] = roofline::rooflines_json(result.rooflines);
  json["instruction_rooflines"] = roofline::rooflines_json(result.instructions);
  json.erase("kernels");
  if (!result.kernels.empty())
    json["kernels"] = roofline::kernels_json(result.kernels, result.kind);
  if (result.lines) json["lines"] = to_json(*result.lines);
  return json;
}

Json to_json(const StudyRecord& study) {
  Json json = roofline::facts_json(study);
  json["input"]["unit"] = kernel_of(study).work;
  if (!study.ladder.empty()) json["ladder"] = ladder_json(study);
  for (std::size_t i = 0; i < study.results.size(); ++i)
    json["results"][i] = to_json(study, study.results[i]);
  if (study.scaling) json["scaling"] = to_json(*study.scaling);
  return json;
}

// ---- Reading ------------------------------------------------------------------------------------

void refuse_contradictions(const JsonPlace& root, const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  if (kernel.refuse_contradictions != nullptr) kernel.refuse_contradictions(root, study);
  for (std::size_t i = 0; i < study.results.size(); ++i)
    if (const auto why = impossible_time(study, study.results[i]))
      root["results"].element(i)["time_s"]["samples"].refuse(*why);
}

void require_version(const JsonPlace& record) {
  const JsonPlace place = record["schema_version"];
  const long long version = place.integer(0, bounds::small);
  if (version == schema_version) return;
  place.refuse(fmt::format("{}, and this program reads {}: {}", version, schema_version,
                           version < schema_version
                               ? "gpp_records of revision 1551ee35 upgrades the record"
                               : "use the program that wrote it"));
}

StudyRecord parse_record(const std::string& text, const std::string& source) {
  const nlohmann::json json = roofline::json_in(text, source, "was it made by `gpp study`?");
  const JsonPlace root(json, "", source);
  require_version(root);
  StudyRecord study = roofline::read_facts<StudyRecord>(root);
  refuse_contradictions(root, study);
  derive(study);
  return study;
}

}  // namespace gpp
