// How the program ends: its exit statuses, and Ctrl-C handling that lets a study end in order.
#pragma once

#include <csignal>
#include <initializer_list>

namespace gpp {

enum ExitStatus { every_check_passed = 0, something_failed = 1, bad_usage = 2, interrupted = 130 };

/// While this exists, the first SIGINT or SIGTERM is only noted; a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard() {
    seen_ = 0;
    handle_by(note);
  }
  ~InterruptGuard() { handle_by(SIG_DFL); }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Returns true after the first signal.
  static bool interrupted() { return seen_ != 0; }

 private:
  static void note(int signal) {
    seen_ = 1;
    std::signal(signal, SIG_DFL);
  }
  static void handle_by(void (*handler)(int)) {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handler);
  }

  inline static volatile std::sig_atomic_t seen_ = 0;
};

}  // namespace gpp
