#include "harness/judge/player.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include "harness/plugin/plugin.h"
#include "harness/program/child.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

class Player {
 public:
  Player(const WorkerProgram& program, const WorkerMemory& memory)
      : program_(program),
        order_(roofline::read_text<PlayerOrder>(program.player, "the referee")),
        page_(*reinterpret_cast<Page*>(memory.outputs.data())) {}

  void play() {
    std::string wrong = error_of([this] { prepare(); });
    for (std::uint32_t run = 1; wrong.empty(); ++run) {
      constexpr double for_ever = -1;
      page_.done.store(run);
      wake(page_.done);
      while (page_.go.load() <= run) sleep_while(page_.go, run, for_ever);
      wrong = error_of([this] { compute(); });
    }
    std::strncpy(page_.words.data(), wrong.c_str(), page_.words.size() - 1);
    page_.failed.store(true);
    page_.done.fetch_add(1);
    wake(page_.done);
  }

 private:
  bool on_host() const { return program_.kind == "host"; }

  void prepare() {
    constexpr unsigned first_own = 3;
    if (on_host()) close_range(first_own, ~0U, 0);
    runtime_ = &runtime_of(kernel_called(program_.kernel), program_.model, program_.kind);
    openmp_threads();       // starts them, which is not possible later where they are bound
    run_on(first_place());  // other threads may be bound to the other cores
    let_our_threads_sleep();
    start_device();
    if (const std::string missing = limit_this_process(limits()); !missing.empty())
      throw std::runtime_error(missing);
    if (program_.variant.empty()) {
      sizes_ = {1, 1};
    } else {
      call_ =
          order_.library.empty() ? build_of(program_).second->call : load_plugin(order_.library);
      sizes_ = {call_.problem_bytes(), call_.answer_bytes()};
      std::strncpy(page_.types.data(), call_.types().c_str(), page_.types.size() - 1);
    }
  }

  /// OpenMP ties threads to cores whenever it starts them, where the judge asked for it. That needs
  /// a call which reaches other processes as well, but for those in a pid namespace of their own.
  ProcessLimits limits() const {
    ProcessLimits limits = order_.limits;
    limits.binds_threads = threads_are_bound() && getpid() == 1;
    if (on_host() && limits.system_calls && threads_are_bound() && !limits.binds_threads)
      throw std::runtime_error(
          "threads can be tied to cores only in a pid namespace of their own, which is missing: "
          "unset OMP_PROC_BIND and OMP_PLACES");
    return limits;
  }

  /// Its driver opens files and starts threads, which is not possible later.
  void start_device() {
    const std::string missing = runtime_->unavailable();
    if (!missing.empty()) throw std::runtime_error("no device: " + missing);
    if (on_host()) return;
    if (runtime_->device_place() != order_.place)
      throw std::runtime_error(fmt::format("its device is at {}, and the referee's at {}",
                                           runtime_->device_place(), order_.place));
    arena_ = static_cast<std::byte*>(
        runtime_->memory().open_by_name({page_.arena_name.begin(), page_.arena_name.end()}));
    runtime_->pulse(brief_pulse);
  }

  void compute() {
    const std::uint32_t count = page_.count;
    const auto ours = [this](const void* referees) -> void* {
      const std::uint64_t offset = reinterpret_cast<std::uint64_t>(referees) - page_.arena;
      return referees == nullptr ? nullptr : arena_ + offset;
    };
    runtime_->time([&] {
      for (std::uint32_t i = 0; i < count; ++i) {
        std::byte* const problem = page_.mail.data() + sizes_.problem(i);
        if (call_ && arena_ != nullptr) call_.relocate(problem, ours);
        if (call_)
          call_.on_bytes(problem, page_.mail.data() + sizes_.answer(i));
        else if (*problem != std::byte{})
          runtime_->pulse(brief_pulse);
      }
    });
  }

  const WorkerProgram& program_;
  const PlayerOrder order_;
  Page& page_;
  const Runtime* runtime_ = nullptr;
  std::byte* arena_ = nullptr;
  Call call_;  // none without a variant
  Mail sizes_;
};

}  // namespace

void fields(roofline::Fields& field, PlayerOrder& order) {
  field("library", order.library, roofline::as_it_is);
  field("place", order.place, roofline::as_it_is);
  field("system_calls", order.limits.system_calls);
  field("refuse_writing", order.limits.refuse_writing);
  field("resources", order.limits.resources);
  field("memory_bytes", order.limits.memory_bytes, roofline::any_size);
}

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, double seconds) {
  timespec limit{static_cast<time_t>(seconds), 0};
  limit.tv_nsec = static_cast<long>(1e9 * (seconds - static_cast<double>(limit.tv_sec)));
  syscall(SYS_futex, &word, FUTEX_WAIT, value, seconds < 0 ? nullptr : &limit, nullptr, 0);
}

void wake(const std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void play(const WorkerProgram& program, const WorkerMemory& memory) {
  Player(program, memory).play();
}

}  // namespace gpp
