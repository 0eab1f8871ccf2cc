#include "harness/judge/player.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <string_view>

#include "harness/judge/arena.h"
#include "harness/judge/held_player.h"
#include "harness/measure/worker.h"
#include "harness/plugin/plugin.h"
#include "harness/program/child.h"
#include "harness/program/selection.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

class Player {
 public:
  explicit Player(PlayerOrder order)
      : order_(std::move(order)),
        page_(*reinterpret_cast<Page*>(map_shared(order_.page, 0, true))) {}

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
  bool on_host() const { return order_.kind == "host"; }

  void prepare() {
    if (on_host() && order_.inputs >= 0) {
      map_shared(order_.inputs, Arena::inputs_at, false);
      map_shared(order_.outputs, Arena::outputs_at, true);
    }
    constexpr unsigned first_own = 3;
    on_host() ? close_range(first_own, ~0U, 0) : close(order_.page);
    runtime_ = &runtime_of(kernel_called(order_.kernel), order_.model, order_.kind);
    free_first_thread();
    openmp_threads();  // starts them, which is not possible later where they are bound
    // A study's process is a fork of one that has kept threads, and its steps wait accordingly.
    start_kept_threads();
    tie_first_thread();
    let_our_threads_sleep();
    start_device();
    if (const std::string missing = limit_this_process(limits()); !missing.empty())
      throw std::runtime_error(missing);
    if (order_.variant.empty()) {
      sizes_ = {1, 1};
    } else {
      call_ = call_of(order_);
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

  const PlayerOrder order_;
  Page& page_;
  const Runtime* runtime_ = nullptr;
  std::byte* arena_ = nullptr;
  Call call_;  // none without a variant
  Mail sizes_;
};

}  // namespace

void fields(roofline::Fields& field, PlayerOrder& order) {
  constexpr roofline::Whole descriptor{-1, roofline::bounds::small};
  field("kernel", order.kernel, roofline::as_it_is);
  field("variant", order.variant, roofline::as_it_is);
  field("model", order.model, roofline::as_it_is);
  field("kind", order.kind, roofline::as_it_is);
  field("library", order.library, roofline::as_it_is);
  field("place", order.place, roofline::as_it_is);
  field("page", order.page, descriptor);
  field("inputs", order.inputs, descriptor);
  field("outputs", order.outputs, descriptor);
  field("system_calls", order.limits.system_calls);
  field("refuse_writing", order.limits.refuse_writing);
  field("resources", order.limits.resources);
  field("memory_bytes", order.limits.memory_bytes, roofline::any_size);
}

Call call_of(const PlayerOrder& order) {
  if (!order.library.empty()) return load_plugin(order.library);
  return build_of({order.kernel, order.variant, order.model, order.kind}).second->call;
}

const Runtime& runtime_of(const Kernel& kernel, const std::string& model, const std::string& kind) {
  const Recipe* const recipe = recipe_of(kernel, model, kind);
  if (recipe != nullptr && recipe->runtime != nullptr) return *recipe->runtime;
  throw std::runtime_error(
      fmt::format("this program has no model {} for the {} of {}", model, kind, kernel.name));
}

bool play_if_asked(int argc, const char* const* argv) {
  if (argc < 2 || std::string_view(argv[1]) != player_word) return false;
  const std::string error = error_of([&] {
    if (argc > 2) Player(roofline::read_text<PlayerOrder>(argv[2], "the referee")).play();
  });
  if (!error.empty()) fmt::print(stderr, "gpp: {}\n", error);
  return true;
}

}  // namespace gpp
