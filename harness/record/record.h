// The record of a study, with everything needed to trust its numbers. Its facts are written as
// study.json for other programs: record_json.cpp defines it, results/README.md explains it. All
// other values are derived from these facts (derive.h).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel.h"
#include "harness/record/scaling.h"
#include "harness/record/timing.h"
#include "roofline/ceilings.h"
#include "roofline/counting.h"
#include "roofline/energy.h"
#include "roofline/machine_code/instruction_mix.h"
#include "roofline/points.h"
#include "roofline/profile.h"
#include "roofline/record/lines.h"

namespace gpp {

using roofline::LinesRecord;

inline constexpr int schema_version = 2;

struct GitState {
  std::string revision;  ///< 40 hexadecimal digits, or "unknown"
  bool dirty = false;    ///< true if the tree had uncommitted changes, or if unknown
};

struct Machine {
  std::string host;
  std::string cpu;
  int cores = 0;  ///< cores that this process may use
  long long memory_bytes = 0;
  std::vector<DeviceDescription> gpus;
  std::string driver;  ///< driver of the GPUs; empty without GPUs
  std::string os;      ///< distribution and kernel version
  // These are empty or 0 if unreadable:
  std::string affinity = {};                ///< processors that this process may use: "0-3,8"
  int online_cores = 0;                     ///< cores of the whole machine
  std::optional<double> load_average = {};  ///< average load in the minute before the study
  std::string governor = {};                ///< frequency governor, such as "performance"
  /// Environment variables that load other code into a program or change its threads, devices or
  /// clocks, by name, as far as they were set (provenance.h).
  std::map<std::string, std::string> environment = {};
};

struct BuildRecord {
  std::map<std::string, std::string> compilers;  ///< compiler versions: "c++", "cuda"
  std::map<std::string, std::string> flags;      ///< compiler flags by language
};

/// The clock of the compute units, MHz; 0 if unreadable.
struct Clocks {
  double before = 0;
  double after = 0;
  std::vector<double> samples;  ///< clock during or right after each timed run
  int throttled = 0;            ///< number of runs with a low clock (count_throttled)
  /// The number of timed runs with a low clock, by the name of the limit (roofline/nvml.h).
  std::map<std::string, int> limited = {};
};

/// The energy that the device used while a variant ran repeatedly, in a separate phase.
struct EnergyRecord {
  roofline::EnergyUsed used = {};
  int runs = 0;                          ///< number of runs in sequence
  double run_seconds = 0;                ///< time per run, host work included
  double clock_mhz = 0;                  ///< mean clock; 0 if unreadable
  double idle_watts = 0;                 ///< power of the idle device before the phase
  std::optional<double> celsius = {};    ///< temperature at the end, Celsius
  std::vector<std::string> limits = {};  ///< what limited the clock at the end (roofline/nvml.h)
  std::string reason = {};               ///< reason if it was not measured

  bool known() const { return reason.empty() && used.seconds > 0 && run_seconds > 0; }
  double watts() const { return used.watts(); }
  double joules_per_run() const { return watts() * run_seconds; }
};

enum class Status { passed, failed, unavailable };

/// One variant of one model.
struct Result {
  std::string variant;  ///< "v7"
  std::string step;     ///< "reciprocal"
  std::string model;    ///< "cuda", "omp", ...
  std::string kind;     ///< "host" or "gpu"; empty if it did not run
  std::string device;   ///< the device's own name
  Status status = Status::unavailable;
  std::string reason;  ///< why it did not pass; empty if it did
  Check check;
  JsonObject answer;   ///< answer of the first run, in the kernel's format
  std::string parent;  ///< the variant it was made from, or the previous step; empty: unknown
  /// The untimed seconds of preparation for this variant alone; 0 if it needs none.
  double preparation_seconds = 0;
  int threads = 0;              ///< usable threads of the host; 0: a GPU, or unknown
  std::vector<double> samples;  ///< seconds of each timed run, in order
  std::vector<LoadShare> load;  ///< load during each timed run; empty if not measured
  Stop stop = Stop::none;
  std::vector<Launch> launches;
  Clocks clocks;
  std::optional<EnergyRecord> energy;  ///< its energy, if requested
  roofline::Counted counted;
  roofline::InstructionMix code;  ///< instructions that a compiler made of host code
  /// The sources of a plug-in as lines, by name: "my_idea/my_idea.cpp". The first is the variant's.
  std::map<std::string, std::vector<std::string>> sources = {};
  std::optional<LinesRecord> lines;                ///< lines of a GPU's variant, if requested
  std::vector<roofline::RooflinePoint> rooflines;  ///< by precision, most operations first

  std::vector<roofline::RooflinePoint> instructions;  ///< instruction points; derived
  /// The counted work of each kernel in a run, longest first. Their seconds divide the median in
  /// proportion to the hardware's durations.
  std::vector<roofline::KernelProfile> kernels;

  /// The point of the precision with most operations; nullptr without points.
  const roofline::RooflinePoint* roofline() const {
    return rooflines.empty() ? nullptr : &rooflines.front();
  }

  /// The share of the device that others took in each timed run; NaN if unknown.
  std::vector<double> taken_in_runs() const;
  /// Marks timed runs that others disturbed, or may have: if the load is known for other runs, a
  /// run with unknown load counts as disturbed.
  std::vector<bool> disturbed_runs() const;
  /// The mean share of the device that others took, over runs where it is known.
  std::optional<double> taken() const;
  /// The samples that are used.
  Trusted trusted() const { return gpp::trusted(samples, disturbed_runs()); }
  Timing timing() const { return summarize(trusted().samples); }
  /// True if that cause ("power", "heat", "hardware") limited the clock in most timed runs.
  bool limited_by(const std::string& what) const;
  /// Clock cycles of a timed run, by the medians of time and clock; empty if unknown.
  std::optional<double> cycles() const;
  /// A value of its energy record, if known: energy_told(&EnergyRecord::watts).
  std::optional<double> energy_told(double (EnergyRecord::*fact)() const) const;
  /// True if passed and timed, and so comparable with others.
  bool timed() const { return status == Status::passed && !samples.empty(); }
};

/// A protection layer that confines a submission.
struct JudgeLayer {
  std::string name;    ///< "seccomp"
  std::string lacked;  ///< reason why it was not active; empty if it was
};

/// The part of a record that `gpp judge` adds.
struct JudgeRecord {
  std::string team;
  std::string source_sha256 = {};   ///< hash of the submission; empty for a step of the tree
  std::string library_sha256 = {};  ///< hash of the compiled library
  std::vector<JudgeLayer> layers = {};
  double round_trip_seconds = 0;  ///< time of an empty variant, included in every time
  int problems_per_go = 1;        ///< problems per "go"; a time is the total over them
  std::string key = {};           ///< fingerprint of the judge's key
  std::string signature = {};     ///< signature of the rest of the record

  /// The first inactive layer and the reason; empty if all were active.
  std::string lacks() const;
};

struct StudyRecord {
  std::string kernel = "gpp";
  std::string ladder = {};  ///< name of the published ladder that was studied; or empty
  std::string created;      ///< ISO 8601, UTC
  /// False while the study runs, and permanently if it was interrupted or killed.
  bool complete = true;
  GitState git;
  Machine machine;
  BuildRecord build;
  InputRecord input;
  ReferenceRecord reference;
  std::vector<Result> results;
  std::vector<roofline::Ceilings> ceilings;  ///< roofs of each device with results
  std::optional<ScalingRecord> scaling;      ///< for a calculation on many ranks
  std::optional<JudgeRecord> judge;          ///< for a judged submission
};

/// The kernel that was studied. Throws InputError if this program does not have it.
const Kernel& kernel_of(const StudyRecord& study);

/// Pieces of work (Kernel::work) per second at the median; 0 if the result is not timed.
double terms_per_second(const StudyRecord& study, const Result& result);

/// The reference variant of speedups: the first step of the studied ladder, else v1.
std::string baseline_of(const StudyRecord& study);

/// The baseline's passed result in the same model and on the same kind of device, or nullptr.
const Result* first_step_of(const StudyRecord& study, const Result& result);

bool any_failed(const StudyRecord& study);
bool any_passed(const StudyRecord& study);

/// True if a check failed, the study is partial, or its input disagrees with its own reference.
bool has_faults(const StudyRecord& study);

/// The time of that baseline over the time of the result; empty if either is missing.
std::optional<double> speedup(const StudyRecord& study, const Result& result);

/// The ratio of the cycles of two results: the gain at equal clocks. Empty if a clock is unknown.
std::optional<double> gain_in_cycles(const Result& before, const Result& after);

/// The gain at equal clocks, if a GPU's clocks differed so much that it differs from the gain in
/// time by more than 2%; else empty.
std::optional<double> gain_that_clocks_hide(const Result& before, const Result& after);

/// gain_in_cycles relative to that baseline; empty without one.
std::optional<double> speedup_in_cycles(const StudyRecord& study, const Result& result);

/// Joules per 1e9 pieces of work (Kernel::work), if the energy is known.
std::optional<double> joules_per_billion(const StudyRecord& study, const Result& result);

/// The published speedup of the same step, in the studied ladder if there is one; empty if
/// unpublished.
std::optional<double> published_speedup(const StudyRecord& study, const Result& result);

/// The model's name for people: "omp", or "omp gpu" if it ran on a GPU but supports hosts too.
std::string model_label(const std::string& model, const std::string& kind);

/// Returns "passed", "failed" or "unavailable".
std::string name_of(Status status);

/// Writes <folder>/study.json atomically: an interrupted run leaves the previous file. Throws
/// InputError if the folder cannot be written.
void write_record(const std::filesystem::path& folder, const StudyRecord& study);

/// Reads a study.json, or the one in a results folder. Throws InputError with the file and the
/// place in it if the file is missing, cut off, of another kind or another version, if a number is
/// out of range (bounds.h), or if two facts contradict each other (record_json.h). Its texts are
/// made printable (roofline/base/text.h).
StudyRecord read_record(const std::filesystem::path& path);

/// Parses the text of a study.json; `source` names it in messages.
StudyRecord parse_record(const std::string& text, const std::string& source);

}  // namespace gpp
