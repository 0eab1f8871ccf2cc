// A process that shares this one's memory as it was when it started, each side writing to copies of
// its own. It may crash, hang or leave behind what it likes: it can be stopped, and its end is
// told.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "roofline/base/process.h"

namespace gpp {

/// The far end of the line between two processes. A message is a line: roofline::Message.
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

/// All that a process started and that still run, in groups and sessions of their own, too.
std::vector<pid_t> descendants_of(pid_t process);

class Forked {
 public:
  /// Starts a process that calls `work` and ends. It is alone in a process group, its standard
  /// input is empty, its output is kept, and it ends with this one. It has the calling program's
  /// memory, but none of its threads: OpenMP starts anew there. Throws std::runtime_error where
  /// none can be started.
  explicit Forked(const std::function<void(Line&)>& work);
  /// Ends it, and what it started.
  ~Forked();
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;

  bool say(const std::string& message) const { return line_.say(message); }
  /// The next message. False, once it has ended: by itself, for having been silent for `seconds`,
  /// or soon after `interrupted`, which may be empty. `end` tells which.
  bool hear(std::string& message, double seconds, const std::function<bool()>& interrupted);
  /// Stops all its threads and the processes that it started, until resume(); returns once its
  /// threads have stopped.
  void pause() const;
  void resume() const;
  /// CPU seconds of all its threads.
  double cpu_seconds() const;
  /// The first of what it and its children wrote to their output, for people.
  std::string printed() const;
  /// Valid after hear() gave false.
  const roofline::Finished& finished() const { return finished_; }
  bool was_interrupted() const { return interrupted_; }
  pid_t process() const { return process_; }
  bool gone() const;  ///< it has ended, though that was not heard yet

 private:
  struct Keeper;
  void end();

  std::unique_ptr<Keeper> keeper_;
  pid_t process_ = -1;
  int socket_ = -1;
  int output_ = -1;
  Line line_{-1};
  roofline::Finished finished_;
  bool interrupted_ = false;
  double cpu_seconds_ = 0;  // of a process that ended
};

}  // namespace gpp
