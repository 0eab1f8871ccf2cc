#include "roofline/base/machine.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/ceilings/host/team.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

constexpr int most_processors = 65536;

/// The number that follows `key` in a file of "key value" lines.
std::optional<long long> value_in(const fs::path& file, std::string_view key) {
  std::istringstream words(kernel_file(file));
  for (std::string word; words >> word;)
    if (long long value = 0; word == key && words >> value && value >= 0) return value;
  return std::nullopt;
}

}  // namespace

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 && *name != '\0' ? name : "unknown";
}

double steady_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::vector<int> allowed_cpus(int process) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> cpus;
  if (sched_getaffinity(process, sizeof(allowed), &allowed) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

int available_cores() { return static_cast<int>(allowed_cpus().size()); }

std::int64_t available_memory() {
  std::int64_t available = std::numeric_limits<std::int64_t>::max();
  if (const auto kilobytes = value_in("/proc/meminfo", "MemAvailable:"))
    available = *kilobytes * 1024;
  // Of a control group. Without a limit its file holds "max".
  const fs::path group = "/sys/fs/cgroup";
  const auto limit = whole_number(trimmed(kernel_file(group / "memory.max")));
  const auto usage = whole_number(trimmed(kernel_file(group / "memory.current")));
  if (limit && usage) {
    const std::int64_t cache = value_in(group / "memory.stat", "inactive_file").value_or(0) +
                               value_in(group / "memory.stat", "active_file").value_or(0);
    const std::int64_t used = std::max<std::int64_t>(0, *usage - cache);
    available = std::min(available, std::max<std::int64_t>(0, *limit - used));
  }
  return available;
}

void require_memory(std::int64_t bytes, std::string_view source, std::int64_t available) {
  if (bytes <= available) return;
  throw InputError(
      fmt::format("{}: computing it needs {} of memory, but {} are available. Free "
                  "some, use a machine with more, or use a smaller input.",
                  source, describe_bytes(bytes), describe_bytes(available)));
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string kernel_file(const fs::path& path) {
  constexpr std::size_t most = 1 << 20;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 4096> part{};  // small, to leave the variant's caches unchanged
  while (file && text.size() < most) {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  return text;
}

std::optional<long long> whole_number(std::string_view text) {
  long long value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stopped != end || value < 0) return std::nullopt;
  return value;
}

std::vector<int> parse_processors(std::string_view list) {
  std::vector<int> processors;
  std::istringstream ranges{std::string(list)};
  for (std::string range; std::getline(ranges, range, ',');) {
    const std::size_t dash = range.find('-');
    const auto first = whole_number(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : whole_number(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= most_processors) return {};
    if (!processors.empty() && *first <= processors.back()) return {};
    for (long long one = *first; one <= *last; ++one) processors.push_back(static_cast<int>(one));
  }
  return processors;
}

std::string allowed_processors(const fs::path& root) {
  constexpr std::string_view key = "Cpus_allowed_list:";
  std::istringstream lines(kernel_file(root / "proc/self/status"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const std::string list(trimmed(std::string_view(line).substr(key.size())));
    return parse_processors(list).empty() ? "" : list;
  }
  return {};
}

int online_processors(const fs::path& root) {
  return static_cast<int>(
      parse_processors(trimmed(kernel_file(root / "sys/devices/system/cpu/online"))).size());
}

std::optional<double> load_average(const fs::path& root) {
  double value = 0;
  std::istringstream text(kernel_file(root / "proc/loadavg"));
  return text >> value && value >= 0 && value <= 1e9 ? std::optional(value) : std::nullopt;
}

std::string clock_governor(const std::vector<int>& processors, const fs::path& root) {
  std::string common;
  for (const int processor : processors) {
    const fs::path folder = "sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cpufreq";
    const std::string governor(trimmed(kernel_file(root / folder / "scaling_governor")));
    const bool word =
        !governor.empty() && governor.size() <= 32 &&
        governor.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
    if (!word) return {};
    if (!common.empty() && governor != common) return "mixed";
    common = governor;
  }
  return common;
}

double measured_clock_mhz() {
  double highest = 0;
  for (int reading = 0; reading < 3; ++reading) highest = std::max(highest, host::core_clock_mhz());
  return highest;
}

std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root) {
  std::vector<int> first, others;
  for (const int processor : processors) {
    std::string list =
        kernel_file(root / fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list",
                                       processor));
    list.erase(list.find_last_not_of('\n') + 1);
    const std::vector<int> siblings = parse_processors(list);
    const bool beside = std::ranges::any_of(
        first, [&siblings](int one) { return std::ranges::find(siblings, one) != siblings.end(); });
    (beside ? others : first).push_back(processor);
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

std::vector<int> first_cores(int count) {
  std::vector<int> all = cores_first(allowed_cpus());
  all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
  return all;
}

namespace {

/// The parent's id, which follows the name in /proc/PID/stat: "4711 (name) S 1 ...".
int parent_of(int pid) {
  const std::string text = kernel_file("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream rest(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string state;
  int parent = 0;
  rest >> state >> parent;
  return parent;
}

/// A pipe: an end to read, and one to write. The started program inherits only the end that it is
/// given.
struct Pipe {
  std::array<int, 2> ends{};

  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe could be opened");
  }
  ~Pipe() {
    for (const int end : ends) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

/// The words for exec functions, which do not change them.
std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns the process id, or -1 if it could not be started.
pid_t start(const std::vector<std::string>& arguments, Pipe& output, Pipe& errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  pid_t process = -1;
  const std::vector<char*> argv = pointers(arguments);
  const int error = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  for (Pipe* pipe : {&output, &errors}) close(std::exchange(pipe->ends[1], -1));
  return error == 0 ? process : -1;
}

/// Appends the available bytes; returns false at the end of the stream.
bool read_some(int from, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t count = read(from, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both streams as data arrives, so that neither fills up while the other is awaited. Returns
/// early with `finished.flooded` or `finished.silenced` where a limit was exceeded.
void listen(const Pipe& output, const Pipe& errors,
            std::optional<std::chrono::milliseconds> silence, std::size_t most_output,
            Finished& finished) {
  using Clock = std::chrono::steady_clock;
  const std::size_t most_errors = silence ? std::size_t{64} << 10 : std::string::npos;
  std::array<pollfd, 2> streams = {pollfd{output.ends[0], POLLIN, 0},
                                   pollfd{errors.ends[0], POLLIN, 0}};
  const auto patience = silence.value_or(std::chrono::hours(1'000'000));
  auto end = Clock::now() + patience;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    const int wait = static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
    if (poll(streams.data(), streams.size(), wait) < 0 && errno != EINTR) return;
    if (streams[0].fd >= 0 && streams[0].revents != 0) {
      if (!read_some(streams[0].fd, finished.output)) streams[0].fd = -1;
      end = Clock::now() + patience;
    }
    if (streams[1].fd >= 0 && streams[1].revents != 0) {
      if (!read_some(streams[1].fd, finished.errors)) streams[1].fd = -1;
      finished.errors.resize(std::min(finished.errors.size(), most_errors));
    }
    finished.flooded = finished.output.size() > most_output;
    finished.silenced = !finished.flooded && Clock::now() >= end;
    if (finished.flooded || finished.silenced) return;
  }
}

}  // namespace

Finished run_program(const std::vector<std::string>& arguments,
                     std::optional<std::chrono::milliseconds> silence, std::size_t most_output) {
  Pipe output, errors;
  Finished finished;
  const pid_t process = start(arguments, output, errors);
  if (process < 0) return {127, "", ""};
  listen(output, errors, silence, most_output, finished);
  if (finished.silenced || finished.flooded) kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  finished.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return finished;
}

std::vector<std::string> own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

void become_program(const std::filesystem::path& program, std::vector<std::string> words) {
  execv(program.c_str(), pointers(words).data());
  throw InputError(
      fmt::format("{} cannot be started: {}", visible(program.string()), std::strerror(errno)));
}

bool is_own_process(int pid) {
  const int self = getpid();
  for (int generation = 0; pid > 1 && generation < 100; ++generation) {
    if (pid == self) return true;
    pid = parent_of(pid);
  }
  return false;
}

}  // namespace roofline
