#include "gpp/scale/calculation.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gpp/placed_problem.h"
#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "harness/record/record_json.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "runtimes/threads.h"

namespace gpp::scale {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Bytes taken where variants run: a device's, or those of this process in the machine's memory.
long long taken_bytes(const Runtime& runtime) {
  if (!runtime.memory().is_host()) return -runtime.free_bytes();
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  long long all = 0, resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// One step of all ranks that took part in it: pools may differ in size by one rank. The rank that
/// came last waited for nobody, so that its transfer is what the links alone take.
ScalingStep step_of_all(const std::vector<std::vector<ScalingStep>>& by_rank, std::size_t i) {
  ScalingStep all{.transfer = std::numeric_limits<double>::infinity()};
  double on_their_way = 0, count = 0;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    if (i >= by_rank[rank].size()) continue;
    const ScalingStep& one = by_rank[rank][i];
    if (one.compute > all.slowest) all.slowest_rank = static_cast<int>(rank);
    all.slowest = std::max(all.slowest, one.compute);
    all.transfer = std::min(all.transfer, one.transfer);
    all.compute += one.compute;
    all.wait += one.wait;
    on_their_way += one.transfer;
    ++count;
  }
  all.overlap = on_their_way <= 0 ? 1.0 : std::clamp(1.0 - all.wait / on_their_way, 0.0, 1.0);
  all.compute /= count;
  all.wait /= count;
  all.late = on_their_way / count - all.transfer;
  return all;
}

/// The work of one rank.
class Rank {
 public:
  Rank(Communicator& all, const CalculationRequest& request, int ranks,
       const std::function<void(std::string_view)>& progress)
      : all_(all),
        request_(request),
        ranks_(ranks),
        progress_(progress),
        runtime_(*request.choice.build->runtime),
        device_(runtime_.memory()) {
    for (int pool = 0; pool < request.pools; ++pool) {
      const Block own = block_of(ranks, pool, request.pools);
      if (all.rank() < own.first || all.rank() >= own.first + own.count) continue;
      pool_ = own;
      states_ = block_of(request.states, pool, request.pools);
    }
    place_ = all.rank() - pool_.first;
    sample_ = draw_sample(*request.preset, request.seed, pool_.count, std::max(1, states_.count));
  }

  void calculate(StudyRecord& study) {
    set_up();
    check(study);
    Result& result = study.results.front();
    if (!result.check.passed) return;
    ScalingRecord scaling;
    time(result, scaling);
    if (!result.check.passed) return;
    report(result.samples, scaling);
    result.stop = static_cast<int>(result.samples.size()) < request_.repeat ? Stop::time_limit
                                                                            : Stop::repeats;
    result.threads = device_.is_host() ? openmp_threads() : 0;
    study.scaling = scaling;
  }

 private:
  struct State {
    DeviceBuffer own;  ///< aqsntemp (ncouls, bands), and behind it aqsmtemp where that differs
    std::vector<FactoredProblem> steps = {};  ///< what it has by band, where variants run
  };

  bool looks_on() const { return states_.count == 0; }
  Block all_bands() const { return {0, request_.preset->sig_ntband}; }
  Block bands_of(int place) const {  ///< in the pool, round which places go
    return block_of(all_bands().count, place % pool_.count, pool_.count);
  }
  Preset own_part(int i) const {
    return part_of(*request_.preset, place_, pool_.count, states_.first + i);
  }
  /// Makes it another problem: vcoul_loc(igp) times factors[igp].
  void reweight(const std::vector<double>& factors) {
    if (placed_) placed_->reweight(factors);
  }
  std::vector<double> equal_weights(double factor) const {
    return std::vector<double>(at(looks_on() ? 0 : poles_->view().ngpown), factor);
  }

  void set_up();
  void require_memory() const;
  void generate_part();
  FactoredProblem placed_bands(int i, Block bands);
  FactoredProblem problem(int i, int step, const void* block) const;
  void* held(int round) const;
  Arrival start(int round) const;
  std::vector<Sums> run();
  std::vector<Reference> references() const;
  void check(StudyRecord& study);
  void time(Result& result, ScalingRecord& scaling);
  void report(const std::vector<double>& samples, ScalingRecord& scaling);

  Communicator& all_;
  const CalculationRequest& request_;
  const int ranks_;  ///< the first ones, which share the states; all others look on
  const std::function<void(std::string_view)>& progress_;
  const Runtime& runtime_;
  const DeviceMemory& device_;
  Block pool_ = {0, 1};  ///< the ranks that share states with this one
  int place_ = 0;        ///< of this one among them
  Block states_;         ///< that they sum
  Sample sample_;
  int steps_ = 1;      ///< of a state
  bool whole_ = true;  ///< all bands are summed at once, not block by block
  Memory memory_;      ///< as predicted
  long long taken_before_ = 0;
  std::unique_ptr<Links> nccl_;             ///< where there are GPUs and something passes
  Input input_;                             ///< energies and frequencies of the first state
  std::unique_ptr<PreparedProblem> poles_;  ///< the own G' without any band, in the host's memory
  std::unique_ptr<PlacedProblem> placed_;   ///< the same where variants run
  DeviceBuffer rows_, gathered_, gathered_t_;
  std::vector<DeviceBuffer> by_band_, passing_;
  std::vector<State> by_state_;
  std::vector<ScalingStep> times_;  ///< this rank's own
};

// ---- What it owns, in the memory where variants run

void Rank::set_up() {
  progress_("generating each rank's part");
  taken_before_ = taken_bytes(runtime_);
  if (!device_.is_host() && ranks_ > request_.pools) nccl_ = nccl_links(all_, request_.device);
  const auto predicted = [this](bool whole) {
    return predict_memory(*request_.preset, pool_.count, states_.count, whole);
  };
  const bool room =
      device_.is_host() || looks_on() || predicted(true).packed() <= runtime_.free_bytes();
  const bool room_for_all = sum_of_all<int>(all_, {room ? 0 : 1}).front() == 0;
  whole_ = pool_.count == 1 || request_.exchange == "gather" ||
           (request_.exchange == "auto" && room_for_all);
  steps_ = whole_ ? 1 : pool_.count;
  if (!looks_on()) memory_ = predicted(whole_);
  require_memory();
  together(all_, [this] {
    if (!looks_on()) generate_part();
  });
}

/// Ranks of a host share its memory, where the own G' are a second time, and one state's own bands.
void Rank::require_memory() const {
  const std::string host = roofline::host_name();
  const std::vector<std::string> hosts = all_.gather(looks_on() ? "" : host);
  const auto here = std::count(hosts.begin(), hosts.end(), host);
  together(all_, [&] {
    roofline::require_memory(
        here * (memory_.poles + 2 * memory_.own + (device_.is_host() ? memory_.placed() : 0)),
        fmt::format("{} ranks of preset {} on {}", here, request_.preset->name, host));
    if (!device_.is_host()) require_device_memory(memory_.placed(), runtime_.free_bytes());
  });
}

void Rank::generate_part() {
  Input input = generate(own_part(0), request_.seed, false);
  input.peinf_ntband_dist = 0;
  input.aqsntemp = input.aqsmtemp = {};
  std::vector<Complex> wtilde = std::move(input.wtilde_array);
  std::vector<Complex> I_eps = std::move(input.I_eps_array);
  input_ = input;
  input.wtilde_array = std::move(wtilde);
  input.I_eps_array = std::move(I_eps);
  rows_ = DeviceBuffer(device_, own_vectors(input));
  poles_ = std::make_unique<PreparedProblem>(std::move(input));
  placed_ = std::make_unique<PlacedProblem>(*poles_, device_);
  for (DeviceBuffer* buffer : {&gathered_, &gathered_t_})
    *buffer = DeviceBuffer(device_, static_cast<std::size_t>(memory_.gathered) / 2);
  for (int i = 0; i < memory_.buffers; ++i)
    passing_.emplace_back(device_, static_cast<std::size_t>(memory_.block));
  for (int i = 0; i < states_.count; ++i) {
    const MatrixElements elements = generate_elements(own_part(i), request_.seed);
    const std::size_t n = elements.aqsntemp.size(), m = elements.aqsmtemp.size();
    State& state = by_state_.emplace_back(DeviceBuffer(device_, (n + m) * sizeof(Complex)));
    device_.write(state.own.data(), elements.aqsntemp.data(), n * sizeof(Complex));
    if (m > 0)
      device_.write(state.own.as<Complex>() + n, elements.aqsmtemp.data(), m * sizeof(Complex));
    for (int step = 0; step < steps_; ++step)
      state.steps.push_back(placed_bands(i, whole_ ? all_bands() : bands_of(place_ + step)));
  }
}

/// The own G' with these bands of the i-th state, but for the bands' matrices.
FactoredProblem Rank::placed_bands(int i, Block bands) {
  Input input = input_;
  input.e_lk += i * state_distance;
  input.peinf_ntband_dist = bands.count;
  input.peinf_indext_dist.resize(at(bands.count));
  std::iota(input.peinf_indext_dist.begin(), input.peinf_indext_dist.end(), bands.first + 1);
  PreparedBands prepared(input);
  FactoredProblem problem = poles_->view();
  prepared.plan_groups_in(problem);
  problem.resonant_poles = has_exact_resonance(problem);
  problem.wtilde_array = problem.I_eps_array = {};
  problem.vcoul_loc = {};
  problem = relocate(problem, [this](const char* /*name*/, auto array) {
    if (array.count() == 0) return array;
    const std::size_t bytes = array.count() * sizeof(*array.data);
    const DeviceBuffer& copy = by_band_.emplace_back(device_, bytes);
    device_.write(copy.data(), array.data, bytes);
    array.data = static_cast<decltype(array.data)>(copy.data());
    return array;
  });
  problem.wtilde_array = placed_->view().wtilde_array;
  problem.I_eps_array = placed_->view().I_eps_array;
  problem.vcoul_loc = placed_->view().vcoul_loc;
  return problem;
}

/// The same with its matrices: aqsm of the own G' is gathered from the block, until the next call.
FactoredProblem Rank::problem(int i, int step, const void* block) const {
  FactoredProblem problem = by_state_[at(i)].steps[at(step)];
  const int height = problem.ncouls, bands = problem.nbands, count = problem.ngpown;
  problem.aqsntemp = {static_cast<const Complex*>(block), height, bands};
  const double* aqsm = static_cast<const double*>(block);
  if (request_.preset->offdiagonal) aqsm += 2 * problem.aqsntemp.count();
  device_.gather({aqsm, height, bands, rows_.as<const int>(), count, gathered_.as<double>(),
                  gathered_t_.as<double>()});
  problem.aqsmtemp_local = {gathered_.as<const Complex>(), count, bands};
  problem.aqsmtemp_local_t = {gathered_t_.as<const Complex>(), bands, count};
  return problem;
}

// ---- Its sums, in rounds: each over all bands of a state, or over the block of a step

/// Where the bands of a round lie: in the own block, or where they came to.
void* Rank::held(int round) const {
  const int i = round / steps_, step = round % steps_;
  if (memory_.buffers == 0 || (!whole_ && step == 0)) return by_state_[at(i)].own.data();
  return passing_[at((whole_ ? i : step) % 2)].data();
}

/// Starts what brings the bands of a round; nothing where they are there.
Arrival Rank::start(int round) const {
  const int i = round / steps_, owner = place_ + round % steps_;
  if (i == states_.count || memory_.buffers == 0 || (!whole_ && owner == place_)) return {};
  std::vector<Message> sent, received;
  // Bands inside a block, to or from the rank at that place.
  const auto pass = [&](std::vector<Message>& to, void* block, Block all, Block bands, int place) {
    const std::size_t a_band = sizeof(Complex) * at(request_.preset->ncouls);
    for (int matrix = 0; matrix < (request_.preset->offdiagonal ? 2 : 1); ++matrix)
      to.push_back(
          {static_cast<char*>(block) + a_band * at(matrix * all.count + bands.first - all.first),
           a_band * at(bands.count), pool_.first + place % pool_.count});
  };
  const Block due = bands_of(owner), before = bands_of(owner + pool_.count - 1);
  if (!whole_) {
    pass(sent, held(round - 1), before, before, place_ + pool_.count - 1);
    pass(received, held(round), due, due, place_ + 1);
  }
  for (int place = 0; whole_ && place < pool_.count; ++place) {
    pass(sent, by_state_[at(i)].own.data(), due, due, place);
    pass(received, held(round), all_bands(), bands_of(place), place);
  }
  return nccl_ ? nccl_->start(sent, received) : all_.start(sent, received);
}

/// All states once. What brings the bands of a round starts before or, blocking, behind the sum of
/// the round before.
std::vector<Sums> Rank::run() {
  const bool blocking = request_.exchange == "blocking";
  times_.resize(looks_on() ? 0 : at(steps_));
  std::vector<Sums> by_state(at(request_.states));
  Arrival coming = start(0);
  for (int round = 0; round < steps_ * states_.count; ++round) {
    const int i = round / steps_, step = round % steps_;
    if (coming) {
      ScalingStep& passed = times_[at(std::max(step - 1, 0))];
      const auto begin = Clock::now();
      passed.transfer += coming();
      passed.wait += seconds_since(begin);
    }
    coming = blocking ? Arrival() : start(round + 1);
    const auto begin = Clock::now();
    by_state[at(states_.first + i)] +=
        call_variant(request_.choice.build->call, problem(i, step, held(round)));
    times_[at(step)].compute += seconds_since(begin);
    if (blocking) coming = start(round + 1);
  }
  return sum_of_all(all_, by_state);
}

// ---- Checked and timed

/// The sample over the own bands of each rank, straight from the definition.
std::vector<Reference> Rank::references() const {
  std::vector<Sums> sums(at(request_.states)), magnitudes(sums), ties(sums);
  std::vector<long long> tied(sums.size());
  together(all_, [&] {
    for (int i = 0; i < states_.count; ++i) {
      Preset sampled = own_part(i);
      sampled.first_own_g = sample_.first;
      sampled.g_ranks = sample_.stride;
      sampled.ngpown = sample_.count;
      const PreparedProblem problem(generate(sampled, request_.seed, false));
      const Reference one = compute_reference(problem.view());
      const std::size_t state = at(states_.first + i);
      sums[state] = one.sums;
      magnitudes[state] = one.magnitude;
      ties[state] = one.ties;
      tied[state] = one.tied_terms;
    }
  });
  sums = sum_of_all(all_, sums);
  magnitudes = sum_of_all(all_, magnitudes);
  ties = sum_of_all(all_, ties);
  tied = sum_of_all(all_, tied);
  std::vector<Reference> by_state;
  for (std::size_t k = 0; k < sums.size(); ++k)
    by_state.push_back({sums[k], magnitudes[k], ties[k], tied[k]});
  return by_state;
}

/// The calculation as it is, with every other G' of no weight, against the reference of the sample.
void Rank::check(StudyRecord& study) {
  progress_("computing the reference");
  const auto start = Clock::now();
  const std::vector<Reference> due = references();
  study.reference = reference_record(due.front(), input_);
  study.reference.seconds = seconds_since(start);
  progress_("checking");
  std::vector<double> weights = equal_weights(0.0);
  for (int i = 0; !looks_on() && i < sample_.count; ++i)
    if (const int g = sample_.first + i * sample_.stride; g % pool_.count == place_)
      weights[at(g / pool_.count)] = 1.0;
  reweight(weights);
  const std::vector<Sums> sums = run();
  Result& result = study.results.front();
  result.answer = answer_json(sums.front(), input_);
  result.check = {0, request_.tolerance, true, {}};
  for (std::size_t k = 0; k < sums.size() && result.check.passed; ++k) {
    Check one = gpp::check(sums[k], due[k], request_.preset->nfreq(), request_.tolerance);
    if (!one.passed && sums.size() > 1) one.reason = fmt::format("state {}: {}", k, one.reason);
    if (one.max_relative_error >= result.check.max_relative_error || !one.passed)
      result.check = one;
  }
}

/// Every run has other weights, so that sums kept from before are wrong. Powers of two keep digits.
void Rank::time(Result& result, ScalingRecord& scaling) {
  progress_("warming up");
  reweight(equal_weights(1.0));
  const std::vector<Sums> first = run();
  for (const Sums& sums : first) {
    scaling.sums["asx"].push_back(complex_numbers(sums.asx, request_.preset->nfreq()));
    scaling.sums["ach"].push_back(complex_numbers(sums.ach, request_.preset->nfreq()));
  }
  times_.clear();
  progress_("timing");
  const auto begin = Clock::now();
  for (int i = 0; i < request_.repeat; ++i) {
    const bool over = all_.rank() == 0 && i > 0 && seconds_since(begin) > request_.time_limit;
    if (sum_of_all<int>(all_, {over ? 1 : 0}).front() > 0) break;
    const int factor = 2 << i % 3;
    reweight(equal_weights(factor));
    all_.gather("");
    const auto start = Clock::now();
    const std::vector<Sums> sums = run();
    result.samples.push_back(seconds_since(start));
    for (std::size_t k = 0; k < sums.size(); ++k) {
      Sums due{};
      for (int times = 0; times < factor; ++times) due += first[k];
      if (difference(sums[k], due) <= request_.tolerance) continue;
      result.check.passed = false;
      result.check.reason =
          fmt::format("run {} of state {} gave other sums than the first", i + 1, k);
    }
  }
}

/// Gives all ranks the facts that only single ranks know.
void Rank::report(const std::vector<double>& samples, ScalingRecord& scaling) {
  scaling.ranks = ranks_;
  scaling.pools = request_.pools;
  scaling.states = request_.states;
  scaling.exchange = whole_ ? "gather" : request_.exchange == "auto" ? "ring" : request_.exchange;
  scaling.transport = pool_.count == 1 ? "none: one rank" : nccl_ ? nccl_->name() : all_.name();
  for (int i = 0; sample_.count < request_.preset->ncouls && i < sample_.count; ++i)
    scaling.sample.push_back(1 + sample_.first + i * sample_.stride);
  const double seconds = std::accumulate(samples.begin(), samples.end(), 0.0);
  const double passes = static_cast<double>(samples.size()) * states_.count;
  double busy = 0, waited = 0;
  for (ScalingStep& step : times_) {
    busy += step.compute / seconds;
    waited += step.wait / seconds;
    for (double* time : {&step.compute, &step.transfer, &step.wait}) *time /= passes;
  }
  const std::vector<std::vector<ScalingStep>> times = lists_of_all(all_, times_);
  for (std::size_t i = 0; i < times.front().size(); ++i)  // the first pool is a largest one
    scaling.steps.push_back(step_of_all(times, i));
  const ScalingRank mine{.host = roofline::host_name(),
                         .device = runtime_.describe().name,
                         .cores = device_.is_host() ? openmp_threads() : 1,
                         .own_g = block_of(request_.preset->ncouls, place_, pool_.count).count,
                         .bands = bands_of(place_).count,
                         .predicted_bytes = memory_.placed(),
                         .measured_bytes = std::max(0LL, taken_bytes(runtime_) - taken_before_),
                         .busy = std::min(1.0, busy)};
  for (const std::string& text : all_.gather(looks_on() ? "" : roofline::facts_text(mine)))
    if (!text.empty())
      scaling.by_rank.push_back(roofline::read_text<ScalingRank>(text, "the report of a rank"));
  waited = sum_of_all<double>(all_, {waited}).front() / ranks_;
  scaling.strong.push_back(
      {scaling.ranks, scaling.states, samples, std::min(1.0, waited), scaling.transport});
}

/// Throws InputError where so many ranks cannot share it.
void require_ranks(const Communicator& all, const CalculationRequest& request, int ranks) {
  if (ranks > all.size())
    throw roofline::InputError(fmt::format("--strong, --weak: {} ranks of {}", ranks, all.size()));
  if (request.pools > ranks)
    throw roofline::InputError(
        fmt::format("--pools {}: more pools than the {} ranks", request.pools, ranks));
  if (request.pools > request.states)
    throw roofline::InputError(fmt::format("--pools {}: more pools than the {} states to share",
                                           request.pools, request.states));
  part_of(*request.preset, 0, block_of(ranks, 0, request.pools).count, 0);
}

InputRecord input_record(const CalculationRequest& request) {
  const Preset whole = part_of(*request.preset, 0, 1, 0);
  InputRecord input;
  input.path = fmt::format("preset {}, seed {}, whole", whole.name, request.seed);
  input.terms = whole.terms() * request.states;
  input.dimensions = Json({{"ncouls", whole.ncouls},
                           {"ngpown", whole.ngpown},
                           {"nbands", whole.ntband_dist},
                           {"nstart", whole.nstart},
                           {"nend", whole.nend}});
  if (request.states > 1) input.dimensions["states"] = request.states;
  return input;
}

/// Fails a run that gave other sums than the first: relative to their size by more than the
/// tolerance.
void compare_sums(const ScalingRecord& first, StudyRecord& run) {
  Check& check = run.results.front().check;
  for (const char* sum : {"asx", "ach"}) {
    const auto of_state_0 = [sum](const ScalingRecord& of) {
      return sums_of(Json({{sum, of.sums[sum][0]}}));
    };
    const double error = difference(of_state_0(*run.scaling), of_state_0(first));
    if (error <= check.tolerance) continue;
    check.passed = false;
    check.reason = fmt::format("{} of {} ranks differs from that of {} by {:.1e} of its size", sum,
                               run.scaling->ranks, first.ranks, error);
  }
}

}  // namespace

StudyRecord calculate(Communicator& all, const CalculationRequest& request,
                      const StudyRecord& study,
                      const std::function<void(std::string_view)>& progress) {
  std::vector<std::pair<int, int>> runs;  // ranks and states
  for (const int ranks : request.strong) runs.emplace_back(ranks, request.states);
  for (const int ranks : request.weak) runs.emplace_back(ranks, request.states * ranks);
  if (runs.empty()) runs.emplace_back(all.size(), request.states);
  std::vector<StudyRecord> studies;
  std::vector<ScalingPoint> strong, weak;
  for (const auto& [ranks, states] : runs) {
    CalculationRequest one = request;
    one.states = states;
    require_ranks(all, one, ranks);
    StudyRecord& run = studies.emplace_back(study);
    run.input = input_record(one);
    Rank(all, one, ranks, progress).calculate(run);
    if (run.scaling) compare_sums(*studies.front().scaling, run);
    Result& result = run.results.front();
    result.status = result.check.passed ? Status::passed : Status::failed;
    result.reason = result.check.reason;
    if (!result.check.passed) return run;
    const bool is_strong = strong.size() < request.strong.size() || request.weak.empty();
    (is_strong ? strong : weak).push_back(run.scaling->strong.front());
  }
  StudyRecord last = studies[strong.empty() ? runs.size() - 1 : strong.size() - 1];
  last.scaling->strong = strong;
  last.scaling->weak = weak;
  return last;
}

}  // namespace gpp::scale
