#include "harness/program/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace gpp {
namespace {

volatile std::sig_atomic_t signal_seen = 0;

/// A second signal ends the program.
void note(int signal) {
  signal_seen = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signal_seen = 0;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note);
}

InterruptGuard::~InterruptGuard() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

bool InterruptGuard::interrupted() { return signal_seen != 0; }

}  // namespace gpp
