// CUPTI's host API, which needs no GPU: a chip's counters, the way to collect them, and their
// values. Its range profiler: counts of work on one device, in as many passes as its counters need.
// Samples or counts of machine instructions of a context. And listeners to driver callbacks: names
// of launched kernels, and machine code loaded onto the device.
//
// Samples are CUPTI's PC sampling in continuous mode, started and stopped around the work, so
// kernels run unchanged. CUPTI silently loses records unless a kernel's first launch lies between
// Enable and Disable, and unless it has its own buffer beside the one into which data is fetched
// (observed with CUDA 13.0 and driver 580 on an H200).
//
// Counts are CUPTI's SASS metrics, which patch the kernels and make them up to 200 times slower.
// One such session per process, with the profiler initialised.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/cupti/api.h"
#include "roofline/line_recorder.h"
#include "roofline/record/lines.h"
#include "roofline/recorder.h"

namespace roofline::cupti {

using Bytes = std::vector<std::uint8_t>;

/// The chips that this CUPTI knows: "GH100", ...
std::vector<std::string> supported_chips();

/// CUPTI's knowledge of one chip. Throws RecorderError for an unknown chip.
class HostApi {
 public:
  /// `availability` lists the counters that the device has now; empty: all of the chip's.
  explicit HostApi(const std::string& chip, const Bytes& availability = {});
  ~HostApi();
  HostApi(const HostApi&) = delete;
  HostApi& operator=(const HostApi&) = delete;

  /// True if the chip has a counter with this full name, including the roll-up: "dram__bytes.sum".
  bool knows(const std::string& name) const;
  /// Adds counters to the plan. Returns whether all can be counted together. Call only once.
  bool add(const std::vector<std::string>& names);
  /// The plan for the added counters.
  Bytes config_image() const;
  /// The value of one counter, or NaN.
  double value(const Bytes& counter_data, std::size_t range, const std::string& name) const;

 private:
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// The counters to collect on a chip, and the plan for it.
struct Plan {
  std::string chip;
  std::vector<std::string> names;  ///< counters that can be counted
  std::vector<Missing> missing;
  Bytes config;  ///< empty if nothing can be counted
  int passes = 0;
};

/// Plans those of the given names that the chip has, and skips the others.
Plan plan(const std::string& chip, const Bytes& availability,
          const std::vector<std::string>& names);

/// Profiles the context during its lifetime. The destructor ends everything that was begun, also
/// after an exception. Every call throws RecorderError if CUPTI refuses.
class RangeProfiler {
 public:
  explicit RangeProfiler(CUcontext context);
  ~RangeProfiler();
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  /// What is a range between start() and stop().
  enum class Ranges {
    all,      ///< all of it, which the caller repeats in each pass
    kernels,  ///< each kernel; the caller repeats them
    replayed  ///< each kernel, which CUPTI repeats
  };
  /// Prepares for at most `most` ranges, whose values come into `data`, which must outlive the
  /// profiler's use of it.
  void configure(const Plan& plan, Ranges ranges, std::size_t most, Bytes& data);
  void start();
  /// Returns true if all passes are done.
  bool stop();
  struct Decoded {
    std::size_t ranges = 0, dropped = 0;
  };
  /// Decodes the values of all passes into the data.
  Decoded decode();

 private:
  CUpti_RangeProfiler_Object* object_;
  const Bytes* data_ = nullptr;
  Ranges ranges_ = Ranges::all;
  bool started_ = false;
  bool pushed_ = false;
};

/// Attaches CUPTI's profiler to the driver, and detaches it at the end, so that uncounted work runs
/// undisturbed. The context should exist before.
class Profiling {
 public:
  Profiling();
  ~Profiling();
  Profiling(const Profiling&) = delete;
  Profiling& operator=(const Profiling&) = delete;
};

/// Throws RecorderError with the reason if the device cannot be profiled at all.
void check_device(CUdevice device);

/// The chip's name, such as "GH100".
std::string chip_name(CUdevice device);

/// The counters that the device can collect in its current state.
Bytes counter_availability(CUcontext context);

/// Runs the work in the current context once per pass and evaluates the counts: of all of it, or
/// `apart` for each kernel. Throws RecorderError if CUPTI recorded nothing, or another number of
/// kernels than were launched.
Recording count(CUcontext context, const Plan& plan, const Work& work, bool apart);

/// Watches during its lifetime. Every call throws RecorderError with the failed call's name. The
/// results have no cubins.
class CodeWatch {
 public:
  virtual ~CodeWatch() = default;
  /// Begins to sample; counts begin when the watch is made.
  virtual void start() {}
  /// All evidence since the last call; watching goes on.
  virtual RecordedCode fetch() = 0;
  /// The rest of it. Nothing may be called afterwards.
  virtual RecordedCode end() = 0;
};

/// Samples every 2^period cycles.
std::unique_ptr<CodeWatch> watch_samples(CUcontext context, int period);
/// Counts on the current device.
std::unique_ptr<CodeWatch> watch_instructions(CUcontext context);

/// Converts samples to counters by kernel, for those of `names` that the chip has. The others are
/// missing.
Recording stalls_by_kernel(const RecordedCode& code, const std::vector<std::string>& names);

/// Remembers what the kernels of a module compute in half precision, and whether any of them
/// launches kernels: by the callback that tells of it. `fresh`: it was loaded just now, and is none
/// that was seen before. Never throws.
void see_code(const CUpti_ResourceData& resource, bool fresh);
/// How many of these kernels' counted HFMA2 load constants, by all code seen so far
/// (machine_code/half_precision.h).
std::optional<double> constant_loads(const std::vector<std::string>& kernels, double fused);
/// Whether kernels of the module of this kernel launch kernels, by all code that was seen.
bool launches_kernels(const std::string& kernel);

/// Keeps a copy of every loaded cubin, by the CRC that identifies it in CUPTI's records, even after
/// it is unloaded.
class KeptCode {
 public:
  /// Called for a module's callback. `fresh`: not kept before. Never throws.
  void keep(const CUpti_ResourceData& resource, bool fresh);
  /// The cubins so far. They stay in place, but must not be read while another one is added.
  const Cubins& cubins() const { return cubins_; }
  /// Messages about machine code that could not be kept.
  std::vector<std::string> lost() const { return {lost_.begin(), lost_.end()}; }

 private:
  Cubins cubins_;
  std::set<unsigned> kept_;  // CUPTI's numbers of the kept modules
  std::set<std::string> lost_;
};

/// Listens during its lifetime. CUPTI allows one subscription per process.
class Listener {
 public:
  /// To launches, and what their code computes in half precision; or to machine code, which is
  /// kept.
  enum class To { launches, code };
  /// Throws RecorderError if CUPTI refuses.
  explicit Listener(To what);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  struct Launches {
    std::vector<std::string> kernels;  ///< demangled names, in order
    bool graphs = false;               ///< there were CUDA graphs, whose kernels have no names here
  };
  /// The launches since the last call.
  Launches take_launches();
  /// A copy of the code so far.
  KeptCode code() const;

 private:
  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data);
  void on_launch(CUpti_CallbackId id, const CUpti_CallbackData& call);

  const To what_;
  CUpti_SubscriberHandle handle_ = nullptr;
  mutable std::mutex mutex_;  // kernels and modules may come on any thread
  Launches launches_;
  KeptCode code_;
};

}  // namespace roofline::cupti
