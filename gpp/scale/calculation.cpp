#include "gpp/scale/calculation.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "gpp/study/check.h"
#include "gpp/study/kernel.h"
#include "gpp/study/record.h"
#include "harness/record/record_json.h"
#include "roofline/base/bounds.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "runtimes/threads.h"

namespace gpp::scale {
namespace {

using Clock = std::chrono::steady_clock;

/// Up to so many terms of a state all G' are checked, beyond it about as many terms.
constexpr double most_checked = 1e8;
constexpr double sampled = 5e8;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// ---- Values of all ranks

/// Adds up what all ranks have. A rank has zero for the part of a state that it does not hold, so
/// one reduction serves all states.
template <class Numbers>
std::vector<Numbers> reduce(Communicator& all, std::vector<Numbers> by_state) {
  static_assert(sizeof(Numbers) % sizeof(double) == 0, "nothing but numbers");
  std::vector<double> numbers(by_state.size() * sizeof(Numbers) / sizeof(double));
  std::memcpy(numbers.data(), by_state.data(), by_state.size() * sizeof(Numbers));
  numbers = all.sum(numbers);
  std::memcpy(static_cast<void*>(by_state.data()), numbers.data(),
              by_state.size() * sizeof(Numbers));
  return by_state;
}

/// A reference, but for what it keeps of each G'.
struct ReferenceNumbers {
  Sums sums{}, magnitude{}, ties{};
  double tied_terms = 0;
};

/// The lists of all ranks of a pool, one after the other.
template <class T>
std::vector<T> joined(Communicator& pool, const std::vector<T>& own) {
  const std::string bytes(reinterpret_cast<const char*>(own.data()), own.size() * sizeof(T));
  std::vector<T> all;
  for (const std::string& one : pool.gather(bytes)) {
    const std::size_t before = all.size();
    all.resize(before + one.size() / sizeof(T));
    std::memcpy(static_cast<void*>(&all[before]), one.data(), one.size());
  }
  return all;
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

/// Bytes taken where variants run: a device's, or those of this process in the machine's memory.
long long taken_bytes(const Runtime& runtime) {
  if (!runtime.memory().is_host()) return -runtime.free_bytes();
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  long long all = 0, resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// ---- The report of a rank to all others

struct RankReport {
  ScalingRank rank;
  std::vector<ScalingStep> steps;  ///< this rank's own times
  std::vector<int> sample;         ///< of the first pool's ranks: it has state 0
  double waited = 0;
};

void fields(roofline::Fields& field, RankReport& report) {
  field("rank", report.rank);
  field("steps", report.steps);
  field("sample", report.sample, roofline::Whole{1, 1'000'000'000});
  field("waited", report.waited, roofline::bounds::share);
}

/// One step of all ranks that took part in it: pools may differ in size by one rank. The rank that
/// came last waited for nobody, so that its transfer is what the links alone take.
ScalingStep step_of_all(const std::vector<RankReport>& reports, std::size_t i) {
  ScalingStep all;
  all.transfer = std::numeric_limits<double>::infinity();
  double on_their_way = 0;
  int count = 0;
  for (std::size_t rank = 0; rank < reports.size(); ++rank) {
    if (i >= reports[rank].steps.size()) continue;
    const ScalingStep& one = reports[rank].steps[i];
    all.compute += one.compute;
    all.wait += one.wait;
    on_their_way += one.transfer;
    all.transfer = std::min(all.transfer, one.transfer);
    if (one.compute > all.slowest) {
      all.slowest = one.compute;
      all.slowest_rank = static_cast<int>(rank);
    }
    ++count;
  }
  all.compute /= count;
  all.wait /= count;
  all.late = on_their_way / count - all.transfer;
  all.overlap =
      on_their_way <= 0 ? 1.0 : std::clamp(1.0 - all.wait * count / on_their_way, 0.0, 1.0);
  return all;
}

void collect(const std::vector<std::string>& texts, CalculationResult& result) {
  ScalingRecord& scaling = result.scaling;
  std::vector<RankReport> reports;
  double waited = 0;
  for (const std::string& text : texts) {
    const RankReport& report =
        reports.emplace_back(roofline::read_text<RankReport>(text, "the report of a rank"));
    scaling.by_rank.push_back(report.rank);
    waited += report.waited / static_cast<double>(texts.size());
    scaling.sample.insert(scaling.sample.end(), report.sample.begin(), report.sample.end());
  }
  std::sort(scaling.sample.begin(), scaling.sample.end());
  for (std::size_t i = 0; i < reports.front().steps.size(); ++i)  // the first pool is a largest one
    scaling.steps.push_back(step_of_all(reports, i));
  scaling.strong.push_back(
      {scaling.ranks, scaling.states, result.samples, waited, scaling.transport});
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
  BandBlock bands_of(int rank) const {
    return block_of(request_.preset->sig_ntband, rank, part_.ranks);
  }
  Memory predicted(bool whole) const {
    return predict_memory(*request_.preset, part_.ranks, static_cast<int>(part_.states.size()),
                          whole);
  }
  std::vector<double> equal_weights(double factor) const {
    return std::vector<double>(static_cast<std::size_t>(own_->ngpown()), factor);
  }

  void require_memory() const;
  void set_up();
  Sums sum(int i, int owner, const void* block, ScalingStep& times) const;
  /// Where all bands of a state lie; those of the next one lie elsewhere.
  void* gathered(int i) const { return passing_[static_cast<std::size_t>(i % 2)].data(); }
  std::unique_ptr<Transfer> start_gathering(int i);
  Sums sum_whole(int i);
  Sums sum_in_ring(int i);
  std::vector<Sums> run();
  std::vector<Reference> references();
  Check check(CalculationResult& result);
  void time(CalculationResult& result);
  void report(CalculationResult& result);

  Communicator& all_;
  const CalculationRequest& request_;
  const std::function<void(std::string_view)>& progress_;
  const Runtime& runtime_;
  std::unique_ptr<Communicator> pool_;
  PoolPart part_;
  std::vector<int> sample_;
  long long taken_before_ = 0;
  std::unique_ptr<Links> nccl_;
  Links* links_ = nullptr;  ///< NCCL's, or the pool's own
  std::unique_ptr<OwnPart> own_;
  std::vector<DeviceBuffer> passing_;  ///< two of equal size; one where it is filled once
  std::unique_ptr<Transfer> coming_;   ///< the bands of the state that is summed next
  std::vector<ScalingStep> steps_;
};

/// Ranks of a host share its memory. While poles are placed, they are there twice on a host.
void Rank::require_memory() const {
  const Memory memory = predicted(part_.whole);
  const bool host = runtime_.memory().is_host();
  const std::int64_t on_host =
      host ? memory.placed() + memory.poles / 2 : memory.poles + memory.own;
  roofline::require_memory(on_host * all_.local_size(),
                           fmt::format("{} ranks of preset {} on {}", all_.local_size(),
                                       request_.preset->name, roofline::host_name()));
  if (!host) require_device_memory(memory.placed(), runtime_.free_bytes());
}

void Rank::set_up() {
  progress_("generating each rank's part");
  taken_before_ = taken_bytes(runtime_);
  const bool host = runtime_.memory().is_host();
  together(all_, [&] {
    if (pool_->size() > 1 && !host) nccl_ = nccl_links(*pool_, request_.device);
  });
  links_ = nccl_ ? nccl_.get() : pool_.get();
  const bool room = host || all_bands_have_room(predicted(true), runtime_.free_bytes());
  const bool rooms = pool_->sum({room ? 0.0 : 1.0}).front() == 0;
  part_.whole = pool_->size() == 1 || request_.exchange == Exchange::gather ||
                (request_.exchange == Exchange::any && rooms);
  together(all_, [&] { require_memory(); });
  together(all_, [&] {
    own_ = std::make_unique<OwnPart>(part_, sample_, runtime_.memory());
    const std::size_t buffers = part_.whole && part_.states.size() == 1 ? 1 : 2;
    const auto bytes = static_cast<std::size_t>(predicted(part_.whole).passing);
    for (std::size_t i = 0; i < buffers; ++i)
      passing_.emplace_back(runtime_.memory(), bytes / buffers);
  });
}

Sums Rank::sum(int i, int owner, const void* block, ScalingStep& times) const {
  const auto begin = Clock::now();
  const Sums sums = call_variant(request_.choice.build->call, own_->problem(i, owner, block));
  times.compute += seconds_since(begin);
  return sums;
}

/// The blocks of all ranks come, this rank's own like the others.
std::unique_ptr<Transfer> Rank::start_gathering(int i) {
  const BandBlock all{0, request_.preset->sig_ntband};
  const BandBlock mine = bands_of(part_.rank);
  std::vector<Message> sent, received;
  for (int rank = 0; rank < part_.ranks; ++rank) {
    own_->add_pieces(sent, own_->own_block(i), mine, mine, rank);
    own_->add_pieces(received, gathered(i), all, bands_of(rank), rank);
  }
  return links_->start(sent, received);
}

/// The bands of the next state come while this one is summed.
Sums Rank::sum_whole(int i) {
  steps_.resize(1);
  ScalingStep& times = steps_.front();
  if (pool_->size() == 1) return sum(i, 0, own_->own_block(i), times);
  const auto begin = Clock::now();
  if (!coming_) coming_ = start_gathering(i);
  times.transfer += coming_->wait();
  times.wait += seconds_since(begin);
  const bool last = i + 1 == static_cast<int>(part_.states.size());
  coming_ = last ? nullptr : start_gathering(i + 1);
  return sum(i, 0, gathered(i), times);
}

Sums Rank::sum_in_ring(int i) {
  const int ranks = part_.ranks;
  steps_.resize(static_cast<std::size_t>(ranks));
  Sums sums{};
  void* held = own_->own_block(i);
  for (int step = 0; step < ranks; ++step) {
    ScalingStep& times = steps_[static_cast<std::size_t>(step)];
    const int owner = (part_.rank + step) % ranks;
    const int next_owner = (owner + 1) % ranks;
    void* const next = passing_[static_cast<std::size_t>(step % 2)].data();
    const auto start = [&] {
      const BandBlock here = bands_of(owner), there = bands_of(next_owner);
      std::vector<Message> sent, received;
      own_->add_pieces(sent, held, here, here, (part_.rank + ranks - 1) % ranks);
      own_->add_pieces(received, next, there, there, (part_.rank + 1) % ranks);
      return links_->start(sent, received);
    };
    const bool last = step + 1 == ranks;
    std::unique_ptr<Transfer> transfer;
    if (!last && request_.exchange != Exchange::blocking) transfer = start();
    sums += sum(i, owner, held, times);
    if (last) break;
    const auto begin = Clock::now();
    if (!transfer) transfer = start();
    times.transfer += transfer->wait();
    times.wait += seconds_since(begin);
    held = next;
  }
  return sums;
}

/// All states once.
std::vector<Sums> Rank::run() {
  std::vector<Sums> by_state(static_cast<std::size_t>(request_.states));
  for (std::size_t i = 0; i < part_.states.size(); ++i) {
    const int state = static_cast<int>(i);
    by_state[static_cast<std::size_t>(part_.states[i])] =
        part_.whole ? sum_whole(state) : sum_in_ring(state);
  }
  return reduce(all_, by_state);
}

/// Each rank sums its own bands at the drawn G' of all ranks of its pool.
std::vector<Reference> Rank::references() {
  const Sample& own = own_->sample();
  const Sample all{joined(*pool_, own.vectors), joined(*pool_, own.vcoul),
                   joined(*pool_, own.wtilde), joined(*pool_, own.I_eps)};
  std::vector<ReferenceNumbers> numbers(static_cast<std::size_t>(request_.states));
  together(all_, [&] {
    for (std::size_t i = 0; i < part_.states.size(); ++i) {
      const Reference one = own_->sample_reference(static_cast<int>(i), all);
      numbers[static_cast<std::size_t>(part_.states[i])] = {one.sums, one.magnitude, one.ties,
                                                            static_cast<double>(one.tied_terms)};
    }
  });
  std::vector<Reference> by_state;
  for (const ReferenceNumbers& one : reduce(all_, numbers))
    by_state.push_back({one.sums, one.magnitude, one.ties, std::llround(one.tied_terms)});
  return by_state;
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

/// Every run has other weights, so that sums kept from before are wrong. Powers of two keep digits.
void Rank::time(CalculationResult& result) {
  progress_("warming up");
  own_->reweight(equal_weights(1.0));
  const std::vector<Sums> first = run();
  result.scaling.sums = states_json(first, request_.preset->nfreq());
  steps_.clear();
  const auto begin = Clock::now();
  for (int i = 0; i < request_.repeat; ++i) {
    const bool over = i > 0 && seconds_since(begin) > request_.time_limit;
    if (all_.sum({all_.rank() == 0 && over ? 1.0 : 0.0}).front() > 0) break;
    progress_("timing");
    const double factor = std::ldexp(1.0, i % 5 - 2);
    own_->reweight(equal_weights(factor));
    all_.gather("");
    const auto start = Clock::now();
    const std::vector<Sums> sums = run();
    result.samples.push_back(seconds_since(start));
    for (std::size_t k = 0; k < sums.size(); ++k)
      if (difference(sums[k], scaled(first[k], factor)) > request_.tolerance) {
        result.check.passed = false;
        result.check.reason =
            fmt::format("run {} of state {} gave other sums than the first", i + 1, k);
      }
  }
  report(result);
}

/// Gives all ranks the facts that only single ranks know.
void Rank::report(CalculationResult& result) {
  ScalingRecord& scaling = result.scaling;
  scaling.ranks = all_.size();
  scaling.pools = request_.pools;
  scaling.states = request_.states;
  scaling.exchange = part_.whole ? "gather" : name_of(request_.exchange);
  scaling.transport = pool_->size() == 1 ? "none: one rank" : links_->name();
  RankReport mine;
  const double seconds = std::accumulate(result.samples.begin(), result.samples.end(), 0.0);
  double busy = 0, waited = 0;
  const auto passes = static_cast<double>(result.samples.size() * part_.states.size());
  for (const ScalingStep& step : steps_) {
    busy += step.compute;
    waited += step.wait;
    mine.steps.push_back({.compute = step.compute / passes,
                          .transfer = step.transfer / passes,
                          .wait = step.wait / passes});
  }
  if (pool_of(all_.rank()) == 0 && static_cast<int>(sample_.size()) != own_->ngpown())
    for (const int igp : sample_) mine.sample.push_back(1 + part_.rank + igp * part_.ranks);
  mine.rank = {.host = roofline::host_name(),
               .device = runtime_.describe().name,
               .cores = runtime_.memory().is_host() ? openmp_threads() : 1,
               .own_g = own_->ngpown(),
               .bands = bands_of(part_.rank).bands,
               .predicted_bytes = predicted(part_.whole).placed(),
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

}  // namespace

bool all_bands_have_room(const Memory& whole, long long free_bytes) {
  return whole.placed() + whole.passing + whole.own <= free_bytes;
}

std::string name_of(Exchange exchange) {
  constexpr const char* names[] = {"ring", "gather", "ring", "blocking"};
  return names[static_cast<std::size_t>(exchange)];
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
  if (request.pools > all.size())
    throw roofline::InputError(
        fmt::format("--pools {}: more pools than the {} ranks", request.pools, all.size()));
  if (request.pools > request.states)
    throw roofline::InputError(fmt::format("--pools {}: more pools than the {} states to share",
                                           request.pools, request.states));
  part_of(*request.preset, 0, block_of(all.size(), 0, request.pools).bands, 0);
  return Rank(all, request, progress).calculate();
}

}  // namespace gpp::scale
