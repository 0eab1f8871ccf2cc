#include "harness/judge/referee.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <stdexcept>
#include <thread>

#include "harness/measure/child.h"
#include "roofline/base/machine.h"
#include "runtimes/runtimes.h"

namespace gpp {
namespace {

/// Rounds take at least so many seconds, where that many problems fit.
constexpr double shortest_round = 3e-3;
constexpr std::size_t most_together = 64;
constexpr std::size_t batch_inputs = 128 << 20, batch_outputs = 64 << 20;  // bytes of all of them
/// Bytes of a host's memory that a submission may take beside its inputs: half of what is free.
constexpr std::uint64_t share_of_free_memory = 2;

/// Our own threads look out for work for a while after the last.
void let_our_threads_sleep() {
  constexpr auto until_they_sleep = std::chrono::milliseconds(5);
  std::this_thread::sleep_for(until_they_sleep);
}

/// A call that takes problems of this size: the player's own is not known here.
Call call_of_size(const Kernel& kernel, const HeldPlayer& player) {
  for (const Variant& variant : kernel.catalog())
    for (const Build& build : variant.builds)
      if (build.call.problem_bytes() == player.problem_bytes() &&
          build.call.answer_bytes() == player.answer_bytes())
        return build.call;
  throw std::runtime_error("it takes another problem than this kernel's: build it anew");
}

double median_of(std::vector<double> numbers) { return summarize(numbers).median; }

}  // namespace

void fields(roofline::Fields& field, Ruling& ruling) {
  using roofline::Whole;
  field("passed", ruling.passed);
  field("foul", ruling.foul, "it did what no honest submission does");
  field("reason", ruling.reason, roofline::any_text, "empty where it passed");
  field("together", ruling.together, Whole{1, most_together}, "problems in a round");
  field("seconds", ruling.samples, roofline::bounds::seconds, "of a problem, in each timed round");
  field("checks", ruling.checks, Whole{}, "answers that were right");
  field("max_relative_error", ruling.check.max_relative_error,
        roofline::OrNull{roofline::bounds::not_negative}, "of all answers");
  field("tolerance", ruling.check.tolerance, roofline::bounds::not_negative);
  field("round_trip_s", ruling.round_trip_s, roofline::bounds::seconds,
        "there and back with an empty player: the times contain it");
  field("layers", ruling.layers);
  field("may_rank", ruling.may_rank, "all layers that its device needs held");
}

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
  double tolerance;
  Ruling& ruling;
  double seconds = 0;        // of the last round before timing
  int rounds = 0, busy = 0;  // after the latter the device had something to do

  /// An empty answer has a byte.
  bool answer_in_arrays() const { return call.answer_bytes() <= 1; }
};

Referee::Referee(JudgeRules rules, Secret& secret)
    : rules_(std::move(rules)), secret_(secret), sandbox_(rules_.layers) {
  const Kernel& kernel = *rules_.kernel;
  if (kernel.decoys)
    for (std::unique_ptr<Subject>& decoy : kernel.decoys())
      inputs_.push_back({fmt::format("decoy {}", inputs_.size() + 1), std::move(decoy)});
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

std::unique_ptr<Subject> Referee::draw(const Input& input) {
  if (!input.again) return nullptr;
  SourceRequest request = *input.again;
  request.seed = secret_.draw("input", ++draws_);
  return rules_.kernel->obtain(request);
}

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
    const std::vector<std::vector<std::byte>> problem(1, std::vector<std::byte>(sizeof(double)));
    for (int i = 0; i < rounds; ++i) {
      times.push_back(player.go(problem, false).seconds);
      pulses.push_back(runtime.pulse().seconds);
    }
    grants.round_trip = median_of(times);
    grants.pulse = median_of(pulses);
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
  // A GPU's driver wants the machine's own numbers of processes; the filter keeps others from harm.
  grants.enough = std::ranges::all_of(grants.layers.lacking, [&](const LackingLayer& one) {
    return !on_host && one.layer == name_of(Layer::pid_namespace);
  });
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
  ruling.may_rank = grants.enough;
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
    Match match{contestant, grants,
                real,       {contestant.variant, contestant.step, contestant.model, {}, {}, {}},
                arena,      {real, arena},
                player,     call_of_size(*rules_.kernel, player),
                tolerance,  ruling};
    load_.own_too([&player] { return player.cpu_seconds(); });
    play(match);
    ruling.passed = true;
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
  const double wanted = std::ceil(shortest_round / std::max(1e-9, match.seconds));
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

/// One round: so many problems, drawn anew, placed, computed, checked.
Referee::Asked Referee::ask(Match& match, const Input& input, std::size_t count) {
  if (interrupted()) throw std::runtime_error("interrupted");
  struct Drawn {
    std::unique_ptr<Subject> subject;
    std::unique_ptr<Placement> placement;
  };
  std::vector<Drawn> drawn;
  std::vector<std::vector<std::byte>> problems;
  const Call collects = match.call.done_by([&problems](auto problem, auto /*answer*/) {
    problems.emplace_back(problem.begin(), problem.end());
  });
  for (std::size_t i = 0; i < count; ++i) {
    std::unique_ptr<Subject> subject = draw(input);
    const Subject& placed = subject ? *subject : *input.base;
    std::unique_ptr<Placement> placement = placed.place(match.runtime);
    placement->vary(secret_.draw("variation", ++draws_) | 1);
    placement->run(match.variant, collects);
    drawn.push_back({std::move(subject), std::move(placement)});
  }
  match.arena.wipe_outputs();
  let_our_threads_sleep();
  load_.begin();
  const HeldPlayer::Round round = match.player.go(problems, match.answer_in_arrays());
  const Asked asked{round.seconds, load_.end(), still_busy(match)};
  for (std::size_t i = 0; i < count; ++i) {
    drawn[i].placement->run(match.variant, match.call.done_by([&](auto, auto answer) {
      std::ranges::copy(round.answers[i], answer.begin());
    }));
    judge_answer(match, input, *drawn[i].placement);
  }
  return asked;
}

void Referee::judge_answer(Match& match, const Input& input, Placement& placement) {
  Ruling& ruling = match.ruling;
  const Check check = placement.check(match.tolerance);
  const bool worse = check.max_relative_error > ruling.check.max_relative_error;
  if (ruling.checks == 0 || worse || !check.passed) ruling.check = check;
  if (const std::string written = placement.repair(); !written.empty())
    throw Foul(fmt::format("writes to its input ({})", written));
  if (!check.passed) throw std::runtime_error(fmt::format("on {}: {}", input.name, check.reason));
  ++ruling.checks;
}

/// A kernel of the player's that goes on after the answer makes ours wait for its turn.
bool Referee::still_busy(Match& match) {
  if (match.contestant.kind == "host") return false;
  constexpr double more = 0.3e-3;  // seconds
  ++match.rounds;
  if (match.real.pulse().seconds < 2 * match.grants.pulse + more) return false;
  constexpr int accidents = 3, share = 5;
  if (++match.busy > accidents && match.busy * share > match.rounds)
    throw Foul("the device goes on working after its answers");
  return true;
}

}  // namespace gpp
