// Processes that run variants. One may crash, hang or leave behind what it likes: it can be
// stopped, and its end is told. What it and its starter tell each other is a message
// (roofline::Message) a line.
#pragma once

#include <sys/types.h>

#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "roofline/base/machine.h"
#include "roofline/record/fields.h"

namespace gpp {

using roofline::message_text;

/// Something failed: a roofline::Failure.
inline constexpr const char* failure_message = "failure";

/// Calls `action`. The words of what it throws; empty where it throws nothing.
std::string error_of(const std::function<void()>& action);

/// Why a process ended that was to go on; `limit_s` are the seconds of silence that it was granted.
std::string early_end(const roofline::Finished& finished, double limit_s);

/// 0 where it is not known.
double seconds_of(clockid_t clock);
/// CPU seconds of all threads of a process.
double cpu_seconds_of(pid_t process);

/// All that a process started and that still run, in groups and sessions of their own, too.
std::vector<pid_t> descendants_of(pid_t process);

/// The far end of the line between two processes.
class Line {
 public:
  explicit Line(int socket) : socket_(socket) {}
  /// False where nobody listens any more.
  bool say(const std::string& message) const;
  /// Waits so many seconds for the next message; false where none came, or the other side is gone.
  bool hear(std::string& message, double seconds);
  bool ended() const { return ended_; }
  int descriptor() const { return socket_; }

 private:
  int socket_;
  bool ended_ = false;
  std::string heard_;  // beyond the last message
};

class Child {
 public:
  /// Starts a process that calls `work`, which becomes another program or returns, and ends. It is
  /// alone in a process group, its standard input is empty, its output is kept, and it ends with
  /// the thread that started it. Throws std::runtime_error where none can be started.
  explicit Child(const std::function<void(Line&)>& work);
  /// Ends it, and what it started.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool say(const std::string& message) const { return line_.say(message); }
  /// The next message. False, once it has ended: by itself, for having been silent for `seconds`,
  /// or soon after `interrupted`, which may be empty. `finished` tells which.
  bool hear(std::string& message, double seconds, const std::function<bool()>& interrupted);
  /// Stops all its threads and the processes that it started, until resume(); returns once its
  /// threads have stopped.
  void pause() const;
  void resume() const;
  double cpu_seconds() const { return process_ < 0 ? cpu_seconds_ : cpu_seconds_of(process_); }
  /// The first of what it and its children wrote to their output, for people.
  std::string printed() const;
  /// Valid after hear() gave false.
  const roofline::Finished& finished() const { return finished_; }
  bool was_interrupted() const { return interrupted_; }
  pid_t process() const { return process_; }
  bool gone() const;  ///< it has ended, though that was not heard yet

 private:
  void end();

  pid_t process_ = -1;
  int output_ = -1;
  Line line_{-1};
  roofline::Finished finished_;
  bool interrupted_ = false;
  double cpu_seconds_ = 0;  // of a process that ended
};

}  // namespace gpp
