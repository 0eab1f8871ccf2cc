#include "harness/judge/referee.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "harness/measure/study.h"
#include "harness/plugin/plugin.h"
#include "harness/program/child.h"
#include "harness/record/provenance.h"
#include "harness/record/record_json.h"
#include "roofline/base/machine.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// Rounds take at least so many seconds, where that many problems fit. Where the referee is on the
/// player's core the way there is short, and problems that go together push each other out of its
/// caches.
constexpr double shortest_round = 3e-3, shortest_on_one_core = 0.5e-3;
constexpr std::size_t most_together = 64;
constexpr std::size_t batch_inputs = 128 << 20, batch_outputs = 64 << 20;  // bytes of all of them

}  // namespace

void fields(roofline::Fields& field, Ruling& ruling) {
  using roofline::Whole;
  Submission& submission = ruling.submission;
  bool passed = ruling.passed();
  field("name", submission.name, roofline::any_text);
  field("model", submission.variant.model, roofline::name_or_empty);
  field("device", submission.kind, roofline::name_or_empty);
  field("source_sha256", submission.source_sha256, roofline::name_or_empty);
  field("library_sha256", submission.library_sha256, roofline::name_or_empty);
  field("passed", passed);
  field("foul", ruling.foul);
  field("reason", ruling.reason, roofline::any_text);
  field("together", ruling.together, Whole{1, most_together});
  field("seconds", ruling.samples, roofline::bounds::seconds);
  field("checks", ruling.checks, Whole{});
  field("max_relative_error", ruling.check.max_relative_error,
        roofline::OrNull{roofline::bounds::not_negative});
  field("tolerance", ruling.check.tolerance, roofline::bounds::not_negative);
  field("round_trip_s", ruling.round_trip_s, roofline::bounds::seconds);
  field("layers", ruling.layers.tried);
  field("rank", ruling.rank, Whole{});
  field("no_rank", ruling.no_rank, roofline::any_text);
}

/// A submission and its player.
struct Referee::Match {
  Referee& referee;
  const Grants& grants;
  Arena& arena;
  HeldPlayer& player;
  Ruling& ruling;
  // What follows from these.
  const JudgeRules& rules = referee.rules_;
  Variant variant = ruling.submission.variant;  // as the kernel's check knows it
  Call call = {};   // of another variant: the player's own is not known here
  Mail sizes = {};  // of what it takes and gives
  /// The step of this program on that device by whose answers others are judged; null: none is.
  const Variant* trusted = nullptr;
  Call trusted_call = {};
  int rounds = 0, busy = 0;  // after the latter the device had something to do
  // Of the last round.
  double seconds = 0;
  LoadShare load = {};
  bool still_busy = false;

  /// A problem in the arena.
  struct Drawn {
    std::unique_ptr<Subject> subject = {};  // null: the input's own
    std::unique_ptr<Placement> placement = {};
  };
  std::vector<Drawn> drawn = {};
  const Input* drawn_of = nullptr;  // the input of all of them

  void play() {
    for (const Variant& one : rules.kernel->catalog())
      for (const auto& [kind, its, runtime] : one.builds) {
        if (!call && its.types() == player.types()) call = its;
        if (one.id != rules.kernel->trusted || runtime != &arena.device()) continue;
        trusted = &one;
        trusted_call = its;
      }
    if (!call)
      throw std::runtime_error("it takes another problem than this kernel's: build it anew");
    sizes = {call.problem_bytes(), call.answer_bytes()};
    variant.builds = {{ruling.submission.kind, call, &arena.device()}};
    ruling.preparation_seconds = last().base->preparation_seconds(variant);
    SourceCount count = last().base->count(variant);
    ruling.counted = roofline::stated(std::move(count.metrics), std::move(count.unknown));
    for (const Input& input : referee.inputs_) {
      if (rules.progress) rules.progress("checking: " + input.name, -1);
      if (&input == &last()) ask(input, 1, true);  // whose answer is recorded
      ask(input, 1);
    }
    if (!rules.check_only) time();
  }

  const Input& last() const { return referee.inputs_.back(); }
  /// The kernel cannot draw, but makes another input of these sizes.
  bool makes_anew(const Input& input) const {
    return trusted == nullptr && &input == &last() && rules.source.file.empty();
  }

  /// As many as a round needs, or as fit.
  std::size_t problems_together() const {
    const MemorySizes& need = referee.need_;
    const auto most =
        static_cast<double>(std::min({most_together, sizes.most(), batch_inputs / need.inputs,
                                      batch_outputs / std::max<std::size_t>(1, need.outputs)}));
    const bool on_one_core = arena.on_host() && threads_are_bound();
    const double wanted = std::ceil((on_one_core ? shortest_on_one_core : shortest_round) /
                                    std::max(1e-9, seconds - grants.round_trip));
    return static_cast<std::size_t>(std::max(1.0, std::min(wanted, most)));
  }

  /// Until the rule of a study is satisfied. The first round of that size is not counted: it maps
  /// pages.
  void time() {
    const std::size_t together = problems_together();
    ruling.together = static_cast<int>(together);
    if (together > 1) ask(last(), together);
    const double start = steady_seconds();
    while (ruling.stop == Stop::none) {
      ask(last(), together);
      if (!still_busy) {
        ruling.samples.push_back(seconds / static_cast<double>(together));
        ruling.load.push_back(load);
      }
      const double used = steady_seconds() - start;
      if (rules.progress) rules.progress("timing", used / rules.timing.time_limit);
      ruling.stop = stop(rules.timing, ruling, used, rules.timing.time_limit);
    }
  }

  /// One round: so many problems, drawn anew, placed, computed, checked. With `as_it_is` the
  /// problem itself, and not another.
  void ask(const Input& input, std::size_t count, bool as_it_is = false) {
    if (rules.interrupted && rules.interrupted()) throw std::runtime_error("interrupted");
    const bool keeps = drawn_of == &input && drawn.size() == count && !as_it_is;
    if (!keeps || makes_anew(input)) {
      drawn.clear();  // all at once: the arena then has room again
      drawn.resize(count);
      drawn_of = &input;
    }
    std::vector<std::vector<std::byte>> problems;
    const Call collects = call.done_by([&problems](auto problem, auto /*answer*/) {
      problems.emplace_back(problem.begin(), problem.end());
    });
    for (Drawn& one : drawn) {
      draw(input, as_it_is, one);
      one.placement->run(variant, collects);
    }
    arena.pieces().spoil_outputs();
    let_our_threads_sleep();
    referee.load_.begin();
    const bool answer_in_arrays = call.answer_bytes() <= 1;  // an empty one has a byte
    const HeldPlayer::Round round = player.go(problems, sizes, answer_in_arrays);
    load = referee.load_.end();
    // What ours waited for longer than it does after an honest kernel, the player had not done yet.
    seconds = round.seconds + std::max(0.0, round.pulse_seconds - grants.longest_pulse);
    look_at_device(round.pulse_seconds);
    for (std::size_t i = 0; i < count; ++i) {
      drawn[i].placement->run(variant, call.done_by([&](auto, auto answer) {
        std::ranges::copy(round.answers[i], answer.begin());
      }));
      if (as_it_is) ruling.answer = drawn[i].placement->answer();
      judge_answer(input, *drawn[i].placement);
    }
  }

  /// Fills it with a problem that nobody has seen. What lies there already is changed, where this
  /// kernel can draw or the input has no other of its sizes.
  void draw(const Input& input, bool as_it_is, Drawn& one) {
    const std::uint64_t number = referee.secret_.draw("input", ++referee.draws_);
    if (!one.placement) {
      if (!as_it_is && makes_anew(input)) {
        SourceRequest request = rules.source;
        request.seed = number;
        one.subject = rules.kernel->obtain(request);
      }
      one.placement = (one.subject ? *one.subject : *input.base).place(arena);
    }
    if (as_it_is) return;
    if (trusted != nullptr && one.placement->draw_anew(number))
      settle_what_is_due(input, *one.placement);
    else
      one.placement->vary(number | 1);
  }

  /// Of small inputs by the reference; of the one that is judged by the trusted step, which is held
  /// against the reference the first time, and then by lot, the rarer the longer that takes.
  void settle_what_is_due(const Input& input, Placement& placement) {
    if (&input != &last()) return placement.compute_reference();
    constexpr double longest_reference = 10;        // seconds
    constexpr double least_one_of = 8, rarer = 16;  // of so many draws, and of as many a second
    placement.run(*trusted, trusted_call);
    placement.trust_last_answer();
    const double takes = input.base->reference().seconds;
    if (takes > longest_reference) return;
    const auto one_of = static_cast<std::uint64_t>(std::max(least_one_of, rarer * takes));
    const bool first = referee.held_.insert(&arena.device()).second;
    if (!first && referee.secret_.draw("lot", referee.draws_) % one_of != 0) return;
    placement.compute_reference();
    const Check check = placement.check(rules.kernel->tolerance(trusted->step));
    if (!check.passed)
      throw std::logic_error(fmt::format("the step {} that others are judged by is wrong: {}",
                                         trusted->id, check.reason));
  }

  void judge_answer(const Input& input, Placement& placement) {
    const Check check =
        placement.check(rules.tolerance.value_or(rules.kernel->tolerance(variant.step)));
    const bool worse = check.max_relative_error > ruling.check.max_relative_error;
    if (ruling.checks == 0 || worse || !check.passed) ruling.check = check;
    if (!check.passed) throw std::runtime_error(fmt::format("on {}: {}", input.name, check.reason));
    ++ruling.checks;
  }

  /// A kernel of the player's that goes on after the answer takes turns with ours.
  void look_at_device(double pulse_seconds) {
    constexpr double more = 0.3e-3;  // seconds; far more than an idle device's pulses differ by
    constexpr int accidents = 3, share = 5;
    ++rounds;
    still_busy = pulse_seconds >= grants.pulse + more;
    if (still_busy && ++busy > accidents && busy * share > rounds)
      throw Foul("the device goes on working after its answers");
  }
};

Referee::Referee(JudgeRules rules, const Secret& secret)
    : rules_(std::move(rules)),
      secret_(secret),
      sandbox_(!rules_.unwanted.contains(layer::mount_namespace)) {
  const Kernel& kernel = *rules_.kernel;
  if (kernel.check_inputs && rules_.largest_check > 0)
    for (const CheckInput& input : kernel.check_inputs()) {
      std::unique_ptr<Subject> subject = input.make();
      if (subject->input().terms <= rules_.largest_check)
        inputs_.push_back({input.name, std::move(subject)});
    }
  inputs_.push_back({"the input", kernel.obtain(rules_.source)});
  for (const Input& input : inputs_) {
    constexpr std::size_t enough = std::size_t{1} << 40;
    const Arena arena(host_runtime(), {enough, enough});  // takes no memory that is not used
    const auto placed = input.base->place(arena);
    need_ = arena.pieces().taken();
    size_.inputs = std::max(size_.inputs, need_.inputs + batch_inputs);
    size_.outputs = std::max(size_.outputs, need_.outputs + batch_outputs);
  }
}

/// Starts a player that has nothing to play, and times the way to it and back. Returns why that was
/// impossible.
std::string Referee::try_grants(const Runtime& runtime, Grants& grants) const {
  return error_of([&] {
    constexpr int rounds = 21;
    Arena arena(runtime, {});
    HeldPlayer player(grants.start, sandbox_, arena);
    std::vector<double> times, pulses;
    const auto asked_for = [&player](std::byte number) {
      return player.go({{number}}, {1, 1}, false);
    };
    for (int i = 0; i < rounds; ++i) {
      times.push_back(asked_for(std::byte{0}).seconds);
      pulses.push_back(asked_for(std::byte{1}).pulse_seconds);
    }
    grants.round_trip = summarize(times).median;
    grants.pulse = summarize(pulses).median;
    grants.longest_pulse = std::ranges::max(pulses);
  });
}

/// What hinders a player from starting is left out, one layer after the other.
const Referee::Grants& Referee::grants_of(const Submission& submission, const Runtime& runtime) {
  const std::string key = submission.variant.model + " " + submission.kind;
  if (const auto found = grants_.find(key); found != grants_.end()) return found->second;
  const bool on_host = submission.kind == "host";
  Grants grants{.layers = sandbox_.layers()};
  PlayerStart& start = grants.start;
  ProcessLimits& limits = start.order.limits;
  start.program = {rules_.kernel->name, "", submission.variant.model, submission.kind};
  start.longest_run = rules_.longest_run;
  start.interrupted = rules_.interrupted;
  start.pid_namespace = grants.layers.has(layer::pid_namespace);
  limits.system_calls = !rules_.unwanted.contains(layer::system_calls);
  limits.refuse_writing = on_host && !grants.layers.has(layer::mount_namespace);
  if (on_host)  // half of what is free, beside its inputs
    limits.memory_bytes = static_cast<std::uint64_t>(roofline::available_memory()) / 2;
  std::string why = try_grants(runtime, grants);
  for (const auto& [layer, granted] : {std::pair{layer::pid_namespace, &start.pid_namespace},
                                       {layer::system_calls, &limits.system_calls},
                                       {layer::resources, &limits.resources}}) {
    if (!why.empty() && *granted) {
      *granted = false;
      grants.layers.note(layer, why);
      why = try_grants(runtime, grants);
    }
    grants.layers.note(layer, *granted ? "" : "not wanted");
  }
  if (!why.empty()) throw std::runtime_error("no player starts here: " + why);
  grants.layers.note(on_host ? layer::read_only_inputs : layer::idle_device);
  // A GPU's driver wants the machine's own numbers of processes. The filter keeps others from harm.
  if (!on_host && grants.layers.has(layer::system_calls))
    std::erase_if(grants.layers.tried,
                  [](const JudgeLayer& one) { return one.name == layer::pid_namespace; });
  return grants_[key] = std::move(grants);
}

Ruling Referee::judge(const Submission& submission) {
  const Runtime& real = runtime_of(*rules_.kernel, submission.variant.model, submission.kind);
  const Grants& grants = grants_of(submission, real);
  Ruling ruling;
  ruling.submission = submission;
  ruling.variant = submission.variant.id;
  ruling.step = submission.variant.step;
  ruling.model = submission.variant.model;
  ruling.kind = submission.kind;
  ruling.device = real.describe().name;
  ruling.threads = threads_of(ruling);
  ruling.status = Status::failed;
  ruling.layers = grants.layers;
  ruling.round_trip_s = grants.round_trip;
  Arena arena(real, size_);
  try {
    PlayerStart start = grants.start;
    start.program.variant = submission.variant.id;
    start.order.library = submission.library;
    HeldPlayer player(start, sandbox_, arena);
    Match match{*this, grants, arena, player, ruling};
    load_.own_too([&player] { return player.cpu_seconds(); });
    match.play();
    ruling.status = Status::passed;
  } catch (const std::logic_error&) {
    throw;  // it is not the submission's
  } catch (const Foul& foul) {
    ruling.foul = true;
    ruling.reason = foul.what();
  } catch (const std::exception& error) {
    ruling.reason = error.what();
  }
  load_.own_too({});
  return ruling;
}

}  // namespace gpp
