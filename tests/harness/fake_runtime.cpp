#include "tests/harness/fake_runtime.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

namespace gpp::test {
namespace {

/// It counts what is placed, and may refuse it.
class FakeMemory : public FarMemory {
 public:
  explicit FakeMemory(const FakeRuntime& runtime) : runtime_(runtime) {}
  void* allocate(std::size_t bytes) const override {
    if (!runtime_.place_error.empty()) throw std::runtime_error(runtime_.place_error);
    runtime_.let_in();
    ++runtime_.allocations;
    return FarMemory::allocate(bytes);
  }

 private:
  const FakeRuntime& runtime_;
};

}  // namespace

FakeRuntime::FakeRuntime() : memory_(std::make_unique<FakeMemory>(*this)) {}

DeviceDescription FakeRuntime::describe() const {
  DeviceDescription device;
  device.name = "fake device";
  device.kind = kind;
  return device;
}

int FakeRuntime::living_processes() const {
  return static_cast<int>(
      std::ranges::count_if(processes, [](pid_t one) { return one != 0 && kill(one, 0) == 0; }));
}

long long FakeRuntime::free_bytes() const {
  return room > 0 ? 1 + (room - living_processes()) * bytes_of_a_process : free;
}

void FakeRuntime::let_in() const {
  if (room == 0 || std::ranges::find(processes, getpid()) != processes.end()) return;
  if (living_processes() >= room) throw std::runtime_error("the device has no room for one more");
  *std::ranges::find_if(processes, [](pid_t one) { return one == 0 || kill(one, 0) != 0; }) =
      getpid();
  most_processes = std::max(most_processes, living_processes());
}

double FakeRuntime::time(const std::function<void()>& call) const {
  const int number = runs++;
  call();
  return seconds(number);
}

std::vector<Launch> FakeRuntime::launches() const {
  return {{.kernel = "fake", .blocks = 7, .threads_per_block = 32}};
}

Variant make_variant(const std::string& step, VariantFunction function, const Runtime& runtime) {
  std::string source = "variants/fake/" + step + ".cpp", operations;
  for (const Variant& variant : catalog()) {
    if (variant.step != step || variant.model != "omp") continue;
    source = variant.source;
    operations = variant.operations;
  }
  return {"v1", step, "fake",    source, {{runtime.describe().kind, call_of(function), &runtime}},
          "",   {},   operations};
}

// ---- Faults -------------------------------------------------------------------------------------

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// wx of each branch's condition exchanged: what is far is taken for near.
void swap_branches(LoopStep& s) {
  const Complex w = s.w, wdiff = s.wx - w;
  const Complex delw = w / wdiff;
  s.term = {};
  if (norm(wdiff) > s.p.limits.limittwo && norm(delw) < s.p.limits.limitone)
    s.term.ssx = -(w * w * s.I_eps * delw) / (4.0 * (w * w) * (delw + 0.5));
  else
    s.term = {delw * s.I_eps, (w * w * s.I_eps) / (s.wx * s.wx - w * w)};
}

void take_neither_as_branch_2(LoopStep& s) {
  const Complex delw = s.w / (s.wx - s.w);
  if (norm(s.w) > 0 && s.term.sch == Complex{} && norm(delw) <= TOL_Zero)
    s.term.ssx = -0.25 * (s.I_eps * delw) / (delw + 0.5);
}

void skip_first_band(LoopStep& s) { s.drop_if(s.n1 == 0); }

void cut_for_all_wx(LoopStep& s) {
  if (abs(s.term.ssx) > s.p.limits.sexcut * abs(s.I_eps)) s.term.ssx = {};
}

using AllSums = Complex[max_frequencies];

/// Of both sums, at each frequency.
template <void (*change)(AllSums& asx, AllSums& ach, int iw)>
void at_each(Sums& sums, int nfreq) {
  for (int iw = 0; iw < nfreq; ++iw) change(sums.asx, sums.ach, iw);
}
void negate(AllSums& asx, AllSums&, int iw) { asx[iw] = -asx[iw]; }
void exchange(AllSums& asx, AllSums& ach, int iw) { std::swap(asx[iw], ach[iw]); }
void lose_imaginary(AllSums&, AllSums& ach, int iw) { ach[iw].im = 0; }
void round_to_float(AllSums&, AllSums& ach, int iw) { ach[iw].re = static_cast<float>(ach[iw].re); }

constexpr Fault faults[] = {
    {"missing_half", [](LoopStep& s) { s.half = 1; }},
    {"swapped_branches", swap_branches},
    {"branch_2_dropped", [](LoopStep& s) { s.drop_if(s.term.sch == Complex{}); }},
    {"dropped_conjugate",
     [](LoopStep& s) { s.m = s.p.aqsmtemp_local(s.igp, s.n1) * s.p.aqsntemp(s.ig, s.n1); }},
    {"conjugate_of_the_wrong_factor", [](LoopStep& s) { s.m = conj(s.m); }},
    {"cutoff_ignored", nullptr, [](Problem& p) { p.limits.sexcut = infinity; }},
    {"cutoff_for_all_wx", cut_for_all_wx},
    {"first_band_skipped", skip_first_band},
    {"last_g_skipped", nullptr, [](Problem& p) { --p.ncouls; }},
    {"last_own_g_skipped", nullptr, [](Problem& p) { --p.ngpown; }},
    {"odd_own_g_lost", nullptr, [](Problem& p) { p.ngpown -= p.ngpown > 8 ? p.ngpown % 2 : 0; }},
    {"half_occupation_ignored", [](LoopStep& s) { s.occ = s.occ > 0 ? 1 : 0; }},
    {"occupation_ignored", [](LoopStep& s) { s.occ = 1; }},
    {"coulomb_ignored", [](LoopStep& s) { s.vcoul = 1; }},
    {"imaginary_poles_ignored",
     [](LoopStep& s) {
       s.take({s.w.re, 0}, s.wx);
     }},
    {"neither_as_branch_2", take_neither_as_branch_2},
    {"wrong_sign", nullptr, nullptr, at_each<negate>},
    {"asx_and_ach_swapped", nullptr, nullptr, at_each<exchange>},
    {"imaginary_parts_lost", nullptr, nullptr, at_each<lose_imaginary>},
    {"single_precision", nullptr, nullptr, at_each<round_to_float>},
    {"third_frequency_ignored", nullptr, nullptr,
     [](Sums& sums, int) { sums.asx[2] = sums.ach[2] = {}; }},
    {"one_frequency_missing", nullptr, nullptr,
     [](Sums& sums, int nfreq) { sums.asx[nfreq - 1] = sums.ach[nfreq - 1] = {}; }},
    {"frequencies_swapped", nullptr, nullptr,
     [](Sums& sums, int nfreq) { std::swap(sums.asx[0], sums.asx[nfreq - 1]); }},
};

template <std::size_t... i>
std::vector<FaultyVariant> variants_with_faults(std::index_sequence<i...>) {
  return {{faults[i].name, [](const Problem& p) { return sums_with(faults[i], p); }}...};
}

// Faults of the result as a whole.

Sums with_nan(const Problem& problem) {
  Sums sums = right_sums(problem);
  sums.asx[0].im = std::numeric_limits<double>::quiet_NaN();
  return sums;
}

Sums with_infinity(const Problem& problem) {
  Sums sums = right_sums(problem);
  sums.ach[problem.nfreq - 1].re = infinity;
  return sums;
}

Sums zeros(const Problem&) { return {}; }

/// Memory that was never written, as it looks after poisoning with `byte`.
template <int byte>
Sums poison(const Problem&) {
  Sums sums;
  std::memset(static_cast<void*>(&sums), byte, sizeof(sums));
  return sums;
}

/// Right once, then always what the call before computed: an output that is read too early.
Sums previous_result(const Problem& problem) {
  static bool called = false;
  static Sums last;
  const Sums now = right_sums(problem);
  const Sums result = called ? last : now;
  called = true;
  last = now;
  return result;
}

/// Computes once and never again: a cache that forgets to look at the problem.
Sums first_result(const Problem& problem) {
  static const Sums first = right_sums(problem);
  return first;
}

/// Adds to what it left behind: an accumulator that is not cleared.
Sums not_cleared(const Problem& problem) {
  static Sums sums{};
  sums += right_sums(problem);
  return sums;
}

/// A race that loses a band now and then.
Sums wrong_now_and_then(const Problem& problem) {
  static int calls = 0;
  return ++calls % 5 == 0 ? sums_with({"", skip_first_band}, problem) : right_sums(problem);
}

/// Keeps results by where the problem lies and how large it is.
Sums kept_by_address(const Problem& problem) {
  static std::map<std::pair<const void*, int>, Sums> kept;
  const std::pair<const void*, int> key{problem.wtilde_array.data, problem.ncouls};
  const auto found = kept.find(key);
  if (found != kept.end()) return found->second;
  return kept[key] = right_sums(problem);
}

}  // namespace

Sums sums_with(const Fault& fault, Problem p) {
  if (fault.see != nullptr) fault.see(p);
  Sums sums{};
  for (int n1 = 0; n1 < p.nbands; ++n1)
    for (int igp = 0; igp < p.ngpown; ++igp)
      for (int ig = 0; ig < p.ncouls; ++ig)
        for (int iw = 0; iw < p.nfreq; ++iw) {
          const Complex w = p.wtilde_array(ig, igp), I_eps = p.I_eps_array(ig, igp);
          const double wx = p.wx_array(iw, n1);
          LoopStep s{p,
                     n1,
                     igp,
                     ig,
                     iw,
                     w,
                     I_eps,
                     wx,
                     conj(p.aqsmtemp_local(igp, n1)) * p.aqsntemp(ig, n1),
                     p.vcoul_loc(igp),
                     p.occ_array(n1),
                     0.5,
                     divide(w, I_eps, wx, p.limits)};
          if (fault.compute != nullptr) fault.compute(s);
          sums.asx[iw] -= s.vcoul * s.occ * s.term.ssx * s.m;
          sums.ach[iw] += s.vcoul * s.half * s.term.sch * s.m;
        }
  if (fault.spoil != nullptr) fault.spoil(sums, p.nfreq);
  return sums;
}

Sums right_sums(const Problem& problem) { return sums_with({}, problem); }

Sums throws(const Problem& /*problem*/) { throw std::runtime_error("out of memory on the device"); }

const std::vector<FaultyVariant>& faulty_variants() {
  static const std::vector<FaultyVariant> all = [] {
    auto faulty = variants_with_faults(std::make_index_sequence<std::size(faults)>());
    faulty.insert(faulty.end(), {{"nan", with_nan},
                                 {"infinity", with_infinity},
                                 {"zeros", zeros},
                                 {"poison_of_ones", poison<0xff>},
                                 {"poison_that_is_a_number", poison<0x41>},
                                 {"previous_result", previous_result},
                                 {"first_result", first_result},
                                 {"not_cleared", not_cleared},
                                 {"wrong_now_and_then", wrong_now_and_then},
                                 {"kept_by_address", kept_by_address}});
    return faulty;
  }();
  return all;
}

}  // namespace gpp::test
