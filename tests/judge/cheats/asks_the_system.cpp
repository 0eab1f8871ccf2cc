// Cheat: asks the system for what would help it, in many ways. It names the first that is granted.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <csignal>
#include <ctime>
#include <stdexcept>

bool is_child(long process) {
  if (process == 0) _exit(0);
  return process > 0;
}

bool chooses_its_core() {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  return sched_setaffinity(0, sizeof(first), &first) == 0;
}

bool counts_events() {
  perf_event_attr cycles{};
  cycles.size = sizeof(cycles);
  return syscall(SYS_perf_event_open, &cycles, -1, 0, -1, 0) >= 0;
}

/// Memory of the referee, which knows the expected sums.
bool reads_the_referee() {
  Sums sums{};
  const iovec here{&sums, sizeof(sums)};
  const iovec there{reinterpret_cast<void*>(0x300000000000), sizeof(sums)};
  return process_vm_readv(getppid(), &here, 1, &there, 1, 0) >= 0;
}

bool sets_the_clock() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= 1;
  return clock_settime(CLOCK_REALTIME, &now) == 0;
}

/// One that loads a library before all others.
bool becomes_a_program() {
  char name[] = "gpp", preload[] = "LD_PRELOAD=/tmp/clock.so";
  char* const arguments[] = {name, nullptr};
  char* const variables[] = {preload, nullptr};
  return execve("/proc/self/exe", arguments, variables) == 0;
}

bool takes_the_processor() {
  sched_param most{99};
  return sched_setscheduler(0, SCHED_FIFO, &most) == 0;
}

const struct {
  const char* name;
  bool (*granted)();
} attempts[] = {
    {"forks workers", [] { return is_child(fork()); }},
    {"clones workers", [] { return is_child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
    {"becomes a program", becomes_a_program},
    {"calls home", [] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
    {"keeps sums in shared memory", [] { return shmget(7777, 4096, IPC_CREAT | 0600) >= 0; }},
    {"leaves its session", [] { return setsid() >= 0; }},
    {"leaves its group", [] { return setpgid(0, 0) == 0; }},
    {"chooses its core", chooses_its_core},
    {"takes the processor", takes_the_processor},
    {"counts events", counts_events},
    {"reads the referee", reads_the_referee},
    {"traces the referee", [] { return ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0; }},
    {"sets the clock", sets_the_clock},
    {"stops the referee", [] { return kill(getppid(), SIGSTOP) == 0; }},
    {"kills its group", [] { return kill(0, SIGKILL) == 0; }}};

Sums asks_the_system(const Problem& problem) {
  for (const auto& [name, granted] : attempts)
    if (problem.nbands > 0 && granted()) throw std::runtime_error(name);
  return {};
}
