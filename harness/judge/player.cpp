#include "harness/judge/player.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string_view>

#include "harness/judge/arena.h"
#include "harness/judge/held_player.h"
#include "harness/judge/page.h"
#include "harness/kernel.h"
#include "harness/measure/child.h"
#include "harness/measure/selection.h"
#include "harness/plugin/plugin.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

constexpr std::string_view player_word = "--play";
constexpr std::string_view no_variant = "-";
constexpr int player_arguments = 16;

/// An argument's place in the command line.
enum Place {
  kernel_at = 2,
  variant_at,
  model_at,
  kind_at,
  library_at,
  page_at,
  inputs_at,
  outputs_at,
  inputs_bytes_at,
  outputs_bytes_at,
  memory_at,
  calls_at,
  writing_at,
  resources_at
};

template <class Number>
Number number_at(const char* const* argv, Place place) {
  const std::string_view text = argv[place];
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

class Player {
 public:
  Player(const PlayerProgram& program, const PlayerHands& hands)
      : program_(program),
        hands_(hands),
        page_(*reinterpret_cast<Page*>(map_shared(hands.page, 0, sizeof(Page), true))) {}

  void play() {
    const std::string error = error_of([this] { prepare(); });
    if (!error.empty()) return fail(error);
    page_.state.store(PlayerState::ready);
    wake(page_.go);  // nobody waits for it; the referee looks at the state by itself
    for (std::uint32_t run = 1;; ++run) {
      constexpr double for_ever = -1;
      while (page_.go.load() < run) sleep_while(page_.go, run - 1, for_ever);
      const std::string wrong = error_of([this] { compute(); });
      if (!wrong.empty()) return fail(wrong);
      page_.done.store(run);
      wake(page_.done);
    }
  }

 private:
  void prepare() {
    if (hands_.inputs >= 0) {
      map_shared(hands_.inputs, Arena::inputs_at, hands_.inputs_bytes, false);
      map_shared(hands_.outputs, Arena::outputs_at, hands_.outputs_bytes, true);
    }
    constexpr unsigned first_own = 3;
    if (program_.kind == "host") close_range(first_own, ~0U, 0);
    runtime_ = &runtime_of(kernel_called(program_.kernel), program_.model, program_.kind);
    free_first_thread();
    openmp_threads();  // starts them, which is not possible later where they are bound
    // A study's process is a fork of one that has kept threads, and its steps wait accordingly.
    start_kept_threads();
    tie_first_thread();
    let_our_threads_sleep();
    start_device();
    const std::string missing = limit_this_process(limits());
    if (!missing.empty()) throw std::runtime_error(missing);
    load();
    page_.problem_bytes = problem_bytes_;
    page_.answer_bytes = answer_bytes_;
  }

  /// OpenMP ties threads to cores whenever it starts them, where the judge asked for it. That needs
  /// a call which reaches other processes as well, but for those in a pid namespace of their own.
  ProcessLimits limits() const {
    ProcessLimits limits = hands_.limits;
    limits.binds_threads = threads_are_bound() && getpid() == 1;
    if (program_.kind == "host" && limits.system_calls && threads_are_bound() &&
        !limits.binds_threads)
      throw std::runtime_error(
          "threads can be tied to cores only in a pid namespace of their own, which is missing: "
          "unset OMP_PROC_BIND and OMP_PLACES");
    return limits;
  }

  /// Its driver opens files and starts threads, which is not possible later.
  void start_device() {
    const std::string missing = runtime_->unavailable();
    if (!missing.empty()) throw std::runtime_error("no device: " + missing);
    if (program_.kind == "host") return;
    for (const int own : {hands_.page, hands_.inputs, hands_.outputs})
      if (own >= 0) close(own);
    const std::vector<std::byte> name(page_.arena_name.data(),
                                      page_.arena_name.data() + page_.arena_name_bytes);
    arena_ = static_cast<std::byte*>(runtime_->memory().open_by_name(name));
    runtime_->pulse();
  }

  void load() {
    if (program_.variant == no_variant) {
      call_ = [this](const std::byte* problem, std::byte* /*answer*/) {
        if (*problem != std::byte{}) runtime_->pulse();
      };
      problem_bytes_ = answer_bytes_ = sizeof(double);
      return;
    }
    const Call call =
        program_.library.empty() ? call_of_step(program_) : load_plugin(program_.library);
    problem_bytes_ = call.problem_bytes();
    answer_bytes_ = call.answer_bytes();
    call_ = [call](const std::byte* problem, std::byte* answer) { call.on_bytes(problem, answer); };
  }

  void compute() {
    const std::uint32_t count = page_.count;
    runtime_->time([&] {
      for (std::uint32_t i = 0; i < count; ++i) {
        std::byte* const problem = page_.mail.data() + Page::place_of_problem(i, problem_bytes_);
        if (arena_ != nullptr) relocate(problem);
        call_(problem,
              page_.mail.data() + Page::place_of_answer(i, count, problem_bytes_, answer_bytes_));
      }
    });
  }

  /// Puts this process's addresses where the problem has the referee's.
  void relocate(std::byte* problem) const {
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= problem_bytes_; at += alignof(void*)) {
      std::uint64_t word = 0;
      std::memcpy(&word, problem + at, sizeof(word));
      if (word - page_.arena >= page_.arena_bytes) continue;
      word += reinterpret_cast<std::uint64_t>(arena_) - page_.arena;
      std::memcpy(problem + at, &word, sizeof(word));
    }
  }

  void fail(const std::string& why) {
    std::strncpy(page_.words.data(), why.c_str(), page_.words.size() - 1);
    page_.state.store(PlayerState::failed);
    page_.done.fetch_add(1);
    wake(page_.done);
  }

  const PlayerProgram& program_;
  const PlayerHands& hands_;
  Page& page_;
  const Runtime* runtime_ = nullptr;
  std::byte* arena_ = nullptr;
  std::size_t problem_bytes_ = 0, answer_bytes_ = 0;
  std::function<void(const std::byte* problem, std::byte* answer)> call_;
};

}  // namespace

Call call_of_step(const PlayerProgram& program) {
  for (const Variant& variant : kernel_called(program.kernel).catalog())
    for (const Build& build : variant.builds)
      if (variant.id == program.variant && variant.model == program.model &&
          build.kind == program.kind)
        return build.call;
  throw std::runtime_error("this program does not have the step");
}

const Runtime& runtime_of(const Kernel& kernel, const std::string& model, const std::string& kind) {
  for (const Recipe& recipe : recipes())
    if (recipe.kernel == kernel.name && recipe.model == model && recipe.kind == kind &&
        recipe.runtime != nullptr)
      return *recipe.runtime;
  throw std::runtime_error(
      fmt::format("this program has no model {} for the {} of {}", model, kind, kernel.name));
}

std::vector<std::string> arguments_of(const PlayerProgram& program, const PlayerHands& hands) {
  const auto word = [](const std::string& text) {
    return text.empty() ? std::string(no_variant) : text;
  };
  const ProcessLimits& limits = hands.limits;
  return {std::string(player_word),
          program.kernel,
          word(program.variant),
          word(program.model),
          program.kind,
          program.library.string(),
          fmt::format("{}", hands.page),
          fmt::format("{}", hands.inputs),
          fmt::format("{}", hands.outputs),
          fmt::format("{}", hands.inputs_bytes),
          fmt::format("{}", hands.outputs_bytes),
          fmt::format("{}", limits.memory_bytes),
          fmt::format("{}", limits.system_calls ? 1 : 0),
          fmt::format("{}", limits.refuse_writing ? 1 : 0),
          fmt::format("{}", limits.resources ? 1 : 0)};
}

bool play_if_asked(int argc, const char* const* argv) {
  if (argc < 2 || argv[1] != player_word) return false;
  if (argc != player_arguments) return true;  // whether it starts at all
  const PlayerProgram program{argv[kernel_at], argv[variant_at], argv[model_at], argv[kind_at],
                              argv[library_at]};
  PlayerHands hands;
  hands.page = number_at<int>(argv, page_at);
  hands.inputs = number_at<int>(argv, inputs_at);
  hands.outputs = number_at<int>(argv, outputs_at);
  hands.inputs_bytes = number_at<std::size_t>(argv, inputs_bytes_at);
  hands.outputs_bytes = number_at<std::size_t>(argv, outputs_bytes_at);
  hands.limits.memory_bytes = number_at<std::uint64_t>(argv, memory_at);
  hands.limits.system_calls = number_at<int>(argv, calls_at) != 0;
  hands.limits.refuse_writing = number_at<int>(argv, writing_at) != 0;
  hands.limits.resources = number_at<int>(argv, resources_at) != 0;
  const std::string error = error_of([&] { Player(program, hands).play(); });
  if (!error.empty()) fmt::print(stderr, "gpp: {}\n", error);
  return true;
}

}  // namespace gpp
