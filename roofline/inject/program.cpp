#include "roofline/inject/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace roofline::inject {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// The running program. A hidden one has its own session without a terminal, so that it can be
/// ended together with all its children. Its exit is collected last, so that its process id is not
/// reused and no other process gets a signal.
class Program {
 public:
  Program(pid_t process, bool whole_session) : process_(process), whole_session_(whole_session) {}
  ~Program() { waitpid(process_, nullptr, WNOHANG); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool whole_session() const { return whole_session_; }
  void tell(int signal) const { kill(whole_session_ ? -process_ : process_, signal); }

  /// The program's exit status, if it has ended.
  std::optional<int> ended() const {
    siginfo_t end{};
    const auto number = static_cast<id_t>(process_);
    if (waitid(P_PID, number, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid != process_)
      return std::nullopt;
    return end.si_code == CLD_EXITED ? end.si_status : 128 + end.si_status;
  }

 private:
  pid_t process_;
  bool whole_session_;
};

/// During its lifetime, signals that ask for an end are noted and do not end this tool. Ignored
/// signals, as with nohup, stay ignored.
class Signals {
 public:
  Signals() {
    signal(SIGCHLD, SIG_DFL);  // programs' ends are lost while it is ignored
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int number, siginfo_t* info, void*) {
      last = number;
      by_terminal = info->si_code > 0;
    };
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      sigaction(numbers[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(numbers[i], &action, nullptr);
    }
  }
  ~Signals() {
    for (std::size_t i = 0; i < numbers.size(); ++i) sigaction(numbers[i], &before_[i], nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// The received signal, or 0. Forwards it unless the program got it itself: a terminal signals
  /// all its processes.
  static int pass_on(const Program& program) {
    const bool got_it = by_terminal != 0 && !program.whole_session();
    const int number = std::exchange(last, 0);
    if (number != 0 && !got_it) program.tell(number);
    return number;
  }

 private:
  static constexpr std::array numbers = {SIGINT, SIGTERM, SIGHUP};
  inline static volatile std::sig_atomic_t last = 0;
  inline static volatile std::sig_atomic_t by_terminal = 0;
  std::array<struct sigaction, numbers.size()> before_{};
};

/// The environment that makes the driver load the library.
std::vector<std::string> environment_with(const Run& run, const std::string& socket) {
  std::vector<std::string> all = {"CUDA_INJECTION64_PATH=" + run.library,
                                  "NVTX_INJECTION64_PATH=" + run.library,
                                  fmt::format("{}={}", socket_variable, socket)};
  const std::vector<std::string> ours = all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::ranges::none_of(ours, [text = std::string_view(*entry)](const std::string& one) {
          return text.starts_with(one.substr(0, one.find('=') + 1));
        }))
      all.emplace_back(*entry);
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

/// The position in standard input where the first run started to read, so that later runs start
/// there too. -1 for pipes and terminals, which cannot be read again.
off_t start_of_input() {
  static const off_t start = [] {
    struct stat input {};
    const bool is_file = fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode);
    return is_file ? lseek(STDIN_FILENO, 0, SEEK_CUR) : off_t{-1};
  }();
  return start;
}

Program start(const Run& run, const std::string& socket) {
  const std::vector<std::string> environment = environment_with(run, socket);
  const std::vector<char*> words = pointers(run.arguments), variables = pointers(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const off_t input = start_of_input();
  if (run.output_as_errors)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  if (!run.shown) {
    if (input < 0 || lseek(STDIN_FILENO, input, SEEK_SET) != input)
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  }
  pid_t process = -1;
  const int error =
      posix_spawnp(&process, words.front(), &actions, &attributes, words.data(), variables.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw InputError(
        fmt::format("{}: cannot be started: {}; is its name right, and does it lie on the PATH?",
                    visible(run.arguments.at(0)), std::strerror(error)));
  return {process, !run.shown};
}

/// The socket in a private folder, and the processes of the program that are connected to it.
class Conversation {
 public:
  Conversation(const Run& run, Tally& tally) : task_(facts_text(run.task)), tally_(tally) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path().size() >= sizeof address.sun_path)
      throw InputError(path() + ": too long for a socket; TMPDIR names another place");
    std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
    if (bind(listener_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
            0 ||
        listen(listener_.number(), SOMAXCONN) != 0)
      throw std::runtime_error(fmt::format("{}: no socket: {}", path(), std::strerror(errno)));
  }

  std::string path() const { return (folder_.path() / "socket").string(); }
  bool anybody() const { return !speakers_.empty(); }

  /// Waits for packets for a moment, and takes those that came.
  void hear() {
    std::vector<pollfd> streams = {{listener_.number(), POLLIN, 0}};
    for (const Speaker& speaker : speakers_)
      streams.push_back({speaker.socket.number(), POLLIN, 0});
    constexpr int milliseconds = 50;
    if (poll(streams.data(), streams.size(), milliseconds) <= 0) return;
    for (std::size_t i = speakers_.size(); i-- > 0;)
      if (streams[i + 1].revents != 0 && !takes_packet(speakers_[i]))
        speakers_.erase(speakers_.begin() + static_cast<std::ptrdiff_t>(i));
    if (streams[0].revents != 0) welcome();
  }

 private:
  struct Speaker {
    Descriptor socket;
    int rank = no_rank;
  };

  /// Returns false if the process has disconnected, or is not to be heard any more.
  bool takes_packet(Speaker& speaker) {
    const ssize_t size =
        recv(speaker.socket.number(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (size < 0) return errno == EAGAIN || errno == EINTR;
    if (size == 0) return false;
    try {
      add_packet(buffer_.substr(0, static_cast<std::size_t>(size)), speaker.rank, tally_);
    } catch (const InputError& error) {
      add_note(error.what(), tally_);
      return false;
    }
    return true;
  }

  /// A connection beyond the limit is closed at once, so that the process runs unwatched and does
  /// not wait for a task.
  void welcome() {
    Descriptor socket(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.number() < 0 || speakers_.size() >= limits::processes)
      return add_note("Some of the program's processes were not watched: too many at a time",
                      tally_);
    if (send(socket.number(), task_.data(), task_.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
    ++tally_.processes;
    speakers_.push_back({std::move(socket)});
  }

  const PassingFolder folder_{"roofline"};
  const Descriptor listener_{socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)};
  std::string task_;
  Tally& tally_;
  std::vector<Speaker> speakers_;
  std::string buffer_ = std::string(limits::packet, '\0');
};

/// Ends a program that runs too long, or in vain, first by asking.
class Ending {
 public:
  explicit Ending(std::chrono::duration<double> longest) : longest_(longest) {}

  void ask(const Program& program, const Tally& tally) {
    const Clock::time_point now = Clock::now();
    const bool over = now - began_ >= longest_ || !tally.refused.empty();
    if (longest_.count() <= 0 || !over || now < next_) return;
    program.tell(signal_);
    signal_ = signal_ == SIGINT ? SIGTERM : SIGKILL;
    next_ = now + std::chrono::seconds(5);
  }

 private:
  std::chrono::duration<double> longest_;
  int signal_ = SIGINT;
  Clock::time_point began_ = Clock::now(), next_ = began_;
};

}  // namespace

std::shared_ptr<const void> stay_alive() { return std::make_shared<const Signals>(); }

Tally run_watched(const Run& run, const std::function<void(const Tally&)>& progress, Tally before) {
  Tally tally = std::move(before);
  const std::string refused_before = std::exchange(tally.refused, {});
  tally.asked = {run.task.counters.begin(), run.task.counters.end()};
  tally.asked.insert(run.task.further.counters.begin(), run.task.further.counters.end());
  tally.asked.insert({run.task.further.sign, run.task.further.harmless});
  tally.by_rank = run.by_rank;
  Conversation conversation(run, tally);
  const Signals signals;
  const Clock::time_point began = Clock::now();
  const Program program = start(run, conversation.path());
  std::optional<int> status;
  Clock::time_point end;
  for (Ending ending(run.longest); !status || conversation.anybody();) {
    conversation.hear();
    const int signal = Signals::pass_on(program);
    if (signal != 0) tally.interrupted = signal;
    ending.ask(program, tally);
    progress(tally);
    if (status && (signal != 0 || Clock::now() - end > limits::afterwards)) {
      add_note("Processes that outlived the program were left alone", tally);
      if (!run.shown) program.tell(SIGKILL);
      break;
    }
    if (!status && (status = program.ended())) end = Clock::now();
  }
  tally.seconds += std::chrono::duration<double>(end - began).count();
  if (tally.status == 0) tally.status = *status;
  if (tally.refused.empty()) tally.refused = refused_before;
  return tally;
}

}  // namespace roofline::inject
