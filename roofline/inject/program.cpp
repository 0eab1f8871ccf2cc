#include "roofline/inject/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/passing_folder.h"
#include "roofline/base/visible.h"

namespace roofline::inject {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_last_words = 2000;
constexpr std::chrono::seconds patience{5};  // wait for a program that was asked to end

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
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

/// A socket in a private folder.
class Listener {
 public:
  Listener() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path().size() >= sizeof address.sun_path)
      throw InputError(path() + ": too long for a socket; TMPDIR names another place");
    std::strncpy(address.sun_path, path().c_str(), sizeof address.sun_path - 1);
    if (bind(number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(number(), SOMAXCONN) != 0)
      throw std::runtime_error(fmt::format("{}: no socket: {}", path(), std::strerror(errno)));
  }

  int number() const { return socket_.number(); }
  std::string path() const { return (folder_.path() / "socket").string(); }

 private:
  const PassingFolder folder_{"roofline"};
  const Descriptor socket_{socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)};
};

/// The running program. A hidden program has its own session without a terminal, so that it can be
/// ended together with all its children. Its exit is collected as late as possible, so that its
/// process id is not reused and no other process gets a signal.
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
    struct sigaction action {};
    action.sa_sigaction = [](int number, siginfo_t* info, void*) {
      last = number;
      by_terminal = info->si_code > 0;
    };
    action.sa_flags = SA_SIGINFO;
    // Programs' ends are lost while SIGCHLD is ignored.
    struct sigaction usual {};
    usual.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &usual, nullptr);
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
  int pass_on(const Program& program) const {
    const bool got_it = by_terminal != 0 && !program.whole_session();
    const int number = take();
    if (number != 0 && !got_it) program.tell(number);
    return number;
  }
  /// The received signal, or 0, if there is no program to forward it to.
  int take() const {
    const int number = last;
    last = 0;
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
  std::vector<std::string> ours = {"CUDA_INJECTION64_PATH=" + run.library,
                                   fmt::format("{}={}", socket_variable, socket),
                                   "NVTX_INJECTION64_PATH=" + run.library};
  std::vector<std::string> all = ours;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const std::string& one : ours)
      replaced = replaced || text.starts_with(one.substr(0, one.find('=') + 1));
    if (!replaced) all.emplace_back(text);
  }
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

Program start(const Run& run, const std::string& socket, int kept_errors) {
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
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, kept_errors, STDERR_FILENO);
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

/// Discards the beginning of a file in memory that may grow for hours; only its end is needed.
void forget_beginning(int file) {
  constexpr off_t most = off_t{1} << 20;
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0 || facts.st_size <= most) return;
  fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, facts.st_size - most);
}

std::string end_of(int file) {
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0) return {};
  const auto size = static_cast<std::size_t>(facts.st_size);
  std::string text(std::min(size, most_last_words), '\0');
  const ssize_t got = pread(file, text.data(), text.size(), static_cast<off_t>(size - text.size()));
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

/// A connected process of the program.
struct Speaker {
  Descriptor socket;
  Connection connection;
};

/// Takes a packet if there is one. Returns false if the process has disconnected.
bool hear(Speaker& speaker, std::string& buffer, Tally& tally) {
  const ssize_t size = recv(speaker.socket.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size < 0) return errno == EAGAIN || errno == EINTR;
  if (size == 0) return false;
  try {
    add_packet(buffer.substr(0, static_cast<std::size_t>(size)), speaker.connection, tally);
  } catch (const InputError& error) {
    add_note(error.what(), tally);
    return false;
  }
  return true;
}

/// The maximum number of connected processes.
std::size_t most_speakers() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 ||
      files.rlim_cur >= limits::processes + limits::own_files)
    return limits::processes;
  const auto may_open = static_cast<std::size_t>(files.rlim_cur);
  return may_open > limits::own_files ? may_open - limits::own_files : 1;
}

class Conversation {
 public:
  Conversation(const Run& run, Tally& tally) : task_(facts_text(run.task)), tally_(tally) {}

  std::string path() const { return listener_.path(); }
  bool anybody() const { return !speakers_.empty(); }

  /// Waits for packets for a moment. Returns true if any came.
  bool listen() {
    const bool closed = Clock::now() < closed_until_;
    std::vector<pollfd> streams = {{closed ? -1 : listener_.number(), POLLIN, 0}};
    for (const Speaker& speaker : speakers_)
      streams.push_back({speaker.socket.number(), POLLIN, 0});
    constexpr int milliseconds = 50;
    if (poll(streams.data(), streams.size(), milliseconds) <= 0) return false;
    for (std::size_t i = speakers_.size(); i-- > 0;)
      if (streams[i + 1].revents != 0 && !hear(speakers_[i], buffer_, tally_))
        speakers_.erase(speakers_.begin() + static_cast<std::ptrdiff_t>(i));
    if (streams[0].revents != 0) welcome();
    return true;
  }

 private:
  /// Accepts connections. One beyond the limit is accepted and closed at once, so that the process
  /// runs unwatched and does not wait for a task. Others wait until next time.
  void welcome() {
    Descriptor socket(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    const bool came = socket.number() >= 0;
    if (!came) closed_until_ = Clock::now() + std::chrono::seconds(1);
    if (!came && errno != EMFILE && errno != ENFILE) return;
    if (!came || speakers_.size() >= most_) {
      add_note(fmt::format("more than {} processes of the program used CUDA at a time: those "
                           "beyond were not watched",
                           std::min(most_, speakers_.size())),
               tally_);
      return;
    }
    if (send(socket.number(), task_.data(), task_.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
    ++tally_.processes;
    speakers_.push_back({std::move(socket), {}});
  }

  Listener listener_;
  std::string task_;
  Tally& tally_;
  const std::size_t most_ = most_speakers();
  std::vector<Speaker> speakers_;
  Clock::time_point closed_until_ = {};
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
    next_ = now + patience;
  }

 private:
  std::chrono::duration<double> longest_;
  int signal_ = SIGINT;
  Clock::time_point began_ = Clock::now(), next_ = began_;
};

/// Takes the data of processes that outlive the program, until they are silent or time is over.
/// After a signal, this time is short.
void hear_out(Conversation& conversation, const Signals& signals, Ending& ending,
              const Program& program, std::chrono::milliseconds most, Tally& tally) {
  const Clock::time_point began = Clock::now();
  Clock::time_point heard = began;
  while (conversation.anybody()) {
    if (conversation.listen() && tally.interrupted == 0) heard = Clock::now();
    if (const int signal = signals.take(); signal != 0) tally.interrupted = signal;
    ending.ask(program, tally);
    const Clock::time_point now = Clock::now();
    if (now - heard < limits::silence && now - began < most) continue;
    add_note(fmt::format("a process that the program started was left alone: it still ran {:.2g} s "
                         "after its end",
                         std::chrono::duration<double>(now - began).count()),
             tally);
    return;
  }
}

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
  const Descriptor errors(run.shown ? -1 : memfd_create("standard error", MFD_CLOEXEC));
  const Signals signals;
  const Clock::time_point began = Clock::now();
  const Program program = start(run, conversation.path(), errors.number());
  std::optional<int> status;
  Ending ending(run.longest);
  while (!status) {
    conversation.listen();
    if (const int signal = signals.pass_on(program); signal != 0) tally.interrupted = signal;
    ending.ask(program, tally);
    forget_beginning(errors.number());
    progress(tally);
    status = program.ended();
  }
  tally.seconds += std::chrono::duration<double>(Clock::now() - began).count();
  if (tally.status == 0) tally.status = *status;
  hear_out(conversation, signals, ending, program, run.afterwards, tally);
  if (const int signal = signals.take(); signal != 0) tally.interrupted = signal;
  tally.last_words = end_of(errors.number());
  if (tally.refused.empty()) tally.refused = refused_before;
  return tally;
}

}  // namespace roofline::inject
