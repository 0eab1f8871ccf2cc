#include "roofline/likwid/session.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/base/process.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace roofline::likwid {
namespace {

/// Fills the table; throws RecorderError with the name of the first function that is not there.
void fill(void* handle, Library& library) {
#define ROOFLINE_LIKWID_LOAD(name, type)                                                          \
  library.name = reinterpret_cast<type>(dlsym(handle, #name));                                    \
  if (library.name == nullptr)                                                                    \
    throw RecorderError(fmt::format(                                                              \
        "{} is not LIKWID 5, whose functions are used: it has no {}; install the package likwid " \
        "of Debian 12, Ubuntu 22.04 or later",                                                    \
        library.path, #name));
  ROOFLINE_LIKWID_FUNCTIONS(ROOFLINE_LIKWID_LOAD)
#undef ROOFLINE_LIKWID_LOAD
}

/// LIKWID's results below zero are errno's, negated.
void require(int result, const std::string& what) {
  if (result < 0) throw RecorderError(fmt::format("{} gave {}", what, result));
}

/// A name that LIKWID owns.
std::string text_of(const char* name) { return name == nullptr ? "" : name; }

using Clock = std::chrono::steady_clock;

constexpr int ended_by_likwid = 3;

/// Begins each line of the trial's own: other lines are what LIKWID printed.
constexpr char own = '\x01';

void say(const std::string& line) {
  const std::string text = own + line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(STDOUT_FILENO, text.data() + done, text.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

/// Runs in the child: does everything that counting does, and reports how it went.
void try_here(const Library& library, const std::vector<int>& cpus,
              const std::vector<std::string>& groups) {
  try {
    Session session(library, cpus);
    for (const std::string& group : groups) {
      try {
        session.start(group);
        session.stop();
      } catch (const RecorderError& error) {
        std::fflush(nullptr);
        say("lacks " + group + " " + error.what());
      }
    }
    std::fflush(nullptr);
    say("done");
  } catch (const std::exception& error) {
    std::fflush(nullptr);
    say(std::string("failed ") + error.what());
  }
}

struct Heard {
  std::string text;
  int status = 0;
  bool in_time = true;
};

/// Reads until the child closes its end, or the time is over.
bool listen(int from, Clock::time_point end, std::string& text) {
  constexpr std::size_t enough = 1 << 16;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd stream{from, POLLIN, 0};
    const int ready = poll(&stream, 1, static_cast<int>(std::max<long>(0, left.count())));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    std::array<char, 4096> buffer;
    const ssize_t count = read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    if (text.size() < enough) text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Runs try_here() in a child, whose two streams are one pipe.
std::optional<Heard> in_a_child(const Library& library, const std::vector<int>& cpus,
                                const std::vector<std::string>& groups, double limit) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);  // LIKWID's helper belongs to it
    // Should LIKWID call exit(), nothing of this program's is to be done a second time.
    std::atexit([] { _exit(ended_by_likwid); });
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    try_here(library, cpus, groups);
    _exit(0);
  }
  close(ends[1]);
  Heard heard;
  if (child > 0) {
    const auto end = Clock::now() + std::chrono::milliseconds(static_cast<long>(1000 * limit));
    heard.in_time = listen(ends[0], end, heard.text);
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, &heard.status, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  return child > 0 ? std::optional(heard) : std::nullopt;
}

/// The first lines of what LIKWID printed, on one line: " (Cannot get access to MSRs.)".
std::string own_words(const std::string& printed) {
  constexpr std::size_t most = 240;
  std::string text;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line) && text.size() < most;) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.find_first_not_of("-= \t") == std::string::npos)
      continue;
    text += (text.empty() ? "" : "; ") + visible(line.substr(begin));
  }
  return text.empty() ? "" : " (" + visible(shortened(text, most)) + ")";
}

bool in_a_virtual_machine(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("flags")) return (line + " ").find(" hypervisor ") != std::string::npos;
  return false;
}

}  // namespace

std::vector<std::string> library_names() {
  return {"liblikwid.so.5", "liblikwid.so.5.4", "liblikwid.so.5.3", "liblikwid.so.5.2",
          "liblikwid.so"};
}

Library load(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) continue;
    Library library;
    library.path = loaded_from(dlsym(handle, "perfmon_init"));
    if (library.path.empty()) library.path = name;
    fill(handle, library);
    return library;
  }
  throw RecorderError(
      "LIKWID, which reads the counters of processors, is not installed: apt-get install likwid, "
      "or see https://github.com/RRZE-HPC/likwid");
}

Silence::Silence() {
  std::fflush(nullptr);
  output_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  errors_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  if (output_ >= 0) dup2(nothing, STDOUT_FILENO);
  if (errors_ >= 0) dup2(nothing, STDERR_FILENO);
  close(nothing);
}

Silence::~Silence() {
  std::fflush(nullptr);
  for (const auto& [kept, number] : {std::pair{output_, STDOUT_FILENO}, {errors_, STDERR_FILENO}}) {
    if (kept < 0) continue;
    dup2(kept, number);
    close(kept);
  }
}

std::vector<std::string> groups_of(const std::vector<std::string>& counters) {
  std::vector<std::string> groups;
  for (const std::string& counter : counters) {
    const std::string group = counter.substr(0, counter.find('.'));
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  return groups;
}

std::string counter_name(const std::string& group, const std::string& name) {
  std::string text = group + ".";
  bool gap = false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) {
      gap = true;
      continue;
    }
    if (gap && !text.ends_with('.')) text += '_';
    gap = false;
    text += c;
  }
  return text;
}

Session::Session(const Library& library, std::vector<int> cpus)
    : library_(library), cpus_(std::move(cpus)) {
  library_.perfmon_setVerbosity(0);
  if (const int result = library_.topology_init(); result != 0)
    throw RecorderError(fmt::format("topology_init gave {}", result));
  library_.numa_init();
  library_.affinity_init();
  const int result = library_.perfmon_init(static_cast<int>(cpus_.size()), cpus_.data());
  if (result != 0) throw RecorderError(fmt::format("perfmon_init gave {}", result));
}

Session::~Session() { library_.perfmon_finalize(); }

int Session::id_of(const std::string& group) {
  const auto found = groups_.find(group);
  if (found != groups_.end()) return found->second;
  const int id = library_.perfmon_addEventSet(group.c_str());
  require(id, "perfmon_addEventSet");
  groups_.emplace(group, id);
  return id;
}

void Session::start(const std::string& group) {
  const int id = id_of(group);
  require(library_.perfmon_setupCounters(id), "perfmon_setupCounters");
  require(library_.perfmon_startCounters(), "perfmon_startCounters");
  group_ = group;
}

void Session::add(Recording& recording, const std::string& name,
                  const std::vector<double>& values) const {
  double sum = 0;
  for (const double value : values) {
    if (!std::isfinite(value) || value < 0) {
      recording.missing.push_back(
          {counter_name(group_, name),
           fmt::format("LIKWID gave {:.4g} for {} of its group {}", value, visible(name), group_)});
      return;
    }
    sum += value;
  }
  recording.counters.emplace(counter_name(group_, name), sum);
}

Recording Session::stop() {
  require(library_.perfmon_stopCounters(), "perfmon_stopCounters");
  const int id = groups_.at(group_);
  Recording recording;
  recording.passes = 1;
  const auto on_every_cpu = [&](int index, double (*value)(int, int, int)) {
    std::vector<double> values;
    for (int cpu = 0; cpu < static_cast<int>(cpus_.size()); ++cpu)
      values.push_back(value(id, index, cpu));
    return values;
  };
  for (int event = 0; event < library_.perfmon_getNumberOfEvents(id); ++event)
    add(recording, text_of(library_.perfmon_getEventName(id, event)),
        on_every_cpu(event, library_.perfmon_getLastResult));
  for (int metric = 0; metric < library_.perfmon_getNumberOfMetrics(id); ++metric)
    add(recording, text_of(library_.perfmon_getMetricName(id, metric)),
        on_every_cpu(metric, library_.perfmon_getLastMetric));
  add(recording, "seconds", {library_.perfmon_getLastTimeOfGroup(id)});
  return recording;
}

Trial try_out(const Library& library, const std::vector<int>& cpus,
              const std::vector<std::string>& groups, double limit) {
  const std::optional<Heard> heard = in_a_child(library, cpus, groups, limit);
  Trial trial;
  if (!heard) {
    trial.failure = "LIKWID could not be tried: no further process could be started";
    return trial;
  }
  std::string printed;
  bool done = false;
  std::istringstream lines(heard->text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(own)) {
      printed += line + "\n";
      continue;
    }
    std::istringstream words(line.substr(1));
    std::string what, group, rest;
    words >> what;
    if (what == "lacks") words >> group;
    std::getline(words >> std::ws, rest);
    if (what == "done") done = true;
    if (what == "lacks") trial.lacking[group] = rest;
    if (what == "failed") trial.failure = "LIKWID: " + rest + own_words(printed);
  }
  if (done || !trial.failure.empty()) return trial;
  if (!heard->in_time)
    trial.failure =
        fmt::format("LIKWID did not answer within {:.3g} s{}", limit, own_words(printed));
  else
    trial.failure = "LIKWID ended its process" + own_words(printed);
  return trial;
}

std::string remedy(const std::filesystem::path& root) {
  std::error_code error;
  const auto registers = root / "dev/cpu/0/msr";
  const bool guest = in_a_virtual_machine(root);
  if (!std::filesystem::exists(registers, error))
    return guest ? "this virtual machine shows no registers for counters (no /dev/cpu/0/msr): "
                   "count on a machine of your own, or ask for one with a virtual PMU"
                 : "load the driver of the registers that count, as root: modprobe msr";
  if (access(registers.c_str(), R_OK | W_OK) != 0)
    return fmt::format(
        "this user may not read {}: run as root, or let likwid-accessD do it (setuid root); a "
        "LIKWID built for perf_event needs /proc/sys/kernel/perf_event_paranoid to be 0 or less, "
        "and it is {}",
        registers.string(), visible(first_line(root / "proc/sys/kernel/perf_event_paranoid")));
  return guest ? "this is a virtual machine, and few of them have counters: count on a machine of "
                 "your own"
               : "likwid-perfctr -g FLOPS_DP true shows what it says itself";
}

}  // namespace roofline::likwid
