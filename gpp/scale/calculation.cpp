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
  double count = 0;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
    if (i >= by_rank[rank].size()) continue;
    const ScalingStep& one = by_rank[rank][i];
    if (one.compute > all.slowest) all.slowest_rank = static_cast<int>(rank);
    all.slowest = std::max(all.slowest, one.compute);
    all.transfer = std::min(all.transfer, one.transfer);
    all.compute += one.compute;
    all.wait += one.wait;
    all.late += one.transfer;
    ++count;
  }
  all.overlap = all.late <= 0 ? 1.0 : std::clamp(1.0 - all.wait / all.late, 0.0, 1.0);
  for (double* mean : {&all.compute, &all.wait, &all.late}) *mean /= count;
  all.late -= all.transfer;
  return all;
}

/// What one rank owns, in the memory where variants run, and what it does with it.
class Rank {
 public:
  Rank(Communicator& all, const CalculationRequest& request, const Progress& progress)
      : all_(all),
        request_(request),
        preset_(*request.preset),
        progress_(progress),
        runtime_(*request.choice.build->runtime),
        device_(runtime_.memory()) {
    int pool = 0;
    for (Block ranks; all.rank() >= ranks.first + ranks.count; ++pool)
      ranks = block_of(all.size(), pool, request.pools);
    const bool on_gpus = !device_.is_host() && all.size() > request.pools;
    together(all, [&] { pool_ = all.split(pool, on_gpus ? request.gpu : std::nullopt); });
    states_ = block_of(request.states, pool - 1, request.pools);
    sample_ = draw_sample(preset_, request.seed, pool_->size(), states_.count);
  }

  void calculate(StudyRecord& study) {
    progress_("generating each rank's part");
    taken_before_ = taken_bytes(runtime_);
    choose_exchange();
    together(all_, [this] { generate_part(); });
    Result& result = study.results.front();
    check(result, study.reference);
    ScalingRecord scaling;
    if (result.check.passed) time(result, scaling);
    if (!result.check.passed) return;
    report(result.samples, scaling);
    result.threads = device_.is_host() ? openmp_threads() : 0;
    result.stop = static_cast<int>(result.samples.size()) < request_.repeat ? Stop::time_limit
                                                                            : Stop::repeats;
    study.scaling = scaling;
  }

 private:
  struct State {
    DeviceBuffer own;  ///< aqsntemp (ncouls, bands), and behind it aqsmtemp where that differs
    std::vector<FactoredProblem> steps = {};  ///< all but the bands' matrices
  };

  Block all_bands() const { return {0, preset_.sig_ntband}; }
  Block bands_of(int rank) const {  ///< of the pool, round which numbers go
    return block_of(preset_.sig_ntband, rank % pool_->size(), pool_->size());
  }
  Preset own_part(int i) const {
    return part_of(preset_, pool_->rank(), pool_->size(), states_.first + i);
  }

  // ---- What it owns

  /// Ranks share their host's memory, which has the own G' once more, and what the check generates.
  void choose_exchange() {
    const auto predicted = [this](bool whole) {
      return predict_memory(preset_, pool_->size(), states_.count, whole);
    };
    const bool host = device_.is_host();
    const bool room = host || predicted(true).packed() <= runtime_.free_bytes();
    const bool room_for_all = sum_of_all<int>(all_, {room ? 0 : 1}).front() == 0;
    whole_ = pool_->size() == 1 || request_.exchange == "gather" ||
             (request_.exchange == "auto" && room_for_all);
    steps_ = whole_ ? 1 : pool_->size();
    memory_ = predicted(whole_);
    const std::string name = roofline::host_name();
    const std::vector<std::string> hosts = all_.gather(name);
    const auto here = std::count(hosts.begin(), hosts.end(), name);
    together(all_, [&] {
      roofline::require_memory(
          here * (memory_.poles + 2 * memory_.own + (host ? memory_.placed() : 0)),
          fmt::format("{} ranks of preset {} on {}", here, preset_.name, name));
      if (!host) require_device_memory(memory_.placed(), runtime_.free_bytes());
    });
  }

  void generate_part() {
    Input input = generate(own_part(0), request_.seed, false);
    input.peinf_ntband_dist = 0;
    input.aqsntemp = input.aqsmtemp = {};
    std::vector<Complex> wtilde = std::move(input.wtilde_array);
    std::vector<Complex> I_eps = std::move(input.I_eps_array);
    energies_ = input;
    input.wtilde_array = std::move(wtilde);
    input.I_eps_array = std::move(I_eps);
    rows_ = DeviceBuffer(device_, own_vectors(input));
    own_g_ = std::make_unique<PreparedProblem>(std::move(input));
    placed_g_ = std::make_unique<PlacedProblem>(*own_g_, device_);
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
        state.steps.push_back(
            placed_bands(i, whole_ ? all_bands() : bands_of(pool_->rank() + step)));
    }
  }

  /// The own G' with these bands of the i-th state, but for the bands' matrices.
  FactoredProblem placed_bands(int i, Block bands) {
    Input input = energies_;
    input.e_lk += i * state_distance;
    input.peinf_ntband_dist = bands.count;
    input.peinf_indext_dist.resize(at(bands.count));
    std::iota(input.peinf_indext_dist.begin(), input.peinf_indext_dist.end(), bands.first + 1);
    PreparedBands prepared(input);
    FactoredProblem problem = own_g_->view();
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
    problem.wtilde_array = placed_g_->view().wtilde_array;
    problem.I_eps_array = placed_g_->view().I_eps_array;
    problem.vcoul_loc = placed_g_->view().vcoul_loc;
    return problem;
  }

  // ---- Its sums, in rounds: each over all bands of a state, or over the block of a step

  /// Where the bands of a round lie: in the own block, or where they came to.
  void* held(int round) const {
    const int i = round / steps_, step = round % steps_;
    if (memory_.buffers == 0 || (!whole_ && step == 0)) return by_state_[at(i)].own.data();
    return passing_[at((whole_ ? i : step) % 2)].data();
  }

  /// Starts what brings the bands of a round; nothing where they are there.
  Arrival start(int round) const {
    const int i = round / steps_, ranks = pool_->size(), owner = pool_->rank() + round % steps_;
    if (i == states_.count || ranks == 1 || (!whole_ && owner == pool_->rank())) return {};
    std::vector<Message> sent, received;
    // Bands inside a block, to or from that rank.
    const auto pass = [&](std::vector<Message>& to, void* block, Block all, Block bands, int rank) {
      const std::size_t a_band = sizeof(Complex) * at(preset_.ncouls);
      for (int matrix = 0; matrix < (preset_.offdiagonal ? 2 : 1); ++matrix)
        to.push_back(
            {static_cast<char*>(block) + a_band * at(matrix * all.count + bands.first - all.first),
             a_band * at(bands.count), rank % ranks});
    };
    const Block due = bands_of(owner), before = bands_of(owner + ranks - 1);
    if (!whole_) {
      pass(sent, held(round - 1), before, before, pool_->rank() + ranks - 1);
      pass(received, held(round), due, due, pool_->rank() + 1);
    }
    for (int rank = 0; whole_ && rank < ranks; ++rank) {
      pass(sent, by_state_[at(i)].own.data(), due, due, rank);
      pass(received, held(round), all_bands(), bands_of(rank), rank);
    }
    return pool_->start(sent, received);
  }

  Sums sum(int round) const {
    FactoredProblem problem = by_state_[at(round / steps_)].steps[at(round % steps_)];
    const int height = problem.ncouls, bands = problem.nbands, own_g = problem.ngpown;
    const auto* const aqsn = static_cast<const Complex*>(held(round));
    problem.aqsntemp = {aqsn, height, bands};
    const Complex* const aqsm = preset_.offdiagonal ? aqsn + problem.aqsntemp.count() : aqsn;
    device_.gather({reinterpret_cast<const double*>(aqsm), height, bands, rows_.as<const int>(),
                    own_g, gathered_.as<double>(), gathered_t_.as<double>()});
    problem.aqsmtemp_local = {gathered_.as<const Complex>(), own_g, bands};
    problem.aqsmtemp_local_t = {gathered_t_.as<const Complex>(), bands, own_g};
    return call_variant(request_.choice.build->call, problem);
  }

  /// All states once, with these weights of the own G'. What brings the bands of a round starts
  /// before or, blocking, behind the sum of the round before.
  std::vector<Sums> run() {
    const bool blocking = request_.exchange == "blocking";
    times_.resize(at(steps_));
    std::vector<Sums> by_state(at(request_.states));
    Arrival coming = start(0);
    for (int round = 0; round < steps_ * states_.count; ++round) {
      const int step = round % steps_;
      if (coming) {
        ScalingStep& passed = times_[at(std::max(step - 1, 0))];
        const auto begin = Clock::now();
        passed.transfer += coming();
        passed.wait += seconds_since(begin);
      }
      coming = blocking ? Arrival() : start(round + 1);
      const auto begin = Clock::now();
      by_state[at(states_.first + round / steps_)] += sum(round);
      times_[at(step)].compute += seconds_since(begin);
      if (blocking) coming = start(round + 1);
    }
    return sum_of_all(all_, by_state);
  }

  // ---- Checked and timed

  /// The sample over the own bands of each rank, straight from the definition, and added up.
  std::vector<Reference> references() const {
    std::vector<Reference> by_state(at(request_.states));
    together(all_, [&] {
      for (int i = 0; i < states_.count; ++i) {
        Preset sampled = own_part(i);
        sampled.first_own_g = sample_.first;
        sampled.g_ranks = sample_.stride;
        sampled.ngpown = sample_.count;
        const PreparedProblem problem(generate(sampled, request_.seed, false));
        by_state[at(states_.first + i)] = compute_reference(problem.view());
      }
    });
    const auto add_up = [&](auto Reference::*part) {
      std::vector<std::decay_t<decltype(by_state[0].*part)>> values(by_state.size());
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = by_state[k].*part;
      values = sum_of_all(all_, values);
      for (std::size_t k = 0; k < values.size(); ++k) by_state[k].*part = values[k];
    };
    for (Sums Reference::*sums : {&Reference::sums, &Reference::magnitude, &Reference::ties})
      add_up(sums);
    add_up(&Reference::tied_terms);
    return by_state;
  }

  /// The calculation as it is, with every other G' of no weight, against the sample's reference.
  void check(Result& result, ReferenceRecord& reference) {
    progress_("computing the reference");
    const auto start = Clock::now();
    const std::vector<Reference> due = references();
    reference = reference_record(due.front(), energies_);
    reference.seconds = seconds_since(start);
    progress_("checking");
    std::vector<double> weights(at(own_g_->view().ngpown), 0.0);
    for (int i = 0; i < sample_.count; ++i)
      if (const int g = sample_.first + i * sample_.stride; g % pool_->size() == pool_->rank())
        weights[at(g / pool_->size())] = 1.0;
    placed_g_->reweight(weights);
    const std::vector<Sums> sums = run();
    result.answer = answer_json(sums.front(), energies_);
    result.check = {0, request_.tolerance, true, {}};
    for (std::size_t k = 0; k < sums.size() && result.check.passed; ++k) {
      Check one = gpp::check(sums[k], due[k], preset_.nfreq(), request_.tolerance);
      if (!one.passed && sums.size() > 1) one.reason = fmt::format("state {}: {}", k, one.reason);
      if (one.max_relative_error >= result.check.max_relative_error || !one.passed)
        result.check = one;
    }
  }

  /// Every run has other weights, so that sums kept from before are wrong.
  void time(Result& result, ScalingRecord& scaling) {
    progress_("warming up");
    placed_g_->reweight(std::vector<double>(at(own_g_->view().ngpown), 1.0));
    const std::vector<Sums> first = run();
    for (const Sums& sums : first) {
      scaling.sums["asx"].push_back(complex_numbers(sums.asx, preset_.nfreq()));
      scaling.sums["ach"].push_back(complex_numbers(sums.ach, preset_.nfreq()));
    }
    times_.clear();
    progress_("timing");
    const auto begin = Clock::now();
    for (int i = 0; i < request_.repeat; ++i) {
      const bool over = all_.rank() == 0 && i > 0 && seconds_since(begin) > request_.time_limit;
      if (sum_of_all<int>(all_, {over ? 1 : 0}).front() > 0) break;
      const int factor = 2 << i % 3;
      placed_g_->reweight(std::vector<double>(at(own_g_->view().ngpown), factor));
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
  void report(const std::vector<double>& samples, ScalingRecord& scaling) {
    scaling.ranks = all_.size();
    scaling.pools = request_.pools;
    scaling.states = request_.states;
    scaling.exchange = whole_ ? "gather" : request_.exchange == "auto" ? "ring" : request_.exchange;
    scaling.transport = pool_->size() == 1 ? "none: one rank" : device_.is_host() ? "MPI" : "NCCL";
    for (int i = 0; sample_.count < preset_.ncouls && i < sample_.count; ++i)
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
    const ScalingRank mine{roofline::host_name(),
                           runtime_.describe().name,
                           device_.is_host() ? openmp_threads() : 1,
                           own_g_->view().ngpown,
                           bands_of(pool_->rank()).count,
                           memory_.placed(),
                           std::max(0LL, taken_bytes(runtime_) - taken_before_),
                           std::min(1.0, busy)};
    for (const std::string& text : all_.gather(roofline::facts_text(mine)))
      scaling.by_rank.push_back(roofline::read_text<ScalingRank>(text, "the report of a rank"));
    waited = sum_of_all<double>(all_, {waited}).front() / all_.size();
    scaling.strong.push_back(
        {scaling.ranks, scaling.states, samples, std::min(1.0, waited), scaling.transport});
  }

  Communicator& all_;
  const CalculationRequest& request_;
  const Preset& preset_;
  const Progress& progress_;
  const Runtime& runtime_;
  const DeviceMemory& device_;
  std::unique_ptr<Communicator> pool_;  ///< the ranks that share states with this one
  Block states_;                        ///< that they sum
  Sample sample_;
  bool whole_ = true;  ///< all bands are summed at once, not block by block
  int steps_ = 1;      ///< of a state
  Memory memory_;      ///< as predicted
  long long taken_before_ = 0;
  Input energies_;                             ///< bands and frequencies of the first state
  std::unique_ptr<PreparedProblem> own_g_;     ///< without any band, in the host's memory
  std::unique_ptr<PlacedProblem> placed_g_;    ///< the same where variants run
  DeviceBuffer rows_, gathered_, gathered_t_;  ///< for aqsm of the own G'
  std::vector<DeviceBuffer> by_band_, passing_;
  std::vector<State> by_state_;
  std::vector<ScalingStep> times_;  ///< this rank's own
};

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
                      const StudyRecord& study, const Progress& progress) {
  std::vector<std::pair<int, int>> runs;  // ranks and states
  for (const int ranks : request.strong) runs.emplace_back(ranks, request.states);
  for (const int ranks : request.weak) runs.emplace_back(ranks, request.states * ranks);
  if (runs.empty()) runs.emplace_back(all.size(), request.states);
  std::vector<StudyRecord> studies;
  for (const auto& [ranks, states] : runs) {
    if (ranks > all.size() || request.pools > ranks || request.pools > states)
      throw roofline::InputError(fmt::format(
          "{} of {} ranks make {} pools for {} states: each pool needs one of both at least", ranks,
          all.size(), request.pools, states));
    part_of(*request.preset, 0, block_of(ranks, 0, request.pools).count, 0);
    CalculationRequest one = request;
    one.states = states;
    StudyRecord& run = studies.emplace_back(study);
    run.input = input_record(one);
    const std::unique_ptr<Communicator> group = all.split(all.rank() < ranks ? 0 : -1, {});
    std::string refused;  // a word that all of the group know, for those that wait
    try {
      if (group) Rank(*group, one, progress).calculate(run);
    } catch (const roofline::InputError& error) {
      refused = error.what();
    }
    throw_first(all, refused);
    if (all.rank() == 0 && run.scaling) compare_sums(*studies.front().scaling, run);
    Result& result = run.results.front();
    result.status = result.check.passed ? Status::passed : Status::failed;
    result.reason = result.check.reason;
  }
  const std::size_t strong = request.strong.size();
  StudyRecord last = studies[(strong > 0 ? strong : runs.size()) - 1];
  if (all.rank() > 0) return last;
  for (const StudyRecord& run : studies)
    if (any_failed(run)) return run;
  last.scaling->strong.clear();
  for (std::size_t i = 0; i < runs.size(); ++i)
    (i < strong || request.weak.empty() ? last.scaling->strong : last.scaling->weak)
        .push_back(studies[i].scaling->strong.front());
  return last;
}

}  // namespace gpp::scale
