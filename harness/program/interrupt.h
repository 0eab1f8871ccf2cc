// Ctrl-C that ends a study well instead of at once.
#pragma once

namespace gpp {

/// While it lives, the first SIGINT or SIGTERM is only noted; a second one ends the program as
/// usual.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Whether a signal has come.
  static bool interrupted();
};

}  // namespace gpp
