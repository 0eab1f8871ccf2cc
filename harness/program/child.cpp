#include "harness/program/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "roofline/base/machine.h"

namespace gpp {
namespace {

/// An interrupted process may finish what it is at.
constexpr double seconds_of_grace = 2;
/// A process is asked after so often whether it still lives: one that it started may hold the line.
constexpr double longest_poll = 0.05;

/// In the new process.
[[noreturn]] void be_child(pid_t parent, int socket, int output,
                           const std::function<void(Line&)>& work) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what it leaves behind stays its own
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    if (output >= 0) dup2(output, stream);
  Line line(socket);
  work(line);
  std::fflush(nullptr);
  _exit(0);
}

void add_descendants(pid_t process, std::vector<pid_t>& found) {
  std::error_code none;
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, none)) {
    std::istringstream children(roofline::kernel_file(task.path() / "children"));
    for (pid_t child = 0; children >> child;) {
      found.push_back(child);
      add_descendants(child, found);
    }
  }
}

}  // namespace

std::string error_of(const std::function<void()>& action) {
  std::string words;
  try {
    action();
    return {};
  } catch (const std::exception& error) {
    words = error.what();
  } catch (...) {
  }
  return words.empty() ? "stopped by an error of unknown kind" : words;
}

std::string early_end(const roofline::Finished& finished, double limit_s) {
  constexpr int first_signal = 128;  // an exit status above it: ended by a signal
  if (finished.silenced) return fmt::format("did not end in {:g} s", limit_s);
  if (finished.status > first_signal)
    return fmt::format("crashed (signal {})", finished.status - first_signal);
  return fmt::format("ended the program (exit status {})", finished.status);
}

double seconds_of(clockid_t clock) {
  timespec time{};
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double cpu_seconds_of(pid_t process) {
  clockid_t clock{};
  return clock_getcpuclockid(process, &clock) == 0 ? seconds_of(clock) : 0;
}

std::vector<pid_t> descendants_of(pid_t process) {
  std::vector<pid_t> found;
  add_descendants(process, found);
  return found;
}

// ---- Line ---------------------------------------------------------------------------------------

bool Line::say(const std::string& message) const {
  const std::string line = message + "\n";
  std::size_t sent = 0;
  while (sent < line.size()) {
    const ssize_t count = send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool Line::hear(std::string& message, double seconds) {
  for (;;) {
    if (const auto end = heard_.find('\n'); end != std::string::npos) {
      message = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return true;
    }
    pollfd stream{socket_, POLLIN, 0};
    const int ready = poll(&stream, 1, seconds < 0 ? -1 : static_cast<int>(1e3 * seconds));
    if (ready == 0 || (ready < 0 && errno == EINTR)) return false;
    std::array<char, 4096> buffer;
    const ssize_t count = recv(socket_, buffer.data(), buffer.size(), 0);
    if (count <= 0) {
      ended_ = true;
      return false;
    }
    heard_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

// ---- Child --------------------------------------------------------------------------------------

Child::Child(const std::function<void(Line&)>& work) {
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    throw std::runtime_error("a process of its own could not be started: no socket");
  std::fflush(nullptr);  // or both processes would write what waits
  output_ = memfd_create("output", MFD_CLOEXEC);
  fcntl(output_, F_SETFL, O_APPEND);
  line_ = Line(sockets[0]);
  const pid_t self = getpid();
  process_ = fork();
  if (process_ == 0) {
    close(sockets[0]);
    be_child(self, sockets[1], output_, work);
  }
  close(sockets[1]);
  if (process_ > 0) {
    setpgid(process_, process_);
    return;
  }
  close(sockets[0]);
  close(output_);
  throw std::runtime_error("a process of its own could not be started: fork was refused");
}

Child::~Child() {
  end();
  close(line_.descriptor());
  close(output_);
}

bool Child::gone() const {
  siginfo_t info{};
  return process_ < 0 ||
         waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

bool Child::hear(std::string& message, double seconds, const std::function<bool()>& interrupted) {
  double deadline = roofline::steady_seconds() + seconds;
  while (process_ > 0) {
    const bool was_gone = gone();  // what it said before comes first
    const double left = deadline - roofline::steady_seconds();
    if (line_.hear(message, std::clamp(left, 0.0, was_gone ? 0.0 : longest_poll))) return true;
    if (was_gone || line_.ended()) {
      end();
    } else if (left <= 0) {
      finished_.silenced = !interrupted_;
      end();
    } else if (interrupted && !interrupted_ && interrupted()) {
      interrupted_ = true;
      deadline = std::min(deadline, roofline::steady_seconds() + seconds_of_grace);
    }
  }
  return false;
}

std::string Child::printed() const {
  constexpr std::size_t most = 2000;
  std::string text(most, 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, pread(output_, text.data(), most, 0))));
  return text;
}

/// A thread on another core goes on for some microseconds after the signal, and one within a driver
/// for longer.
void Child::pause() const {
  if (process_ <= 0) return;
  kill(-process_, SIGSTOP);
  constexpr int most_looks = 1000;
  constexpr auto between = std::chrono::microseconds(20);
  for (int look = 0; look < most_looks; ++look) {
    siginfo_t info{};
    const int answer =
        waitid(P_PID, static_cast<id_t>(process_), &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT);
    if (answer != 0 || info.si_pid != 0) break;
    std::this_thread::sleep_for(between);
  }
  constexpr off_t most_printed = 1 << 24;
  if (struct stat file{}; fstat(output_, &file) == 0 && file.st_size > most_printed)
    std::ignore = ftruncate(output_, most_printed / 2);
}

void Child::resume() const {
  if (process_ > 0) kill(-process_, SIGCONT);
}

void Child::end() {
  if (process_ < 0) return;
  // One that closed its line is about to end by itself.
  for (int wait = 0; line_.ended() && !gone() && wait < 100; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  pause();  // so that it starts no more
  const std::vector<pid_t> descendants = descendants_of(process_);
  kill(-process_, SIGKILL);
  for (const pid_t one : descendants) kill(one, SIGKILL);
  cpu_seconds_ = cpu_seconds();
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  finished_.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  process_ = -1;
}

}  // namespace gpp
