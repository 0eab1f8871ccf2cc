// LIKWID's library and its counters: set up for a list of CPUs, and read group by group. Its
// headers are not needed: the functions called are declared here, as likwid.h of version 5 has
// them.
//
// LIKWID may print, hang, or end its process where it finds no counters. try_out() therefore does
// all of this in a process of its own first.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "roofline/counters.h"
#include "roofline/recorder.h"

namespace roofline::likwid {

/// The functions used, each with its type.
#define ROOFLINE_LIKWID_FUNCTIONS(X)                                      \
  X(topology_init, int (*)())                                             \
  X(numa_init, int (*)())                                                 \
  X(affinity_init, void (*)())                                            \
  X(perfmon_init, int (*)(int threads, const int* cpus))                  \
  X(perfmon_setVerbosity, void (*)(int))                                  \
  X(perfmon_addEventSet, int (*)(const char*))                            \
  X(perfmon_setupCounters, int (*)(int group))                            \
  X(perfmon_startCounters, int (*)())                                     \
  X(perfmon_stopCounters, int (*)())                                      \
  X(perfmon_getNumberOfEvents, int (*)(int group))                        \
  X(perfmon_getEventName, char* (*)(int group, int event))                \
  X(perfmon_getLastResult, double (*)(int group, int event, int thread))  \
  X(perfmon_getNumberOfMetrics, int (*)(int group))                       \
  X(perfmon_getMetricName, char* (*)(int group, int metric))              \
  X(perfmon_getLastMetric, double (*)(int group, int metric, int thread)) \
  X(perfmon_getLastTimeOfGroup, double (*)(int group))                    \
  X(perfmon_finalize, void (*)())

struct Library {
#define ROOFLINE_LIKWID_MEMBER(name, type) std::add_pointer_t<std::remove_pointer_t<type>> name{};
  ROOFLINE_LIKWID_FUNCTIONS(ROOFLINE_LIKWID_MEMBER)
#undef ROOFLINE_LIKWID_MEMBER
  std::string path;
};

/// The names that LIKWID's library has: of any version 5, with or without its development files.
std::vector<std::string> library_names();

/// The first of these that can be loaded; it stays loaded. Throws RecorderError with the remedy
/// where there is none, or where it lacks a function.
Library load(const std::vector<std::string>& names);

/// Throws away what is written to standard output and standard error while it lives.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int output_ = -1, errors_ = -1;
};

/// The groups that formulas ask for: of "L2.L2_data_volume_GBytes" it is L2. Each once.
std::vector<std::string> groups_of(const std::vector<std::string>& counters);

/// The counter as formulas name it: group, point, LIKWID's name with an underscore for all that no
/// name may hold. "L3" and "L3 data volume [GBytes]" make "L3.L3_data_volume_GBytes".
std::string counter_name(const std::string& group, const std::string& name);

/// Only one at a time. Texts of LIKWID are not held back: see Silence.
class Session {
 public:
  /// Throws RecorderError: what failed, with its result.
  Session(const Library& library, std::vector<int> cpus);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Programs the counters of a group and starts them. Throws RecorderError where the processor or
  /// LIKWID lacks it.
  void start(const std::string& group);
  /// Stops them and reads all the group has, as sums over the CPUs; its time is
  /// "GROUP.seconds". What cannot be a count is missing: negative, or no finite number.
  Recording stop();

 private:
  int id_of(const std::string& group);
  void add(Recording& recording, const std::string& name, const std::vector<double>& values) const;

  const Library& library_;
  std::vector<int> cpus_;
  std::map<std::string, int> groups_;
  std::string group_;  ///< the one that counts
};

struct Trial {
  std::string failure;  ///< why nothing can be counted, with LIKWID's own words; empty: it can
  std::map<std::string, std::string> lacking;  ///< by group: why it cannot be counted
};

/// Starts and stops every group once. Takes `limit` seconds at most.
Trial try_out(const Library& library, const std::vector<int>& cpus,
              const std::vector<std::string>& groups, double limit = 10);

/// Why a program on this machine may get no counters, and the remedy, as far as the machine's files
/// below `root` tell.
std::string remedy(const std::filesystem::path& root = "/");

}  // namespace roofline::likwid
