#include "harness/program/interrupt.h"

#include <csignal>

namespace gpp {
namespace {

volatile std::sig_atomic_t signal_seen = 0;

void note(int) { signal_seen = 1; }

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(signal, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signal_seen = 0;
  handle(SIGINT);
  handle(SIGTERM);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::interrupted() { return signal_seen != 0; }

}  // namespace gpp
