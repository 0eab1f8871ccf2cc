#include "gpp/scale/calculation.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>
#include <random>

#include "gpp/scale/late_ranks.h"
#include "gpp/study/check.h"
#include "gpp/study/record.h"
#include "harness/record/record_json.h"
#include "roofline/base/bounds.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/units.h"

namespace gpp::scale {
namespace {

/// Up to so many terms of a state all G' are checked, beyond it about as many terms.
constexpr double most_checked = 1e8;
constexpr double sampled = 5e8;

// ---- Numbers on their way through the reduction

/// Adds up the sums of all ranks. A rank has zero for the part of a state that it does not hold, so
/// one reduction serves all states.
std::vector<Sums> reduce(Communicator& all, std::vector<Sums> by_state) {
  static_assert(sizeof(Sums) == 4 * max_frequencies * sizeof(double), "nothing but numbers");
  std::vector<double> numbers(by_state.size() * sizeof(Sums) / sizeof(double));
  std::memcpy(numbers.data(), by_state.data(), by_state.size() * sizeof(Sums));
  numbers = all.sum(numbers);
  std::memcpy(by_state.data(), numbers.data(), by_state.size() * sizeof(Sums));
  return by_state;
}

std::vector<Reference> reduce(Communicator& all, std::vector<Reference> by_state) {
  for (Sums Reference::*member : {&Reference::sums, &Reference::magnitude, &Reference::ties}) {
    std::vector<Sums> sums;
    for (const Reference& one : by_state) sums.push_back(one.*member);
    sums = reduce(all, std::move(sums));
    for (std::size_t k = 0; k < sums.size(); ++k) by_state[k].*member = sums[k];
  }
  std::vector<double> tied;
  for (const Reference& one : by_state) tied.push_back(static_cast<double>(one.tied_terms));
  tied = all.sum(tied);
  for (std::size_t k = 0; k < tied.size(); ++k) by_state[k].tied_terms = std::llround(tied[k]);
  return by_state;
}

void add(Reference& total, const Reference& part) {
  total.sums += part.sums;
  total.magnitude += part.magnitude;
  total.ties += part.ties;
  total.tied_terms += part.tied_terms;
}

// ---- Memory

/// Bytes of this process that lie in the machine's memory.
long long resident_bytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  long long all = 0;
  long long resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// Bytes taken where variants run: a device's, or this process's.
long long taken_bytes(const Runtime& runtime) {
  return runtime.memory().is_host() ? resident_bytes() : -runtime.free_bytes();
}

// ---- One rank's work

class Rank {
 public:
  Rank(Communicator& all, const CalculationRequest& request,
       const std::function<void(std::string_view)>& progress)
      : all_(all),
        request_(request),
        progress_(progress),
        runtime_(*request.choice.build->runtime) {
    const int pool = pool_of(all.rank());
    pool_ = all.split(pool);
    part_ = {request.preset, request.seed, pool_->rank(), pool_->size(),
             states_of(request.states, pool, request.pools)};
    sample_ = draw_sample(part_);
  }

  CalculationResult calculate();

 private:
  int pool_of(int rank) const {
    for (int pool = 0;; ++pool) {
      const BandBlock ranks = block_of(all_.size(), pool, request_.pools);
      if (rank < ranks.first + ranks.bands) return pool;
    }
  }

  void require_memory() const;
  void set_up();
  void choose_transport();
  std::string nccl_refusal();
  Check check(CalculationResult& result);
  std::vector<Reference> references();
  Reference reference_of(int i);
  std::vector<Sums> run();
  void time(CalculationResult& result);
  void tell(CalculationResult& result, double seconds);
  Memory predicted() const {
    return predict_memory(*request_.preset, part_.ranks, static_cast<int>(part_.states.size()),
                          transport_ != nullptr && transport_->staged());
  }
  std::vector<double> equal_weights(double factor) const {
    return std::vector<double>(static_cast<std::size_t>(own_->ngpown()), factor);
  }

  Communicator& all_;
  const CalculationRequest& request_;
  const std::function<void(std::string_view)>& progress_;
  const Runtime& runtime_;
  std::unique_ptr<Communicator> pool_;
  PoolPart part_;
  std::vector<int> sample_;
  long long taken_before_ = 0;
  std::unique_ptr<Exchange> nccl_;
  std::unique_ptr<Transport> transport_;
  std::string remark_;
  std::unique_ptr<OwnPart> own_;
  std::unique_ptr<Ring> ring_;
  std::vector<ScalingStep> steps_;
};

/// Ranks of a host share its memory. While poles are placed, they are there twice on a host.
void Rank::require_memory() const {
  const Memory memory = predicted();
  const bool host = runtime_.memory().is_host();
  const std::int64_t on_host =
      host ? memory.placed() + memory.poles / 2 : memory.poles + memory.own + memory.staging;
  roofline::require_memory(on_host * all_.local_size(),
                           fmt::format("{} ranks of preset {} on {}", all_.local_size(),
                                       request_.preset->name, roofline::host_name()));
  if (!host) require_device_memory(memory.placed(), runtime_.free_bytes());
}

/// Why not by NCCL. Only ranks of pools of several ranks ask: a pool answers for itself.
std::string Rank::nccl_refusal() {
  if (request_.transport == TransportWanted::mpi) return "MPI was asked for";
  if (request_.choice.variant->model == "omp") return "OpenMP's runtime owns the device's memory";
  std::string reason;
  try {
    require_nccl();
  } catch (const std::exception& error) {
    reason = error.what();
  }
  for (const std::string& one : pool_->gather(reason))
    if (!one.empty()) return one;
  return {};
}

/// Every rank of a pool chooses the same.
void Rank::choose_transport() {
  const bool gpus = !runtime_.memory().is_host();
  if (pool_->size() == 1 || !gpus) {
    transport_ = direct_transport(*pool_, pool_->size() == 1 ? "none: one rank" : "MPI");
    if (request_.transport == TransportWanted::nccl)
      throw roofline::InputError("--transport nccl: blocks pass between two GPUs at least by it");
    return;
  }
  remark_ = nccl_refusal();
  if (remark_.empty()) {
    nccl_ = nccl_exchange(*pool_, request_.device);
    transport_ = direct_transport(*nccl_, "NCCL");
    return;
  }
  if (request_.transport == TransportWanted::nccl)
    throw roofline::InputError(fmt::format("--transport nccl: {}", remark_));
  transport_ = staged_transport(*pool_, runtime_.memory());
}

void Rank::set_up() {
  progress_("generating each rank's part");
  taken_before_ = taken_bytes(runtime_);
  together(all_, [&] { choose_transport(); });
  together(all_, [&] { require_memory(); });
  together(all_, [&] {
    own_ = std::make_unique<OwnPart>(part_, sample_, runtime_.memory(), Progress{});
    ring_ = std::make_unique<Ring>(*pool_, *transport_, *own_, runtime_.memory(), request_.exchange,
                                   [this] { runtime_.use_device(request_.device); });
  });
}

/// All states once.
std::vector<Sums> Rank::run() {
  std::vector<Sums> by_state(static_cast<std::size_t>(request_.states));
  for (std::size_t i = 0; i < part_.states.size(); ++i)
    by_state[static_cast<std::size_t>(part_.states[i])] =
        ring_->run(static_cast<int>(i), request_.choice.build->call, steps_);
  return reduce(all_, by_state);
}

/// The sample's terms over all bands, which pass the ring once more, through memory of the hosts.
Reference Rank::reference_of(int i) {
  const int ranks = pool_->size();
  std::vector<Complex> held(own_->block_bytes(pool_->rank()) / sizeof(Complex));
  runtime_.memory().read(held.data(), own_->own_block(i), held.size() * sizeof(Complex));
  Reference total;
  double longest = 0;
  for (int step = 0; step < ranks; ++step) {
    const int owner = (pool_->rank() + step) % ranks;
    const auto begin = Clock::now();
    add(total, own_->sample_reference(i, owner, held));
    longest = std::max(longest, seconds_since(begin));
    if (step + 1 == ranks) break;
    std::vector<Complex> next(own_->block_bytes((owner + 1) % ranks) / sizeof(Complex));
    const auto transfer =
        pool_->pass(held.data(), held.size() * sizeof(Complex), (pool_->rank() + ranks - 1) % ranks,
                    next.data(), next.size() * sizeof(Complex), (pool_->rank() + 1) % ranks);
    const auto start = Clock::now();
    while (!transfer->done()) {
      if (seconds_since(start) > patience_s + 3 * longest)
        throw std::runtime_error(not_come(seconds_since(start), "passing a block of bands"));
      usleep(50);
    }
    held = std::move(next);
  }
  return total;
}

std::vector<Reference> Rank::references() {
  std::vector<Reference> by_state(static_cast<std::size_t>(request_.states));
  for (std::size_t i = 0; i < part_.states.size(); ++i)
    by_state[static_cast<std::size_t>(part_.states[i])] = reference_of(static_cast<int>(i));
  return reduce(all_, by_state);
}

/// The calculation as it is, with every other G' of no weight, against the reference of the sample.
Check Rank::check(CalculationResult& result) {
  progress_("computing the reference");
  const auto start = Clock::now();
  const std::vector<Reference> due = references();
  result.reference_seconds = seconds_since(start);
  progress_("checking");
  std::vector<double> weights = equal_weights(0.0);
  for (const int igp : sample_) weights[static_cast<std::size_t>(igp)] = 1.0;
  own_->reweight(weights);
  const std::vector<Sums> sums = run();
  result.sums = sums.front();
  result.reference = due.front();
  Check worst{0, request_.tolerance, true, {}};
  for (std::size_t k = 0; k < sums.size(); ++k) {
    Check one = gpp::check(sums[k], due[k], request_.preset->nfreq(), request_.tolerance);
    if (!one.passed && sums.size() > 1) one.reason = fmt::format("state {}: {}", k, one.reason);
    if (one.max_relative_error >= worst.max_relative_error || !one.passed) worst = one;
    if (!worst.passed) break;
  }
  return worst;
}

Sums scaled(const Sums& sums, double factor) {
  Sums result{};
  for (int iw = 0; iw < max_frequencies; ++iw) {
    result.asx[iw] = factor * sums.asx[iw];
    result.ach[iw] = factor * sums.ach[iw];
  }
  return result;
}

Json states_json(const std::vector<Sums>& states, int nfreq) {
  Json json = {{"asx", Json::array()}, {"ach", Json::array()}};
  for (const Sums& sums : states) {
    json["asx"].push_back(complex_numbers(sums.asx, nfreq));
    json["ach"].push_back(complex_numbers(sums.ach, nfreq));
  }
  return json;
}

/// Every run has other weights, so that sums kept from before are wrong. Powers of two keep digits.
void Rank::time(CalculationResult& result) {
  progress_("warming up");
  own_->reweight(equal_weights(1.0));
  const std::vector<Sums> first = run();
  result.scaling.sums = states_json(first, request_.preset->nfreq());
  steps_.clear();
  double seconds = 0;
  const auto begin = Clock::now();
  for (int i = 0; i < request_.repeat; ++i) {
    const bool over = i > 0 && seconds_since(begin) > request_.time_limit;
    if (all_.sum({all_.rank() == 0 && over ? 1.0 : 0.0}).front() > 0) break;
    progress_("timing");
    const double factor = std::ldexp(1.0, i % 5 - 2);
    own_->reweight(equal_weights(factor));
    all_.meet();
    const auto start = Clock::now();
    const std::vector<Sums> sums = run();
    const double taken = seconds_since(start);
    seconds += taken;
    result.samples.push_back(taken);
    for (std::size_t k = 0; k < sums.size(); ++k)
      if (difference(sums[k], scaled(first[k], factor)) > request_.tolerance) {
        result.check.passed = false;
        result.check.reason =
            fmt::format("run {} of state {} gave other sums than the first", i + 1, k);
      }
  }
  tell(result, seconds);
}

/// The hidden share of the transfer; 1 where nothing was passed.
double overlap_of(const ScalingStep& step) {
  return step.transfer <= 0 ? 1.0 : std::clamp(1.0 - step.wait / step.transfer, 0.0, 1.0);
}

/// Means over the ranks that took part in a step: pools may differ in size by one rank.
std::vector<ScalingStep> mean_steps(const std::vector<std::vector<ScalingStep>>& by_rank) {
  std::vector<ScalingStep> means;
  std::vector<int> counts;
  for (const std::vector<ScalingStep>& steps : by_rank)
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i == means.size()) {
        means.emplace_back();
        counts.push_back(0);
      }
      means[i].compute += steps[i].compute;
      means[i].transfer += steps[i].transfer;
      means[i].wait += steps[i].wait;
      ++counts[i];
    }
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i].compute /= counts[i];
    means[i].transfer /= counts[i];
    means[i].wait /= counts[i];
    means[i].overlap = overlap_of(means[i]);
  }
  return means;
}

/// A rank's report to all others.
struct RankReport {
  int pool = 0;
  ScalingRank rank;
  std::vector<ScalingStep> steps;
  std::vector<int> sample;
  double waited = 0;
};

void fields(roofline::Fields& field, RankReport& report) {
  field("pool", report.pool, roofline::Whole{});
  field("rank", report.rank);
  field("steps", report.steps);
  field("sample", report.sample, roofline::Whole{1, 1'000'000'000});
  field("waited", report.waited, roofline::bounds::share);
}

/// Puts every rank's words into the record. The sample is that of the first pool, which has state
/// 0.
void collect(const std::vector<std::string>& told, CalculationResult& result) {
  ScalingRecord& scaling = result.scaling;
  std::vector<std::vector<ScalingStep>> steps;
  double waited = 0;
  for (const std::string& text : told) {
    const auto report = roofline::read_text<RankReport>(text, "what a rank told");
    scaling.by_rank.push_back(report.rank);
    waited += report.waited / static_cast<double>(told.size());
    steps.push_back(report.steps);
    if (report.pool == 0)
      scaling.sample.insert(scaling.sample.end(), report.sample.begin(), report.sample.end());
  }
  std::sort(scaling.sample.begin(), scaling.sample.end());
  scaling.steps = mean_steps(steps);
  scaling.strong.push_back(
      {scaling.ranks, scaling.states, result.samples, waited, scaling.transport});
}

/// Gives all ranks the facts that only single ranks know.
void Rank::tell(CalculationResult& result, double seconds) {
  ScalingRecord& scaling = result.scaling;
  scaling.ranks = all_.size();
  scaling.pools = request_.pools;
  scaling.states = request_.states;
  scaling.exchange = name_of(request_.exchange);
  scaling.transport = transport_->name();
  scaling.remark = remark_;
  RankReport mine;
  mine.pool = pool_of(all_.rank());
  double busy = 0;
  double waited = 0;
  const auto passes = static_cast<double>(result.samples.size() * part_.states.size());
  for (const ScalingStep& step : steps_) {
    busy += step.compute;
    waited += step.wait;
    mine.steps.push_back(
        {step.compute / passes, step.transfer / passes, step.wait / passes, overlap_of(step)});
  }
  if (static_cast<int>(sample_.size()) != own_->ngpown())
    for (const int igp : sample_) mine.sample.push_back(1 + part_.rank + igp * part_.ranks);
  mine.rank = {.host = roofline::host_name(),
               .device = runtime_.describe().name,
               .cores = request_.cores,
               .own_g = own_->ngpown(),
               .bands = block_of(request_.preset->sig_ntband, part_.rank, part_.ranks).bands,
               .predicted_bytes = predicted().placed(),
               .measured_bytes = std::max(0LL, taken_bytes(runtime_) - taken_before_),
               .busy = std::min(1.0, busy / seconds)};
  mine.waited = std::min(1.0, waited / seconds);
  collect(all_.gather(roofline::facts_text(mine)), result);
}

CalculationResult Rank::calculate() {
  set_up();
  CalculationResult result;
  result.check = check(result);
  if (result.check.passed) time(result);
  return result;
}

void require_shares(const CalculationRequest& request, int ranks) {
  if (request.pools > ranks)
    throw roofline::InputError(
        fmt::format("--pools {}: more pools than the {} ranks", request.pools, ranks));
  if (request.pools > request.states)
    throw roofline::InputError(fmt::format("--pools {}: more pools than the {} states to share",
                                           request.pools, request.states));
  part_of(*request.preset, 0, block_of(ranks, 0, request.pools).bands, 0);
}

}  // namespace

void together(Communicator& all, const std::function<void()>& action) {
  std::string trouble;
  try {
    action();
  } catch (const std::bad_alloc&) {
    trouble = "out of memory; start fewer ranks on a host, or name a smaller preset";
  } catch (const std::exception& error) {
    trouble = error.what();
    if (trouble.empty()) trouble = "failed without a reason";
  }
  if (!trouble.empty() && all.size() > 1)
    trouble = fmt::format("rank {} on {}: {}", all.rank(), roofline::host_name(), trouble);
  for (const std::string& one : all.gather(trouble))
    if (!one.empty()) throw roofline::InputError(one);
}

std::vector<int> draw_sample(const PoolPart& pool) {
  const Preset& preset = *pool.preset;
  const int own = own_g_of(preset.ncouls, pool.rank, pool.ranks);
  std::vector<int> places(static_cast<std::size_t>(own));
  std::iota(places.begin(), places.end(), 0);
  const double terms_of_a_g = 1.0 * preset.ncouls * preset.sig_ntband * preset.nfreq();
  if (terms_of_a_g * preset.ncouls <= most_checked) return places;
  const double all = sampled / terms_of_a_g / static_cast<double>(pool.states.size());
  const auto count = static_cast<std::size_t>(std::clamp(all / pool.ranks, 1.0, 1.0 * own));
  std::mt19937_64 engine(pool.seed + 1000003 * static_cast<std::uint64_t>(pool.rank));
  std::shuffle(places.begin(), places.end(), engine);
  places.resize(count);
  std::sort(places.begin(), places.end());
  return places;
}

CalculationResult calculate(Communicator& all, const CalculationRequest& request,
                            const std::function<void(std::string_view)>& progress) {
  require_shares(request, all.size());
  return Rank(all, request, progress).calculate();
}

}  // namespace gpp::scale
