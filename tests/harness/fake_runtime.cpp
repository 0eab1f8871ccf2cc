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

#include "gpp/forms/divide.h"

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

/// The name of a fault, which chooses the code that has it.
struct Fault {
  consteval Fault(const char* text) {  // NOLINT: a text is what it is made from
    for (std::size_t i = 0; text[i] != 0; ++i) name[i] = text[i];
  }
  constexpr bool operator==(const Fault&) const = default;
  char name[40] = {};
};

/// wx of each branch's condition exchanged: what is far is taken for near.
Term<double> swapped(Complex w, Complex I_eps, double wx, const Limits& limits) {
  const Complex wdiff = wx - w;
  const Complex delw = w / wdiff;
  const bool far = norm(wdiff) > limits.limittwo && norm(delw) < limits.limitone;
  Term<double> term{};
  if (far)
    term.ssx = -(w * w * I_eps * delw) / (4.0 * (w * w) * (delw + 0.5));
  else
    term = {delw * I_eps, (w * w * I_eps) / (wx * wx - w * w)};
  return term;
}

template <Fault fault>
Term<double> term_of(const Problem& p, int ig, int igp, int iw, int n1) {
  const Complex w = p.wtilde_array(ig, igp);
  const Complex I_eps = p.I_eps_array(ig, igp);
  const double wx = p.wx_array(iw, n1);
  Limits limits = p.limits;
  if constexpr (fault == Fault("swapped_branches")) return swapped(w, I_eps, wx, limits);
  if constexpr (fault == Fault("imaginary_poles_ignored"))
    return divide(Complex{w.re, 0}, I_eps, wx, limits);
  if constexpr (fault == Fault("cutoff_ignored"))
    limits.sexcut = std::numeric_limits<double>::infinity();
  Term<double> term = divide(w, I_eps, wx, limits);
  if constexpr (fault == Fault("neither_as_branch_2")) {
    const Complex delw = w / (wx - w);
    if (norm(w) > 0 && term.sch == Complex{} && norm(delw) <= TOL_Zero)
      term.ssx = -0.25 * (I_eps * delw) / (delw + 0.5);
  }
  if constexpr (fault == Fault("branch_2_dropped"))
    if (term.sch == Complex{}) term.ssx = {};
  if constexpr (fault == Fault("cutoff_for_all_wx"))
    if (abs(term.ssx) > limits.sexcut * abs(I_eps)) term.ssx = {};
  return term;
}

template <Fault fault>
Complex weight_of(const Problem& p, int ig, int igp, int n1) {
  const Complex aqsm = p.aqsmtemp_local(igp, n1);
  const Complex aqsn = p.aqsntemp(ig, n1);
  if constexpr (fault == Fault("dropped_conjugate")) return aqsm * aqsn;
  if constexpr (fault == Fault("conjugate_of_the_wrong_factor")) return aqsm * conj(aqsn);
  return conj(aqsm) * aqsn;
}

template <Fault fault>
double occupation_of(const Problem& p, int n1) {
  const double occ = p.occ_array(n1);
  if constexpr (fault == Fault("half_occupation_ignored")) return occ > 0 ? 1.0 : 0.0;
  if constexpr (fault == Fault("occupation_ignored")) return 1.0;
  return occ;
}

template <Fault fault>
Sums spoiled(Sums sums, int nfreq) {
  const Sums right = sums;
  const int last = nfreq - 1;
  if constexpr (fault == Fault("third_frequency_ignored")) sums.asx[2] = sums.ach[2] = {};
  if constexpr (fault == Fault("one_frequency_missing")) sums.asx[last] = sums.ach[last] = {};
  if constexpr (fault == Fault("frequencies_swapped")) {
    sums.asx[0] = right.asx[last];
    sums.asx[last] = right.asx[0];
  }
  for (int iw = 0; iw < nfreq; ++iw) {
    if constexpr (fault == Fault("wrong_sign")) sums.asx[iw] = -right.asx[iw];
    if constexpr (fault == Fault("asx_and_ach_swapped")) {
      sums.asx[iw] = right.ach[iw];
      sums.ach[iw] = right.asx[iw];
    }
    if constexpr (fault == Fault("imaginary_parts_lost")) sums.ach[iw].im = 0;
    if constexpr (fault == Fault("single_precision"))
      sums.ach[iw].re = static_cast<double>(static_cast<float>(right.ach[iw].re));
  }
  return sums;
}

template <Fault fault>
Sums loop(const Problem& p) {
  const double half = fault == Fault("missing_half") ? 1.0 : 0.5;
  const int first_band = fault == Fault("first_band_skipped") ? 1 : 0;
  const int ncouls = fault == Fault("last_g_skipped") ? p.ncouls - 1 : p.ncouls;
  const bool odd = p.ngpown > 8 && p.ngpown % 2 == 1;
  const bool skip =
      fault == Fault("last_own_g_skipped") || (fault == Fault("odd_own_g_lost") && odd);
  const int ngpown = skip ? p.ngpown - 1 : p.ngpown;
  Sums sums{};
  for (int n1 = first_band; n1 < p.nbands; ++n1)
    for (int igp = 0; igp < ngpown; ++igp)
      for (int ig = 0; ig < ncouls; ++ig) {
        const Complex m = weight_of<fault>(p, ig, igp, n1);
        const double vcoul = fault == Fault("coulomb_ignored") ? 1.0 : p.vcoul_loc(igp);
        for (int iw = 0; iw < p.nfreq; ++iw) {
          const Term<double> term = term_of<fault>(p, ig, igp, iw, n1);
          sums.asx[iw] -= vcoul * occupation_of<fault>(p, n1) * term.ssx * m;
          sums.ach[iw] += vcoul * half * term.sch * m;
        }
      }
  return spoiled<fault>(sums, p.nfreq);
}

/// Those of the loop, and then `others`.
template <Fault... faults>
std::vector<FaultyVariant> with_faults(const std::vector<FaultyVariant>& others) {
  std::vector<FaultyVariant> all = {{faults.name, loop<faults>}...};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

// Faults of the result as a whole.

Sums with_nan(const Problem& problem) {
  Sums sums = right_sums(problem);
  sums.asx[0].im = std::numeric_limits<double>::quiet_NaN();
  return sums;
}

Sums with_infinity(const Problem& problem) {
  Sums sums = right_sums(problem);
  sums.ach[problem.nfreq - 1].re = std::numeric_limits<double>::infinity();
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
  return ++calls % 5 == 0 ? loop<"first_band_skipped">(problem) : right_sums(problem);
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

Sums right_sums(const Problem& problem) { return loop<"none">(problem); }

Sums throws(const Problem& /*problem*/) { throw std::runtime_error("out of memory on the device"); }

const std::vector<FaultyVariant>& faulty_variants() {
  static const std::vector<FaultyVariant> all =
      with_faults<"missing_half", "swapped_branches", "branch_2_dropped", "dropped_conjugate",
                  "conjugate_of_the_wrong_factor", "cutoff_ignored", "cutoff_for_all_wx",
                  "first_band_skipped", "last_g_skipped", "last_own_g_skipped", "wrong_sign",
                  "one_frequency_missing", "frequencies_swapped", "half_occupation_ignored",
                  "occupation_ignored", "coulomb_ignored", "asx_and_ach_swapped",
                  "imaginary_parts_lost", "single_precision">(
          {{"nan", with_nan},
           {"infinity", with_infinity},
           {"zeros", zeros},
           {"poison_of_ones", poison<0xff>},
           {"poison_that_is_a_number", poison<0x41>},
           {"previous_result", previous_result},
           {"first_result", first_result},
           {"not_cleared", not_cleared},
           {"wrong_now_and_then", wrong_now_and_then},
           {"kept_by_address", kept_by_address},
           {"imaginary_poles_ignored", loop<"imaginary_poles_ignored">},
           {"neither_as_branch_2", loop<"neither_as_branch_2">},
           {"third_frequency_ignored", loop<"third_frequency_ignored">},
           {"odd_own_g_lost", loop<"odd_own_g_lost">}});
  return all;
}

}  // namespace gpp::test
