// Ctrl-C handling that lets a study end in order.
#pragma once

namespace gpp {

/// While this exists, the first SIGINT or SIGTERM is only noted; a second one ends the program.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Returns true after the first signal.
  static bool interrupted();
};

}  // namespace gpp
