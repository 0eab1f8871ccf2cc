// A program's kernels: their counts, times and points under the roofs.
//
// A profile comes from `roofline record`, which counts, or from `roofline import`, which reads
// other profilers' counts. Launches of one kernel are summed, as are those in one NVTX range.
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
#include "roofline/points.h"
#include "roofline/record/fields.h"

namespace roofline {

/// The label of values from formulas, beside counts.
inline constexpr const char* by_formula = "by formula";

/// A kernel's uncounted work, computed by a file of formulas (import/import.h). It needs no
/// permission, and is shown beside counts but not mixed with them.
struct StatedWork {
  std::string from = {};                       ///< name of the formulas' file
  std::map<std::string, double> amounts = {};  ///< FLOPs by precision, bytes by level

  Metrics metrics = {};        ///< metrics, set by derive()
  RooflinePoints placed = {};  ///< points, set by derive()
};

struct KernelProfile {
  std::string name;                ///< the full name, as the compiler or the profiler wrote it
  std::int64_t launches = 0;       ///< number of counted launches
  std::optional<double> seconds;   ///< total time of the counted launches
  Counters counters;               ///< raw sums over the launches
  std::vector<Missing> missing;    ///< unknown precisions, levels and counters, with reasons
  std::vector<std::string> notes;  ///< remarks on the kernel's numbers

  Metrics metrics;                   ///< derived from the counters, by derive()
  RooflinePoints placed;             ///< points, set by derive()
  RooflinePoints instructions = {};  ///< instruction points, set by derive()

  std::optional<int> gpu = {};           ///< index in Profile::gpus, if there are several
  std::vector<FormLaunches> forms = {};  ///< forms of the timed run, longest first
  std::optional<StatedWork> stated = {};

  std::string shown_as = {};  ///< name to show if this is not a kernel; not in the record

  /// Identifies it among the profile's kernels: "k", "k on GPU 1".
  std::string key() const;
};

/// The maximum number of ranges in a profile, and of their nesting depth.
inline constexpr std::size_t most_ranges = 20'000;
inline constexpr int deepest_range = 100;

/// The launches of one kernel in a range.
struct RangeKernel {
  std::string name;  ///< the kernel's full name
  std::int64_t launches = 0;
  double seconds = 0;
};

/// An NVTX range at its place in the tree: calls with equal names in the same parent are one.
struct RangeProfile {
  std::string domain;                     ///< NVTX domain; empty: the default one
  std::string name;                       ///< empty: launches outside of all ranges
  int parent = -1;                        ///< smaller index in Profile::ranges; -1: none
  KernelProfile own;                      ///< launches directly in the range; may be empty
  std::vector<RangeKernel> kernels = {};  ///< the same kernel by kernel, in the timed run

  KernelProfile all = {};  ///< including its nested ranges, by derive()
};

struct ProfiledGpu {
  std::string name;            ///< "NVIDIA H200"
  int compute_capability = 0;  ///< 90 for 9.0; 0: unknown
};

struct Profile {
  std::string source;                  ///< the counter of events: "cupti", "ncu", "rocprof"
  std::string program;                 ///< command line or file names, for people
  std::string device;                  ///< "NVIDIA H200"; may be empty
  std::vector<ProfiledGpu> gpus;       ///< GPUs with kernels; may be empty
  std::string kind = "gpu";            ///< kind of device, for table_of(kind)
  std::string created;                 ///< ISO 8601, UTC
  std::optional<Ceilings> ceilings;    ///< the device's roofs, if known
  std::optional<EnergyUsed> energy;    ///< energy of the whole device in the timed run
  std::vector<KernelProfile> kernels;  ///< kernels, longest first
  std::vector<std::string> notes;      ///< remarks on the whole profile

  std::vector<RangeProfile> ranges = {};

  /// The total seconds of all kernels with known time.
  double seconds() const;
};

/// Derives metrics, points and missing values of each kernel from its counters, and sorts kernels
/// by time. Call it after changes of counters, times or roofs.
void derive(Profile& profile);

/// Derives the values of kernels on that kind of device, under its roofs if known.
void derive(std::vector<KernelProfile>& kernels, const std::string& kind, const Ceilings* ceilings);

/// Derives the values of one kernel.
void derive(KernelProfile& kernel, const std::string& kind, const Ceilings* ceilings);

/// Returns "aten::linear" or "domain@range", and for a nested range "forward / aten::linear".
std::string range_text(const RangeProfile& range);
std::string range_path(const Profile& profile, int range);

/// Adds a part to a sum of launches, which may still be empty. A value that one part lacks is
/// missing in the sum. `of` is the part's range, if the sum belongs to another one.
void add_part(const KernelProfile& part, KernelProfile& sum, const std::string& of = "");

/// A readable name: no return type, no arguments, at most two levels of template arguments,
/// "at::native::vectorized_elementwise_kernel<...>", at most `most` characters.
std::string short_name(const std::string& name, std::size_t most = 48);

/// The kernel's name in tables and charts: its short name, with the GPU if there are several
/// ("triad on GPU 1"), or shown_as if set.
std::string label_of(const KernelProfile& kernel, std::size_t most = 48);

/// The key of a model in a profile: "fp64", and "tensor_fp16" for "fp16_tensor".
std::string work_key(const std::string& model);

void fields(Fields& field, KernelProfile& kernel);
void fields(Fields& field, RangeProfile& range);
void fields(Fields& field, Profile& profile);

/// The profile's fields, and each kernel's derived values: "work" in operations by precision
/// ("fp64", "tensor_fp16"), "bytes" by level, "rooflines", "instruction_rooflines".
nlohmann::ordered_json profile_json(const Profile& profile);

/// The list "kernels" in that JSON.
nlohmann::ordered_json kernels_json(const std::vector<KernelProfile>& kernels,
                                    const std::string& kind);

/// Reads the fields and derives the rest. `source` is the name in messages. Throws InputError.
Profile read_profile(const nlohmann::json& json, const std::string& source);

}  // namespace roofline
