// The record of a study: everything needed to believe its numbers. Its facts are written as
// study.json, an interface that other programs read: record_json.cpp describes it,
// results/README.md explains it. What follows from facts is derived anew (derive.h).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/kernel.h"
#include "harness/record/energy.h"
#include "harness/record/judge.h"
#include "harness/record/scaling.h"
#include "harness/record/timing.h"
#include "roofline/ceilings.h"
#include "roofline/counting.h"
#include "roofline/machine_code/instruction_mix.h"
#include "roofline/model.h"
#include "roofline/profile.h"
#include "roofline/record/lines.h"

namespace gpp {

using roofline::are_same;
using roofline::LinesRecord;

inline constexpr int schema_version = 2;

struct GitState {
  std::string revision;  ///< 40 hexadecimal digits, or "unknown"
  bool dirty = false;    ///< something in the tree was not committed, or that cannot be known
};

struct Machine {
  std::string host;
  std::string cpu;
  int cores = 0;  ///< that this process may use
  long long memory_bytes = 0;
  std::vector<DeviceDescription> gpus;
  std::string driver;  ///< of the GPUs; empty where there are none
  std::string os;      ///< distribution and kernel
  // Empty or 0 where it cannot be read:
  std::string affinity = {};                ///< processors that this process may use: "0-3,8"
  int online_cores = 0;                     ///< of the whole machine
  std::optional<double> load_average = {};  ///< of the minute before the study
  std::string governor = {};                ///< of the clock, as the kernel calls it: "performance"
  /// Variables of the environment that put other code into a program or change its threads, its
  /// devices or its clocks, by name: those that were set (provenance.h).
  std::map<std::string, std::string> environment = {};
};

struct BuildRecord {
  std::map<std::string, std::string> compilers;  ///< by language: "c++", "cuda"
  std::map<std::string, std::string> flags;      ///< by language
};

/// The clock of the compute units, MHz; 0 where it cannot be read.
struct Clocks {
  double before = 0;
  double after = 0;
  std::vector<double> samples;  ///< during each timed run, or right after it
  int throttled = 0;            ///< timed runs whose clock was low, see count_throttled
  /// Timed runs whose clock was low and held back by something, by its name (roofline/nvml.h).
  std::map<std::string, int> limited = {};
};

/// Kernels that take less of a run are recorded and not shown: sums over the blocks' sums.
inline constexpr double least_share_of_time = 0.05;

enum class Status { passed, failed, unavailable };

/// One variant of one model.
struct Result {
  std::string variant;  ///< "v7"
  std::string step;     ///< "reciprocal"
  std::string model;    ///< "cuda", "omp", ...
  std::string kind;     ///< where it ran: "host" or "gpu"; empty where it did not
  std::string device;   ///< that device's own name
  Status status = Status::unavailable;
  std::string reason;  ///< empty when passed
  Check check;
  JsonObject answer;   ///< as the kernel writes and reads it; of the first run
  std::string parent;  ///< variant that it was made from, or the step before; empty: none known
  /// Seconds that preparing for this variant alone took, untimed; 0 where it needs none.
  double preparation_seconds = 0;
  int threads = 0;              ///< of the host that it may use; 0: a GPU's, or not known
  std::vector<double> samples;  ///< seconds of each timed run, in the order taken
  std::vector<LoadShare> load;  ///< of each timed run; empty where it was not measured
  Stop stop = Stop::none;
  std::vector<Launch> launches;
  Clocks clocks;
  std::optional<EnergyRecord> energy;  ///< where it was asked for
  roofline::Counted counted;
  roofline::InstructionMix code;  ///< of a host's variant: what the compiler made of it
  /// Sources of a plug-in by name, "my_idea/my_idea.cpp", line by line. The first is its own.
  std::map<std::string, std::vector<std::string>> sources = {};
  std::optional<LinesRecord> lines;  ///< of a GPU's variant, where `gpp lines` was asked for it
  std::vector<roofline::RooflinePoint> rooflines;  ///< of every precision, most operations first

  std::vector<roofline::RooflinePoint> instructions;  ///< of every instruction model; follows
  /// Work of each kernel in a run, most time first, where it could be counted. Their seconds are
  /// the median divided as the hardware's durations are.
  std::vector<roofline::KernelProfile> kernels;

  /// The point of the precision with most operations; nullptr where no work was placed.
  const roofline::RooflinePoint* roofline() const {
    return rooflines.empty() ? nullptr : &rooflines.front();
  }

  /// The kernels that take at least `least_share_of_time`; none where one takes it all.
  std::vector<const roofline::KernelProfile*> leading_kernels() const;

  /// The share of the device that others took during each timed run; NaN where it is not known.
  std::vector<double> taken_in_runs() const;
  /// Which timed runs others disturbed, or may have: a load that is not known, on a machine that
  /// tells it of other runs, is not quiet.
  std::vector<bool> disturbed_runs() const;
  /// Mean share of the device that others took during the runs of which that is known.
  std::optional<double> taken() const;
  /// The samples that count.
  Trusted trusted() const { return gpp::trusted(samples, disturbed_runs()); }
  Timing timing() const { return summarize(trusted().samples); }
  /// Whether that ("power", "heat", "hardware") held the clock back in most timed runs.
  bool limited_by(const std::string& what) const;
  /// Clock cycles of a timed run, by the medians of time and clock; empty where that is not known.
  std::optional<double> cycles() const;
  /// A fact of its energy, where that is known: energy_told(&EnergyRecord::watts).
  std::optional<double> energy_told(double (EnergyRecord::*fact)() const) const;
  /// Passed and timed: fit to be compared with others.
  bool timed() const { return status == Status::passed && !samples.empty(); }
};

struct StudyRecord {
  std::string kernel = "gpp";
  std::string ladder = {};  ///< the published one that was studied, by name; empty: none
  std::string created;      ///< ISO 8601, UTC
  /// False while the study is under way, and for ever where it was interrupted or killed.
  bool complete = true;
  GitState git;
  Machine machine;
  BuildRecord build;
  InputRecord input;
  ReferenceRecord reference;
  std::vector<Result> results;
  std::vector<roofline::Ceilings> ceilings;  ///< of each device that ran something
  std::optional<ScalingRecord> scaling;      ///< of a calculation that many ranks shared
  std::optional<JudgeRecord> judge;          ///< of a referee's
};

/// The kernel that was studied. Throws InputError where this program has none of that name.
const Kernel& kernel_of(const StudyRecord& study);

/// Pieces of work (Kernel::work) per second at the median; 0 where the result is not timed.
double terms_per_second(const StudyRecord& study, const Result& result);

/// The variant that speedups are over: the first step of the ladder that was studied, else v1.
std::string baseline_of(const StudyRecord& study);

/// The baseline in the same model and on the same kind of device, where it passed; else nullptr.
const Result* first_step_of(const StudyRecord& study, const Result& result);

bool any_failed(const StudyRecord& study);
bool any_passed(const StudyRecord& study);

/// Whether a check failed, the study is partial, or its input disagrees with the reference that it
/// carries.
bool has_faults(const StudyRecord& study);

/// Time of that baseline over the time of the result; empty where either is missing.
std::optional<double> speedup(const StudyRecord& study, const Result& result);

/// Cycles of the one over cycles of the other: the gain at an equal clock. Empty where a clock is
/// not known.
std::optional<double> gain_in_cycles(const Result& before, const Result& after);

/// The gain at equal clocks, where a GPU's clocks differed so that it is off the gain in time by
/// more than 2%; else empty.
std::optional<double> gain_that_clocks_hide(const Result& before, const Result& after);

/// gain_in_cycles over that baseline; empty where there is none.
std::optional<double> speedup_in_cycles(const StudyRecord& study, const Result& result);

/// Joules per 1e9 pieces of work (Kernel::work), where its energy is known.
std::optional<double> joules_per_billion(const StudyRecord& study, const Result& result);

/// The published speedup of the same step, of the ladder that was studied where one was; empty
/// where there is none.
std::optional<double> published_speedup(const StudyRecord& study, const Result& result);

/// The model for people: "omp", and "omp gpu" where it ran on a GPU but need not have.
std::string model_label(const std::string& model, const std::string& kind);

/// "passed", "failed", "unavailable".
std::string name_of(Status status);

/// Writes <folder>/study.json, complete or not at all: an interrupted run leaves the last one.
/// Throws InputError where the folder cannot be written.
void write_record(const std::filesystem::path& folder, const StudyRecord& study);

/// Reads a study.json of any version, or the one in a results folder. Throws InputError, naming the
/// file and the place in it, when it is missing, cut off, of another kind or of a later version,
/// when a number is out of its range (bounds.h), or when two facts contradict each other
/// (record_json.h). Its texts come as they may be shown (roofline/base/visible.h).
StudyRecord read_record(const std::filesystem::path& path);

/// Reads the text of a study.json; `source` names it in messages.
StudyRecord parse_record(const std::string& text, const std::string& source);

}  // namespace gpp
