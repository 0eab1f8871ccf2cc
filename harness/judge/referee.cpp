#include "harness/judge/referee.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/measure/child.h"
#include "roofline/base/machine.h"
#include "runtimes/runtimes.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

/// Rounds take at least so many seconds, where that many problems fit. Where the referee is on the
/// player's core the way there is short, and problems that go together push each other out of its
/// caches.
constexpr double shortest_round = 3e-3, shortest_on_one_core = 0.5e-3;
constexpr std::size_t most_together = 64;
constexpr std::size_t batch_inputs = 128 << 20, batch_outputs = 64 << 20;  // bytes of all of them
/// Bytes of a host's memory that a submission may take beside its inputs: half of what is free.
constexpr std::uint64_t share_of_free_memory = 2;

/// A call that takes problems of this size: the player's own is not known here.
Call call_of_size(const Kernel& kernel, const HeldPlayer& player) {
  for (const Variant& variant : kernel.catalog())
    for (const Build& build : variant.builds)
      if (build.call.problem_bytes() == player.problem_bytes() &&
          build.call.answer_bytes() == player.answer_bytes())
        return build.call;
  throw std::runtime_error("it takes another problem than this kernel's: build it anew");
}

/// A step of this program, on that runtime, by whose answers others are judged; null: there is
/// none.
std::pair<const Variant*, const Build*> trusted_on(const Kernel& kernel, const Runtime& runtime) {
  for (const Variant& variant : kernel.catalog())
    for (const Build& build : variant.builds)
      if (variant.id == kernel.trusted && build.runtime == &runtime) return {&variant, &build};
  return {nullptr, nullptr};
}

double median_of(std::vector<double> numbers) { return summarize(numbers).median; }

}  // namespace

void fields(roofline::Fields& field, Ruling& ruling) {
  using roofline::Whole;
  field("passed", ruling.passed);
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
}

/// A problem in the arena.
struct Referee::Drawn {
  std::unique_ptr<Subject> subject = {};  // null: the input's own
  std::unique_ptr<Placement> placement = {};
};

/// A submission and its player.
struct Referee::Match {
  const Contestant& contestant;
  const Grants& grants;
  const Runtime& real;
  Variant variant;  // as the kernel's check knows it
  Arena& arena;
  RuntimeWithMemory runtime;
  HeldPlayer& player;
  Call call;
  const Variant* trusted;  // null: there is none for this device
  Call trusted_call;
  double tolerance;
  Ruling& ruling;
  double seconds = 0;        // of the last round before timing
  int rounds = 0, busy = 0;  // after the latter the device had something to do

  std::vector<Drawn> drawn = {};    // of the last round
  const Input* drawn_of = nullptr;  // the input of all of them

  /// The kernel cannot draw, but makes another input of these sizes.
  bool makes_anew(const Input& input) const { return trusted == nullptr && input.again; }
  /// An empty answer has a byte.
  bool answer_in_arrays() const { return call.answer_bytes() <= 1; }
};

Referee::Referee(JudgeRules rules, const Secret& secret)
    : rules_(std::move(rules)), secret_(secret), sandbox_(rules_.layers) {
  const Kernel& kernel = *rules_.kernel;
  if (kernel.check_inputs && rules_.largest_check > 0)
    for (const CheckInput& input : kernel.check_inputs()) {
      std::unique_ptr<Subject> subject = input.make();
      if (subject->input().terms <= rules_.largest_check)
        inputs_.push_back({input.name, std::move(subject)});
    }
  SourceRequest again = rules_.source;
  inputs_.push_back({"the input", kernel.obtain(rules_.source)});
  if (again.file.empty()) inputs_.back().again = std::move(again);
}

Referee::~Referee() = default;

const Subject& Referee::subject() const { return *inputs_.back().base; }

// ---- What the machine grants --------------------------------------------------------------------

/// Starts a player that has nothing to play, and times the way to it and back.
bool Referee::try_grants(const Contestant& contestant, const Runtime& runtime, Grants& grants,
                         std::string& why) const {
  constexpr int rounds = 21;
  why = error_of([&] {
    Arena arena(runtime, {});
    HoldOptions options;
    options.interrupted = rules_.interrupted;
    options.pid_namespace = grants.pid_namespace;
    HeldPlayer player({rules_.kernel->name, "", contestant.model, contestant.kind}, sandbox_, arena,
                      grants.limits, options);
    std::vector<double> times, pulses;
    const auto asked_for = [](std::byte number) {
      return std::vector(1, std::vector<std::byte>(sizeof(double), number));
    };
    for (int i = 0; i < rounds; ++i) {
      times.push_back(player.go(asked_for(std::byte{0}), false).seconds);
      pulses.push_back(player.go(asked_for(std::byte{1}), false).pulse_seconds);
    }
    grants.round_trip = median_of(times);
    grants.pulse = median_of(pulses);
    grants.longest_pulse = std::ranges::max(pulses);
  });
  return why.empty();
}

const Referee::Grants& Referee::grants_of(const Contestant& contestant, const Runtime& runtime) {
  const auto [found, is_new] = grants_.try_emplace(contestant.model + " " + contestant.kind);
  Grants& grants = found->second;
  if (!is_new) return grants;
  const bool on_host = contestant.kind == "host";
  const auto wanted = [&](Layer layer) {
    return rules_.layers == nullptr || rules_.layers->has(layer);
  };
  grants.layers = sandbox_.layers();
  grants.limits.system_calls = wanted(Layer::system_calls);
  grants.limits.resources = wanted(Layer::resources);
  grants.limits.refuse_writing = on_host && !sandbox_.layers().has(Layer::mount_namespace);
  if (on_host)
    grants.limits.memory_bytes =
        static_cast<std::uint64_t>(roofline::available_memory()) / share_of_free_memory;
  std::string why;
  bool held = try_grants(contestant, runtime, grants, why);
  const auto without = [&](Layer layer, bool& granted) {
    if (held || !granted) return;
    granted = false;
    const std::string reason = why;
    held = try_grants(contestant, runtime, grants, why);
    grants.layers.lack(layer, reason);
  };
  if (grants.layers.has(Layer::pid_namespace)) without(Layer::pid_namespace, grants.pid_namespace);
  without(Layer::system_calls, grants.limits.system_calls);
  without(Layer::resources, grants.limits.resources);
  if (!held) {
    grants_.erase(found);
    throw std::runtime_error("no player starts here: " + why);
  }
  const auto note = [&](Layer layer, bool granted) {
    granted ? grants.layers.hold(layer) : grants.layers.lack(layer, "not wanted");
  };
  note(Layer::system_calls, grants.limits.system_calls);
  note(Layer::resources, grants.limits.resources);
  grants.layers.hold(on_host ? Layer::read_only_inputs : Layer::idle_device);
  // A GPU's driver wants the machine's own numbers of processes. The filter keeps others from harm.
  if (!on_host && grants.layers.has(Layer::system_calls))
    grants.layers.forget(Layer::pid_namespace);
  return grants;
}

/// For the largest input, and for many short ones.
ArenaSize Referee::arena_size() {
  ArenaSize size;
  for (Input& input : inputs_) {
    if (input.need.inputs == 0) {
      const CountingMemory memory;
      input.base->place(RuntimeWithMemory(host_runtime(), memory));
      input.need = memory.size();
    }
    size = size.or_larger(input.need);
  }
  return {size.inputs + batch_inputs, size.outputs + batch_outputs};
}

// ---- A match ------------------------------------------------------------------------------------

Ruling Referee::judge(const Contestant& contestant) {
  const Runtime& real = runtime_of(*rules_.kernel, contestant.model, contestant.kind);
  const Grants& grants = grants_of(contestant, real);
  Ruling ruling;
  ruling.layers = grants.layers;
  ruling.round_trip_s = grants.round_trip;
  Arena arena(real, arena_size());
  try {
    HoldOptions options;
    options.longest_run = rules_.longest_run;
    options.interrupted = rules_.interrupted;
    options.pid_namespace = grants.pid_namespace;
    HeldPlayer player({rules_.kernel->name, contestant.variant, contestant.model, contestant.kind,
                       contestant.library},
                      sandbox_, arena, grants.limits, options);
    const double tolerance =
        rules_.tolerance ? *rules_.tolerance : rules_.kernel->tolerance(contestant.step);
    const Call call = call_of_size(*rules_.kernel, player);
    const auto [trusted, trusted_build] = trusted_on(*rules_.kernel, real);
    Variant variant{contestant.variant, contestant.step, contestant.model, "its file", {}, {}};
    variant.builds = {{contestant.kind, call, &real}};
    variant.operations = contestant.operations;
    ruling.preparation_seconds = subject().preparation_seconds(variant);
    SourceCount count = inputs_.back().base->count(variant);
    ruling.counted = roofline::stated(std::move(count.metrics), std::move(count.unknown));
    Match match{contestant, grants,
                real,       std::move(variant),
                arena,      {real, arena},
                player,     call,
                trusted,    trusted == nullptr ? Call() : trusted_build->call,
                tolerance,  ruling};
    load_.own_too([&player] { return player.cpu_seconds(); });
    play(match);
    ruling.passed = true;
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

void Referee::play(Match& match) {
  for (const Input& input : inputs_) {
    if (rules_.progress) rules_.progress("checking: " + input.name, -1);
    const bool is_last = &input == &inputs_.back();
    if (is_last) ask(match, input, 1, true);  // whose answer is recorded
    match.seconds = ask(match, input, 1).seconds;
  }
  if (!rules_.check_only) time(match);
}

/// Until the rule of a study is satisfied. The first round of that size is not counted: it maps
/// pages.
void Referee::time(Match& match) {
  const Input& input = inputs_.back();
  const std::size_t most = std::max<std::size_t>(
      1, std::min({most_together, match.player.most_problems(), batch_inputs / input.need.inputs,
                   batch_outputs / std::max<std::size_t>(1, input.need.outputs)}));
  const bool on_one_core = match.arena.on_host() && threads_are_bound();
  const double wanted = std::ceil((on_one_core ? shortest_on_one_core : shortest_round) /
                                  std::max(1e-9, match.seconds - match.grants.round_trip));
  const std::size_t together = wanted < static_cast<double>(most)
                                   ? std::max<std::size_t>(1, static_cast<std::size_t>(wanted))
                                   : most;
  Ruling& ruling = match.ruling;
  ruling.together = static_cast<int>(together);
  if (together > 1) ask(match, input, together);
  const double start = steady_seconds();
  while (ruling.stop == Stop::none) {
    const Asked asked = ask(match, input, together);
    if (!asked.busy) {
      ruling.samples.push_back(asked.seconds / static_cast<double>(together));
      ruling.load.push_back(asked.load);
    }
    std::vector<double> quiet;
    for (std::size_t i = 0; i < ruling.samples.size(); ++i)
      if (!ruling.load[i].disturbed()) quiet.push_back(ruling.samples[i]);
    const double used = steady_seconds() - start;
    if (rules_.progress) rules_.progress("timing", used / rules_.timing.time_limit);
    ruling.stop = stop(rules_.timing, quiet, used, rules_.timing.time_limit,
                       static_cast<int>(ruling.samples.size() - quiet.size()));
  }
}

/// Fills it with a problem that nobody has seen. What lies there already is changed, where this
/// kernel can draw or the input has no other of its sizes.
void Referee::draw(Match& match, const Input& input, bool as_it_is, Drawn& drawn) {
  const std::uint64_t number = secret_.draw("input", ++draws_);
  if (!drawn.placement) {
    if (!as_it_is && match.makes_anew(input)) {
      SourceRequest request = *input.again;
      request.seed = number;
      drawn.subject = rules_.kernel->obtain(request);
    }
    drawn.placement = (drawn.subject ? *drawn.subject : *input.base).place(match.runtime);
  }
  if (as_it_is) return;
  if (match.trusted != nullptr && drawn.placement->draw_anew(number))
    settle_what_is_due(match, input, *drawn.placement);
  else
    drawn.placement->vary(number | 1);
}

/// Of small inputs by the reference; of the one that is judged by the trusted step, which is held
/// against the reference the first time, and then by lot, the rarer the longer that takes.
void Referee::settle_what_is_due(const Match& match, const Input& input, Placement& placement) {
  if (&input != &inputs_.back()) return placement.compute_reference();
  constexpr double longest_reference = 10;        // seconds
  constexpr double least_one_of = 8, rarer = 16;  // of so many draws, and of as many a second
  placement.run(*match.trusted, match.trusted_call);
  placement.trust_last_answer();
  const double seconds = subject().reference().seconds;
  if (seconds > longest_reference) return;
  const auto one_of = static_cast<std::uint64_t>(std::max(least_one_of, rarer * seconds));
  const bool first = held_.insert(&match.real).second;
  if (!first && secret_.draw("lot", draws_) % one_of != 0) return;
  placement.compute_reference();
  const Check check = placement.check(rules_.kernel->tolerance(match.trusted->step));
  if (!check.passed)
    throw std::logic_error(fmt::format("the step {} that others are judged by is wrong: {}",
                                       match.trusted->id, check.reason));
}

/// One round: so many problems, drawn anew, placed, computed, checked.
Referee::Asked Referee::ask(Match& match, const Input& input, std::size_t count, bool as_it_is) {
  if (interrupted()) throw std::runtime_error("interrupted");
  std::vector<Drawn>& drawn = match.drawn;
  const bool keeps = match.drawn_of == &input && drawn.size() == count && !as_it_is;
  if (!keeps || match.makes_anew(input)) {
    drawn.clear();  // all at once: the arena then has room again
    drawn.resize(count);
    match.drawn_of = &input;
  }
  std::vector<std::vector<std::byte>> problems;
  const Call collects = match.call.done_by([&problems](auto problem, auto /*answer*/) {
    problems.emplace_back(problem.begin(), problem.end());
  });
  for (Drawn& one : drawn) {
    draw(match, input, as_it_is, one);
    one.placement->run(match.variant, collects);
  }
  match.arena.wipe_outputs();
  let_our_threads_sleep();
  load_.begin();
  const HeldPlayer::Round round = match.player.go(problems, match.answer_in_arrays());
  const LoadShare load = load_.end();
  // What ours waited for longer than it does after an honest kernel, the player had not done yet.
  const double left = std::max(0.0, round.pulse_seconds - match.grants.longest_pulse);
  const Asked asked{round.seconds + left, load, still_busy(match, round.pulse_seconds)};
  for (std::size_t i = 0; i < count; ++i) {
    drawn[i].placement->run(match.variant, match.call.done_by([&](auto, auto answer) {
      std::ranges::copy(round.answers[i], answer.begin());
    }));
    if (as_it_is) match.ruling.answer = drawn[i].placement->answer();
    judge_answer(match, input, *drawn[i].placement);
  }
  return asked;
}

void Referee::judge_answer(Match& match, const Input& input, Placement& placement) {
  Ruling& ruling = match.ruling;
  const Check check = placement.check(match.tolerance);
  const bool worse = check.max_relative_error > ruling.check.max_relative_error;
  if (ruling.checks == 0 || worse || !check.passed) ruling.check = check;
  if (!check.passed) throw std::runtime_error(fmt::format("on {}: {}", input.name, check.reason));
  ++ruling.checks;
}

/// A kernel of the player's that goes on after the answer makes ours wait for its turn.
bool Referee::still_busy(Match& match, double pulse_seconds) {
  if (match.contestant.kind == "host") return false;
  constexpr double more = 0.3e-3;  // seconds
  ++match.rounds;
  if (pulse_seconds < 2 * match.grants.pulse + more) return false;
  constexpr int accidents = 3, share = 5;
  if (++match.busy > accidents && match.busy * share > match.rounds)
    throw Foul("the device goes on working after its answers");
  return true;
}

}  // namespace gpp
