// A library with LIKWID's functions that do as the environment variable FAKE_LIKWID tells them: a
// list of words. It counts what it was asked to, and needs no processor.
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

struct Named {
  const char* name;
  double value;  // of each thread
};

struct Group {
  const char* name;
  std::vector<Named> events;
  std::vector<Named> metrics;
};

// The events of an Ice Lake server, with each thread's values.
const std::vector<Group>& groups() {
  static const std::vector<Group> list = {
      {"FLOPS_DP",
       {{"INSTR_RETIRED_ANY", 1e9},
        {"FP_ARITH_INST_RETIRED_128B_PACKED_DOUBLE", 100},
        {"FP_ARITH_INST_RETIRED_SCALAR_DOUBLE", 1000},
        {"FP_ARITH_INST_RETIRED_256B_PACKED_DOUBLE", 10},
        {"FP_ARITH_INST_RETIRED_512B_PACKED_DOUBLE", 1}},
       {{"Runtime (RDTSC) [s]", 2}, {"CPI", NAN}, {"DP [MFLOP/s]", 1248e-6 / 2}}},
      {"L2", {}, {{"L2 data volume [GBytes]", 8}}},
      {"L3", {}, {{"L3 load data volume [GBytes]", 1}, {"L3 data volume [GBytes]", 4}}},
      {"MEM", {}, {{"Memory data volume [GBytes]", 2}}}};
  return list;
}

bool told(const char* word) {
  const char* words = std::getenv("FAKE_LIKWID");
  return words != nullptr && std::strstr(words, word) != nullptr;
}

std::vector<const Group*> added;
int threads = 0, active = -1, runs = 0;

const Group& group(int id) { return *added.at(static_cast<std::size_t>(id)); }

double changed(double value) {
  if (told("still")) return 0;
  if (told("different")) return value * runs;
  return value;
}

}  // namespace

extern "C" {

int topology_init() { return 0; }
int numa_init() { return 0; }
void affinity_init() {}
void perfmon_setVerbosity(int) {}

int perfmon_init(int count, const int*) {
  std::fprintf(stderr, "--------\nCannot get access to MSRs.\x1b[2J\n");
  std::printf("CPU type: fake\n");
  if (told("exit")) std::exit(7);
  if (told("crash")) std::abort();
  if (told("hang")) sleep(60);
  if (told("refuse")) return -13;
  threads = count;
  return 0;
}

int perfmon_addEventSet(const char* name) {
  if (told((std::string("no_") + name).c_str())) return -22;
  for (const Group& one : groups())
    if (std::strcmp(one.name, name) == 0) {
      added.push_back(&one);
      return static_cast<int>(added.size()) - 1;
    }
  return -2;
}

int perfmon_setupCounters(int id) {
  active = id;
  return 0;
}
int perfmon_startCounters() {
  std::puts("started");
  ++runs;
  return active < 0 ? -1 : 0;
}
int perfmon_stopCounters() { return 0; }

int perfmon_getNumberOfEvents(int id) { return static_cast<int>(group(id).events.size()); }
char* perfmon_getEventName(int id, int event) {
  return const_cast<char*>(group(id).events.at(static_cast<std::size_t>(event)).name);
}
double perfmon_getLastResult(int id, int event, int thread) {
  if (thread >= threads) return NAN;
  const Named& one = group(id).events.at(static_cast<std::size_t>(event));
  if (told("nan_512") && std::strstr(one.name, "512B") != nullptr) return NAN;
  return changed(one.value);
}

int perfmon_getNumberOfMetrics(int id) { return static_cast<int>(group(id).metrics.size()); }
char* perfmon_getMetricName(int id, int metric) {
  return const_cast<char*>(group(id).metrics.at(static_cast<std::size_t>(metric)).name);
}
double perfmon_getLastMetric(int id, int metric, int thread) {
  if (thread >= threads) return NAN;
  if (told("negative_L3") && std::strcmp(group(id).name, "L3") == 0) return -1;
  return changed(group(id).metrics.at(static_cast<std::size_t>(metric)).value);
}
double perfmon_getLastTimeOfGroup(int) { return 2; }
void perfmon_finalize() { added.clear(); }
}
