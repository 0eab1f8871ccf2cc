#include "roofline/machine_code/sampler.h"

#include <link.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <mutex>
#include <string>

namespace roofline {
namespace {

constexpr std::size_t most_samples = 1 << 16;
std::array<std::atomic<std::uintptr_t>, most_samples> places;
std::atomic<std::size_t> taken{0};

std::uintptr_t instruction_pointer(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  static_cast<void>(machine);
  return 0;
#endif
}

void note_place(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const std::size_t mine = taken.fetch_add(1, std::memory_order_relaxed);
  if (mine < most_samples)
    places[mine].store(instruction_pointer(context), std::memory_order_relaxed);
}

/// While it lives, the clock of this process's threads interrupts them.
class Clock {
 public:
  Clock() {
    taken = 0;
    struct sigaction action {};
    action.sa_sigaction = note_place;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGPROF, &action, &before_);
    const itimerval each_millisecond = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_PROF, &each_millisecond, nullptr);
  }
  /// A signal may still be on its way to a thread: it finds a handler that does nothing.
  ~Clock() {
    const itimerval never = {};
    setitimer(ITIMER_PROF, &never, nullptr);
    const bool had_none = (before_.sa_flags & SA_SIGINFO) == 0 && before_.sa_handler == SIG_DFL;
    if (had_none) before_.sa_handler = SIG_IGN;
    sigaction(SIGPROF, &before_, nullptr);
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

 private:
  struct sigaction before_ {};
};

struct Search {
  std::uintptr_t place;
  SampledAddress found;
};

int look_into(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  for (int i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
    if (segment.p_type != PT_LOAD || search.place < begin ||
        search.place >= begin + segment.p_memsz)
      continue;
    const std::string name = module->dlpi_name;
    search.found.module = name.empty() ? own_program() : std::filesystem::path(name);
    search.found.address = search.place - module->dlpi_addr;
    return 1;
  }
  return 0;
}

}  // namespace

std::filesystem::path own_program() { return "/proc/" + std::to_string(getpid()) + "/exe"; }

SampledAddress module_address(std::uintptr_t place) {
  Search search{place, {}};
  dl_iterate_phdr(look_into, &search);
  return search.found;
}

std::vector<SampledAddress> sample(const std::function<void()>& work) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  {
    const Clock clock;
    work();
  }
  std::vector<SampledAddress> samples;
  const std::size_t count = std::min<std::size_t>(taken, most_samples);
  for (std::size_t i = 0; i < count; ++i) samples.push_back(module_address(places[i]));
  return samples;
}

}  // namespace roofline
