// What the kernels of a program did: counts, times and places under the roofs, kernel by kernel.
//
// A profile is made by `roofline record`, which counts, or by `roofline import`, which reads what
// other profilers counted. Launches of one kernel are added up, and so are those in one NVTX range
// and in one stream; launches one by one are kept where somebody asked for them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "roofline/ceilings.h"
#include "roofline/counters.h"
#include "roofline/energy.h"
#include "roofline/launch_form.h"
#include "roofline/metrics.h"
#include "roofline/occupancy.h"
#include "roofline/points.h"
#include "roofline/record/fields.h"

namespace roofline {

/// One launch of a kernel.
struct LaunchProfile {
  int process = 1;          ///< of the program, from 1
  std::int64_t stream = 0;  ///< by CUPTI's number
  int range = -1;           ///< in Profile::ranges; -1: outside of all
  double start = 0;         ///< seconds after the first launch that is kept
  double seconds = 0;       ///< that it took
  std::array<std::int64_t, 3> grid = {}, block = {};
  std::vector<double> values = {};  ///< of Profile::launch_counters; not finite: not counted
};

/// How much work a kernel does by a file of formulas, where nobody counts it.
struct StatedWork {
  std::string from = {};                       ///< the file
  std::map<std::string, double> amounts = {};  ///< by precision ("fp64") and level ("dram")

  Metrics metrics = {};        ///< derive()
  RooflinePoints placed = {};  ///< under the roofs: derive()
};

struct KernelProfile {
  std::string name;                ///< whole, as the compiler or the profiler wrote it
  std::int64_t launches = 0;       ///< those that were counted
  std::optional<double> seconds;   ///< of all these launches together
  Counters counters;               ///< raw, sums over the launches
  std::vector<Missing> missing;    ///< precisions, levels and counters that are not known, and why
  std::vector<std::string> notes;  ///< what to know of its numbers

  Metrics metrics;                   ///< derived from the counters: derive()
  RooflinePoints placed;             ///< under the roofs: derive()
  RooflinePoints instructions = {};  ///< of each instruction model: derive()

  /// Seconds of all its launches in each timed run of the program, where there were several.
  std::vector<double> runs = {};

  std::optional<int> gpu = {};           ///< place in Profile::gpus, where there are several
  std::vector<FormLaunches> forms = {};  ///< of the timed run, most time first
  std::optional<StatedWork> stated = {};

  std::vector<LaunchProfile> single = {};  ///< those that are kept one by one
  std::string shown_as = {};  ///< what it is called where it is no kernel; not in the record

  /// Tells it from the other kernels of its profile: "k", "k on GPU 1".
  std::string key() const;
};

/// Ranges of a profile, and those within each other, at most.
inline constexpr std::size_t most_ranges = 20'000;
inline constexpr int deepest_range = 100;

/// An NVTX range in its place: calls of the same name within the same ranges are one.
struct RangeProfile {
  std::string domain;  ///< of NVTX; empty: the default one
  std::string name;    ///< empty: what was launched outside of all ranges
  int parent = -1;     ///< in Profile::ranges, before this one; -1: none
  KernelProfile own;   ///< what was launched directly in it; it may be nothing

  KernelProfile all = {};  ///< with the ranges in it: derive()
};

struct ProfiledGpu {
  std::string name;            ///< "NVIDIA H200"
  int compute_capability = 0;  ///< 90 for 9.0; 0: not known
};

struct Profile {
  std::string source;                  ///< who counted: "cupti", "ncu", "rocprof"
  std::string program;                 ///< command line or file names, for people
  std::string device;                  ///< "NVIDIA H200"; may be empty
  std::vector<ProfiledGpu> gpus;       ///< that kernels ran on; may be empty
  std::string kind = "gpu";            ///< the table of its models: table_of(kind)
  std::string created;                 ///< ISO 8601, UTC
  std::optional<Ceilings> ceilings;    ///< the roofs; none where nobody knows them
  std::optional<EnergyUsed> energy;    ///< of the whole device while the program was timed
  std::vector<KernelProfile> kernels;  ///< most time first
  std::vector<std::string> notes;      ///< what to know of all of it

  std::vector<RangeProfile> ranges = {};
  std::vector<KernelProfile> streams = {};        ///< all launches in each, named "stream 7"
  std::vector<std::string> launch_counters = {};  ///< whose values single launches have
  std::int64_t launches_left_out = 0;             ///< that ran and are not kept one by one

  /// The seconds of all kernels whose time is known.
  double seconds() const;
};

/// Derives metrics, points and the missing of each kernel from its counters, and orders kernels by
/// time. Call it after counters, times or roofs have changed.
void derive(Profile& profile);

/// Derives kernels of that kind of device, under its roofs where they are known.
void derive(std::vector<KernelProfile>& kernels, const std::string& kind, const Ceilings* ceilings);

/// Derives one kernel.
void derive(KernelProfile& kernel, const std::string& kind, const Ceilings* ceilings);

KernelProfile one_launch(const Profile& profile, const KernelProfile& kernel,
                         const LaunchProfile& launch);

/// "aten::linear" or "domain@range", and with those around it "forward / aten::linear".
std::string range_text(const RangeProfile& range);
std::string range_path(const Profile& profile, int range);

/// Adds a part to a sum of launches, by which nothing may have been launched yet. What one of them
/// lacks is not known of the sum. `of`: the range whose part it is, where the sum is of another.
void add_part(const KernelProfile& part, KernelProfile& sum, const std::string& of = "");

/// Sums over the ranges within each range: RangeProfile::all, without what follows from counters.
void add_up_ranges(std::vector<RangeProfile>& ranges);

/// The level of memory that a kernel keeps busiest: where one without counted work stands.
struct BusiestLevel {
  std::string level;
  double bytes_per_s = 0;
  double percent = 0;  ///< of this level's roof
};

/// By those metrics of the kernel. Empty where the time, the roofs or all bytes are not known.
std::optional<BusiestLevel> busiest_level(const Profile& profile, const KernelProfile& kernel,
                                          const Metrics& metrics);

/// The occupancy of the kernel's launches in the form that took most time; empty where that form or
/// the device's compute capability is not known.
std::optional<Occupancy> occupancy_of(const Profile& profile, const KernelProfile& kernel);

/// A name as people say it: no return type, no arguments, no template arguments beyond two levels,
/// "at::native::vectorized_elementwise_kernel<...>" at most `most` characters long.
std::string short_name(const std::string& name, std::size_t most = 48);

/// The short name, and the GPU where there are several: "triad on GPU 1".
std::string shown_name(const KernelProfile& kernel, std::size_t most = 48);

/// Short names of kernels; those that would be called the same have their template arguments:
/// "cuda::tiles<true>", "cuda::tiles<false>".
std::vector<std::string> short_names(const std::vector<const KernelProfile*>& kernels);

/// The kernel's name in tables and charts: its shown name, or the text it is shown as.
std::string label_of(const KernelProfile& kernel, std::size_t most = 48);

/// The key of a model in a profile: "fp64", and "tensor_fp16" of "fp16_tensor".
std::string work_key(const std::string& model);

void fields(Fields& field, KernelProfile& kernel);
void fields(Fields& field, LaunchProfile& launch);
void fields(Fields& field, RangeProfile& range);
void fields(Fields& field, Profile& profile);

/// The fields of the profile, and what follows from them for each kernel: "work" in operations by
/// precision ("fp64", "tensor_fp16"), "bytes" by level, "rooflines", "instruction_rooflines".
nlohmann::ordered_json profile_json(const Profile& profile);

/// The list under "kernels" there.
nlohmann::ordered_json kernels_json(const std::vector<KernelProfile>& kernels,
                                    const std::string& kind);

/// Reads the fields and derives the rest. `source` is its name for messages. Throws InputError.
Profile read_profile(const nlohmann::json& json, const std::string& source);

}  // namespace roofline
