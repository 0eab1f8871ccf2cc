#include "gpp/scale/calculation.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <stdexcept>

#include "gpp/placed_problem.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "harness/record/record_json.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "runtimes/threads.h"

namespace gpp::scale {
namespace {

using roofline::steady_seconds;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Bytes taken where variants run: a device's, or those of this process in the machine's memory.
long long taken_bytes(const Runtime& runtime) {
  if (!runtime.memory().is_host()) return -runtime.free_bytes();
  malloc_trim(0);
  const std::string pages = roofline::first_line("/proc/self/statm");  // all, and resident ones
  return std::stoll(pages.substr(pages.find(' '))) * sysconf(_SC_PAGESIZE);
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

/// What one rank owns, in the memory where variants run, and what it does with it. One beyond the
/// number of ranks that share the states has none of them and only meets the others.
class Rank {
 public:
  Rank(Communicator& all, const CalculationRequest& request, int ranks)
      : all_(all),
        request_(request),
        ranks_(ranks),
        preset_(*request.preset),
        runtime_(*request.choice.build->runtime),
        device_(runtime_.memory()) {
    int pool = 0;
    while (pool < request.pools && all.rank() >= block_of(ranks, pool + 1, request.pools).first)
      ++pool;
    if (pool == request.pools) return;
    pool_ = block_of(ranks, pool, request.pools);
    states_ = block_of(request.states, pool, request.pools);
    sample_ = draw_sample(preset_, request.seed, pool_.count, states_.count);
  }

  void calculate(StudyRecord& study) {
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
    const bool all_runs = static_cast<int>(result.samples.size()) == timing_.repeat;
    result.stop = all_runs ? Stop::repeats : Stop::time_limit;
    study.scaling = scaling;
  }

 private:
  bool works() const { return states_.count > 0; }
  bool whole() const { return steps_ == 1; }  ///< all bands are summed at once, not by blocks
  int rank() const { return all_.rank() - pool_.first; }  ///< in the pool
  Block bands_of(int number) const {  ///< of a rank of the pool, round which numbers go
    return block_of(preset_.sig_ntband, number % pool_.count, pool_.count);
  }
  Preset own_part(int i) const { return part_of(preset_, rank(), pool_.count, states_.first + i); }

  // ---- What it owns

  /// Ranks share their host's memory, which has the own G' once more, and what the check generates.
  void choose_exchange() {
    const auto predicted = [this](bool whole) {
      return predict_memory(preset_, pool_.count, states_.count, whole);
    };
    const bool host = device_.is_host();
    const bool full = works() && !host && predicted(true).packed() > runtime_.free_bytes();
    const bool room_for_all = sum_of_all<int>(all_, {full ? 1 : 0}).front() == 0;
    const std::string& exchange = request_.exchange;
    const bool gather = exchange == "gather" || (exchange == "auto" && room_for_all);
    steps_ = gather ? 1 : pool_.count;
    memory_ = predicted(whole());
    const std::string name = roofline::host_name();
    const std::vector<std::string> hosts = all_.gather(works() ? name : "");
    const auto here = std::count(hosts.begin(), hosts.end(), name);
    together(all_, [&] {
      roofline::require_memory(
          here * (memory_.poles + 2 * memory_.own + (host ? memory_.placed() : 0)),
          fmt::format("{} ranks of preset {} on {}", here, preset_.name, name));
      if (works() && !host) require_device_memory(memory_.placed(), runtime_.free_bytes());
    });
  }

  void generate_part() {
    if (!works()) return;
    *input_ = generate(own_part(0), request_.seed, false);
    input_->peinf_ntband_dist = 0;
    input_->aqsntemp = input_->aqsmtemp = {};
    rows_ = DeviceBuffer(device_, own_vectors(*input_));
    own_g_ = std::make_unique<PreparedProblem>(input_);
    placed_g_ = std::make_unique<PlacedProblem>(*own_g_, device_);
    for (DeviceBuffer* buffer : {&gathered_, &gathered_t_})
      *buffer = DeviceBuffer(device_, static_cast<std::size_t>(memory_.gathered) / 2);
    for (int i = 0; i < memory_.buffers; ++i)
      passing_.emplace_back(device_, static_cast<std::size_t>(memory_.block));
    const double first_energy = input_->e_lk;
    for (int i = 0; i < states_.count; ++i) {
      MatrixElements elements = generate_elements(own_part(i), request_.seed);
      std::vector<Complex>& own = elements.aqsntemp;
      own.insert(own.end(), elements.aqsmtemp.begin(), elements.aqsmtemp.end());
      own_bands_.emplace_back(device_, own);
      input_->e_lk = first_energy + i * state_distance;
      for (int step = 0; step < steps_; ++step) add_round(i, step);
    }
  }

  /// The own G' with these bands of the input's state, but for the bands' matrices.
  FactoredProblem place(Block bands) {
    input_->peinf_ntband_dist = bands.count;
    input_->peinf_indext_dist.resize(at(bands.count));
    std::iota(input_->peinf_indext_dist.begin(), input_->peinf_indext_dist.end(), bands.first + 1);
    PreparedBands prepared(*input_);
    FactoredProblem problem = own_g_->view();
    prepared.plan_groups_in(problem);
    problem.resonant_poles = has_exact_resonance(problem);
    problem.wtilde_array = problem.I_eps_array = {};
    problem.vcoul_loc = {};
    problem = relocate(problem, [this](const char* name, auto array) {
      if (array.count() > 0)
        array.data = static_cast<decltype(array.data)>(
            by_band_.add(name, array.data, array.count() * sizeof(*array.data)));
      return array;
    });
    problem.wtilde_array = placed_g_->view().wtilde_array;
    problem.I_eps_array = placed_g_->view().I_eps_array;
    problem.vcoul_loc = placed_g_->view().vcoul_loc;
    return problem;
  }

  /// Multiplies the sums of each G', from 0, by a power of two, or by 0.
  void weigh(const std::function<double(int g)>& weight) {
    std::vector<double> weights;
    for (int g = rank(); g < preset_.ncouls; g += pool_.count) weights.push_back(weight(g));
    if (works()) placed_g_->reweight(weights);
  }

  // ---- Its sums, in rounds

  /// One sum: over all bands of a state, or over the block of a step.
  struct Round {
    FactoredProblem problem;
    Messages sent = {}, received = {};  ///< what brings its bands; none where they are there
  };

  void add_round(int i, int step) {
    Round round{place(whole() ? all_bands_ : bands_of(rank() + step))};
    FactoredProblem& problem = round.problem;
    const bool comes = pool_.count > 1 && (whole() || step > 0);
    auto* const own = own_bands_[at(i)].as<Complex>();
    auto* const due = comes ? passing_[rounds_.size() % passing_.size()].as<Complex>() : own;
    problem.aqsntemp = {due, problem.ncouls, problem.nbands};
    problem.aqsmtemp_local = {gathered_.as<const Complex>(), problem.ngpown, problem.nbands};
    problem.aqsmtemp_local_t = {gathered_t_.as<const Complex>(), problem.nbands, problem.ngpown};
    // Bands of a block, to or from that rank.
    const auto pass = [&](Messages& to, Complex* block, Block all, Block bands, int other) {
      for (int matrix = 0; matrix < (preset_.offdiagonal ? 2 : 1); ++matrix)
        to.push_back({block + at(problem.ncouls) * at(matrix * all.count + bands.first - all.first),
                      problem.ncouls * bands.count, pool_.first + other % pool_.count});
    };
    if (comes && !whole()) {
      const Block before = bands_of(rank() + step - 1), next = bands_of(rank() + step);
      auto* const last = const_cast<Complex*>(rounds_.back().problem.aqsntemp.data);
      pass(round.sent, last, before, before, rank() + pool_.count - 1);
      pass(round.received, due, next, next, rank() + 1);
    }
    for (int other = 0; comes && whole() && other < pool_.count; ++other) {
      pass(round.sent, own, bands_of(rank()), bands_of(rank()), other);
      pass(round.received, due, all_bands_, bands_of(other), other);
    }
    rounds_.push_back(round);
  }

  Arrival start(std::size_t round) const {
    if (round == rounds_.size() || rounds_[round].sent.empty()) return {};
    return all_.start(rounds_[round].sent, rounds_[round].received);
  }

  Sums sum(const FactoredProblem& problem) const {
    const Array2<const Complex>& aqsn = problem.aqsntemp;
    const Complex* const aqsm = aqsn.data + (preset_.offdiagonal ? aqsn.count() : 0);
    device_.gather({reinterpret_cast<const double*>(aqsm), problem.ncouls, problem.nbands,
                    rows_.as<const int>(), problem.ngpown, gathered_.as<double>(),
                    gathered_t_.as<double>()});
    return call_variant(request_.choice.build->call, problem);
  }

  /// All states once, with these weights of the own G'. What brings the bands of a round starts
  /// before or, blocking, behind the sum of the round before.
  std::vector<Sums> run() {
    const bool blocking = request_.exchange == "blocking";
    std::vector<Sums> by_state(at(request_.states));
    times_.resize(works() ? at(steps_) : 0);
    Arrival coming = start(0);
    for (std::size_t round = 0; round < rounds_.size(); ++round) {
      const std::size_t step = round % times_.size();
      if (coming.valid()) {
        ScalingStep& passed = times_[std::max<std::size_t>(step, 1) - 1];
        const double begin = steady_seconds();
        passed.transfer += coming.get();
        passed.wait += steady_seconds() - begin;
      }
      if (!blocking) coming = start(round + 1);
      const double begin = steady_seconds();
      by_state[at(states_.first) + round / times_.size()] += sum(rounds_[round].problem);
      times_[step].compute += steady_seconds() - begin;
      if (blocking) coming = start(round + 1);
    }
    return sum_of_all(all_, by_state);
  }

  // ---- Checked and timed

  /// The sample over the own bands of each rank, straight from the definition, and added up.
  std::vector<Reference> references() const {
    const std::size_t states = at(request_.states);
    std::vector<Sums> parts(3 * states);
    std::vector<long long> tied_terms(states);
    together(all_, [&] {
      for (int i = 0; i < states_.count; ++i) {
        Preset sampled = own_part(i);
        sampled.first_own_g = sample_.first;
        sampled.g_ranks = sample_.stride;
        sampled.ngpown = sample_.count;
        const PreparedProblem problem(generate(sampled, request_.seed, false));
        const Reference one = compute_reference(problem.view());
        const std::size_t k = at(states_.first + i);
        std::copy_n(std::array{one.sums, one.magnitude, one.ties}.begin(), 3, &parts[3 * k]);
        tied_terms[k] = one.tied_terms;
      }
    });
    parts = sum_of_all(all_, parts);
    tied_terms = sum_of_all(all_, tied_terms);
    std::vector<Reference> by_state;
    for (std::size_t k = 0; k < states; ++k)
      by_state.push_back({parts[3 * k], parts[3 * k + 1], parts[3 * k + 2], tied_terms[k]});
    return by_state;
  }

  /// The calculation as it is, with every other G' of no weight, against the sample's reference.
  void check(Result& result, ReferenceRecord& reference) {
    const double start = steady_seconds();
    const std::vector<Reference> due = references();
    reference = reference_record(due.front(), *input_);
    reference.seconds = steady_seconds() - start;
    weigh([this](int g) {
      const int i = g - sample_.first;
      return i >= 0 && i % sample_.stride == 0 && i / sample_.stride < sample_.count ? 1.0 : 0.0;
    });
    const std::vector<Sums> sums = run();
    result.answer = answer_json(sums.front(), *input_);
    result.check = {0, tolerance_, true, {}};
    for (std::size_t k = 0; k < sums.size() && result.check.passed; ++k) {
      Check one = gpp::check(sums[k], due[k], preset_.nfreq(), tolerance_);
      if (!one.passed && sums.size() > 1) one.reason = fmt::format("state {}: {}", k, one.reason);
      if (one.max_relative_error >= result.check.max_relative_error || !one.passed)
        result.check = one;
    }
  }

  /// Every run is held against the first.
  void time(Result& result, ScalingRecord& scaling) {
    weigh([](int /*g*/) { return 1.0; });
    const std::vector<Sums> first = run();
    for (const Sums& sums : first) {
      scaling.sums["asx"].push_back(complex_numbers(sums.asx, preset_.nfreq()));
      scaling.sums["ach"].push_back(complex_numbers(sums.ach, preset_.nfreq()));
    }
    times_.clear();
    const double begin = steady_seconds();
    for (int i = 0; i < timing_.repeat; ++i) {
      const int over = i > 0 && steady_seconds() - begin > timing_.time_limit ? 1 : 0;
      if (lists_of_all<int>(all_, {over}).front().front() > 0) break;
      const double start = steady_seconds();
      const std::vector<Sums> sums = run();
      result.samples.push_back(steady_seconds() - start);
      for (std::size_t k = 0; k < sums.size(); ++k)
        if (!(difference(sums[k], first[k]) <= tolerance_)) {
          result.check.passed = false;
          result.check.reason =
              fmt::format("run {} of state {} gave other sums than the first", i + 1, k);
        }
    }
  }

  /// Gives all ranks the facts that only single ranks know.
  void report(const std::vector<double>& samples, ScalingRecord& scaling) {
    scaling.ranks = ranks_;
    scaling.pools = request_.pools;
    scaling.states = request_.states;
    scaling.exchange = whole()                       ? "gather"
                       : request_.exchange == "auto" ? "ring"
                                                     : request_.exchange;
    scaling.transport = pool_.count == 1 ? "none: one rank" : device_.is_host() ? "MPI" : "NCCL";
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
                           input_->ngpown,
                           bands_of(rank()).count,
                           memory_.placed(),
                           std::max(0LL, taken_bytes(runtime_) - taken_before_),
                           std::min(1.0, busy)};
    for (const std::string& text : all_.gather(works() ? roofline::facts_text(mine) : ""))
      if (!text.empty())
        scaling.by_rank.push_back(roofline::read_text<ScalingRank>(text, "the report of a rank"));
    waited = sum_of_all<double>(all_, {waited}).front() / ranks_;
    scaling.strong.push_back(
        {ranks_, scaling.states, samples, std::min(1.0, waited), scaling.transport});
  }

  Communicator& all_;
  const CalculationRequest& request_;
  const TimingRule& timing_ = request_.options.timing;
  const double tolerance_ = request_.options.tolerance.value_or(default_tolerance);
  const int ranks_;  ///< that share the states
  const Preset& preset_;
  const Runtime& runtime_;
  const DeviceMemory& device_;
  Block pool_{0, 1};  ///< the ranks that share states with this one
  Block states_;      ///< that they sum
  const Block all_bands_{0, preset_.sig_ntband};
  Sample sample_;
  int steps_ = 1;  ///< of a state
  Memory memory_;  ///< as predicted
  long long taken_before_ = 0;
  const std::shared_ptr<Input> input_ = std::make_shared<Input>();  ///< own G' and some bands
  std::unique_ptr<PreparedProblem> own_g_;     ///< without any band, in the host's memory
  std::unique_ptr<PlacedProblem> placed_g_;    ///< the same where variants run
  DeviceBuffer rows_, gathered_, gathered_t_;  ///< for aqsm of the own G'
  /// aqsntemp (ncouls, bands) of each state, and behind it aqsmtemp where that differs; others'.
  std::vector<DeviceBuffer> own_bands_, passing_;
  PlacedArrays by_band_{device_};
  std::vector<Round> rounds_;
  std::vector<ScalingStep> times_;  ///< this rank's own
};

}  // namespace

// ---- The ranks

std::string mpi_missing() { return GPP_MPI_MISSING; }

std::unique_ptr<Communicator> all_ranks() {
  if (!mpi_missing().empty()) throw std::runtime_error(mpi_missing());
  constexpr const char* library = "libgpp_mpi.so";
  // It is never closed. MPI's own plug-ins look for its symbols among all that are loaded.
  void* const handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  void* const start = handle == nullptr ? nullptr : dlsym(handle, "gpp_all_ranks");
  if (start == nullptr)
    throw std::runtime_error(fmt::format(
        "{} cannot be used: {}; install what it names, or build it anew", library, dlerror()));
  return std::unique_ptr<Communicator>(reinterpret_cast<Communicator* (*)()>(start)());
}

void together(Communicator& all, const std::function<void()>& action) {
  std::string trouble;
  try {
    action();
  } catch (const std::bad_alloc&) {
    trouble = "out of memory; start fewer ranks on a host, or name a smaller preset";
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  if (!trouble.empty() && all.size() > 1)
    trouble = fmt::format("rank {} on {}: {}", all.rank(), roofline::host_name(), trouble);
  for (const std::string& one : all.gather(trouble))
    if (!one.empty()) throw roofline::InputError(one);
}

// ---- The calculation

Sample draw_sample(const Preset& preset, std::uint64_t seed, int ranks, int states) {
  constexpr double most_checked = 1e8, sampled = 5e8;  // terms
  const double terms_of_a_g = 1.0 * preset.ncouls * preset.sig_ntband * preset.nfreq();
  if (terms_of_a_g * preset.ncouls <= most_checked) return {0, 1, preset.ncouls};
  const int count =
      std::clamp(static_cast<int>(sampled / terms_of_a_g / states), ranks, preset.ncouls);
  // Neighbours in the sample belong to neighbouring ranks.
  const int stride = (preset.ncouls / count - 1) / ranks * ranks + 1;
  std::mt19937_64 engine(seed);
  return {static_cast<int>(engine() % static_cast<std::uint64_t>(stride)), stride, count};
}

StudyRecord calculate(Communicator& all, const CalculationRequest& request,
                      const StudyRecord& study) {
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
    const Preset whole = part_of(*request.preset, 0, 1, 0);
    run.input = input_record(
        fmt::format("preset {}, seed {}, whole", whole.name, request.seed),
        {whole.ncouls, whole.ngpown, whole.ntband_dist, whole.nstart, whole.nend}, states);
    Rank(all, one, ranks).calculate(run);
    Result& result = run.results.front();
    result.status = result.check.passed ? Status::passed : Status::failed;
    result.reason = result.check.reason;
    if (!result.check.passed) return run;
  }
  const std::size_t strong = request.strong.size();
  StudyRecord last = studies[(strong > 0 ? strong : runs.size()) - 1];
  last.scaling->strong.clear();
  for (std::size_t i = 0; i < runs.size(); ++i)
    (i < strong || request.weak.empty() ? last.scaling->strong : last.scaling->weak)
        .push_back(studies[i].scaling->strong.front());
  return last;
}

}  // namespace gpp::scale
