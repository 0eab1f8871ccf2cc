#include "roofline/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace roofline {
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
