// LIKWID's library, found at run time. Its headers are not needed: what is called is declared here,
// as likwid.h of version 5 has it.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

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

}  // namespace roofline::likwid
