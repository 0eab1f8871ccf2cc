#include "harness/measure/traced.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "harness/plugin/plugin.h"
#include "roofline/base/units.h"
#include "roofline/trace/cache_model.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

/// Pieces of work in the smaller slice, which is long enough for the nearer caches to fill, and
/// takes no tenth of a second.
constexpr std::int64_t traced_terms = 400'000;

/// Between the operations that a source states and those executed. Compilers leave out some of what
/// it writes, and a reciprocal in vectors takes several for the one division that it stands for.
constexpr double largest_factor = 2;

constexpr double seconds_of_sampling = 0.25;

using FindVariant = bool (*)(std::string_view kernel, std::string_view step, std::string_view model,
                             TracedVariant& variant);

/// Numbers of one run.
struct Traced {
  double terms = 0;
  roofline::Trace trace;
  roofline::TracedWork work;
};

/// The work of each further piece: what the second run does beyond the first, divided by the pieces
/// that it has more.
double scaled(double first, double second, const Traced& a, const Traced& b, double terms) {
  if (!(b.terms > a.terms)) return second;
  return std::max(0.0, second + (second - first) / (b.terms - a.terms) * (terms - b.terms));
}

/// The metric of the traffic behind a level of cache.
std::string metric_behind(const std::vector<roofline::CacheShape>& caches, std::size_t level) {
  return level + 1 < caches.size() ? fmt::format("l{}_bytes", caches[level + 1].level)
                                   : "dram_bytes";
}

std::string describe(const std::vector<roofline::CacheShape>& caches) {
  std::string text;
  for (const roofline::CacheShape& cache : caches)
    text += fmt::format("{}L{} {}", text.empty() ? "" : ", ", cache.level,
                        roofline::describe_bytes(static_cast<std::int64_t>(cache.bytes)));
  return text;
}

void add_metrics(const Traced& a, const Traced& b, double terms,
                 const std::vector<roofline::CacheShape>& caches, TracedCount& count) {
  const auto set = [&](const std::string& name, double first, double second) {
    if (const double value = scaled(first, second, a, b, terms); value > 0)
      count.metrics[name] = value;
  };
  set("fp64_flop", a.work.fp64_flop, b.work.fp64_flop);
  set("fp32_flop", a.work.fp32_flop, b.work.fp32_flop);
  set("divisions", a.work.divisions, b.work.divisions);
  set("l1_bytes", a.trace.l1_bytes, b.trace.l1_bytes);
  for (std::size_t level = 0; level < caches.size(); ++level)
    set(metric_behind(caches, level), a.trace.bytes_behind[level], b.trace.bytes_behind[level]);
}

/// Operations of all precisions.
double all_operations(const roofline::Metrics& metrics) {
  return roofline::metric_value(metrics, "fp64_flop").value_or(0) +
         roofline::metric_value(metrics, "fp32_flop").value_or(0);
}

/// A source that states other operations than it does has been edited since.
void compare_operations(const TracedCount& traced, roofline::Counted& counted) {
  const double did = all_operations(traced.metrics), stated = all_operations(counted.metrics);
  if (!(did > 0)) return;
  counted.metrics["traced_flop"] = did;
  if (counted.source != roofline::CountedBy::analytic ||
      (did <= largest_factor * stated && stated <= largest_factor * did))
    return;
  counted.defects.push_back(fmt::format(
      "its line '// Operations' stands for {:.3g} operations, and an instrumented build "
      "of it does {:.3g}: correct the line, or remove it",
      stated, did));
}

}  // namespace

void add_trace(const TracedCount& traced, Result& result, roofline::Counted& counted) {
  if (const double scalar = result.code.scalar_share(); scalar >= 0)
    counted.metrics["scalar_fraction"] = scalar;
  result.trace = {traced.part, traced.caches, traced.calls, traced.reason};
  if (!traced.reason.empty()) return;
  const bool by_hardware = roofline::is_hardware(counted.source);
  compare_operations(traced, counted);
  for (const auto& [name, value] : traced.metrics) {
    const bool operations = name == "fp64_flop" || name == "fp32_flop";
    const bool better = operations ? counted.source == roofline::CountedBy::nobody
                                   : !by_hardware || name == "divisions";
    if (better) counted.metrics[name] = value;
  }
  if (!by_hardware) counted.source = roofline::CountedBy::analytic;
}

struct HostTracer::Slice {
  std::unique_ptr<Subject> own;  // nothing where it is the whole
  Subject* subject = nullptr;
  std::string part;
  std::unique_ptr<Placement> placement;
};

TracedVariants::TracedVariants() {
  std::error_code error;
  constexpr const char* name = "libgpp_traced.so";
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  file_ = folder.parent_path() / "lib" / "gpp" / name;  // where it is installed
  if (!fs::exists(file_, error)) file_ = folder / name;
  if (!fs::exists(file_, error)) {
    reason_ = fmt::format("{} is not beside the program; build it: cmake --build build",
                          file_.filename().string());
    return;
  }
  library_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr)
    reason_ = fmt::format("{} cannot be loaded: {}", file_.string(), dlerror());
}

TracedVariant TracedVariants::find(const std::string& kernel, const Variant& variant,
                                   std::string& reason) const {
  TracedVariant traced;
  reason = reason_;
  if (is_plugin(variant)) {
    reason = "plug-ins are not traced; variants of the tree are";
    return traced;
  }
  if (library_ == nullptr) return traced;
  const auto find_variant = reinterpret_cast<FindVariant>(dlsym(library_, "gpp_traced_variant"));
  if (find_variant == nullptr || !find_variant(kernel, variant.step, variant.model, traced))
    reason = fmt::format("{} does not hold {} of model {}: what libraries do is not traced",
                         file_.filename().string(), variant.step, variant.model);
  return traced;
}

HostTracer::HostTracer(const Kernel& kernel, Subject& subject)
    : kernel_(kernel),
      subject_(subject),
      code_(variants_.file()),
      caches_(roofline::host_caches()) {}

HostTracer::~HostTracer() = default;

void HostTracer::cut() {
  if (!slices_.empty()) return;
  for (std::int64_t terms = traced_terms; slices_.size() < 2;) {
    auto slice = std::make_unique<Slice>();
    slice->own = subject_.slice(terms, slice->part);
    slice->subject = slice->own ? slice->own.get() : &subject_;
    const bool whole = slice->own == nullptr;
    terms = 2 * slice->subject->input().terms;
    slices_.push_back(std::move(slice));
    if (!whole) continue;
    if (slices_.size() == 2) slices_.back()->part = "all";
    break;
  }
}

Placement& HostTracer::on_host(Slice& slice, const Runtime& host) {
  if (!slice.placement) slice.placement = slice.subject->place(host);
  slice.placement->vary(0);
  return *slice.placement;
}

roofline::HotCode HostTracer::hot_code(const Variant& variant, const Build& build,
                                       double seconds_of_run, Placement& whole) {
  Placement* placement = &whole;
  if (!(seconds_of_run < seconds_of_sampling)) {
    cut();
    if (slices_.back()->own) placement = &on_host(*slices_.back(), *build.runtime);
  }
  const auto now = std::chrono::steady_clock::now;
  const auto start = now();
  return roofline::hot_code(roofline::sample([&] {
    do placement->run(variant, build.call);
    while (now() - start < std::chrono::duration<double>(seconds_of_sampling));
  }));
}

TracedCount HostTracer::count(const Variant& variant, const Runtime& host, double tolerance) {
  TracedCount count;
  const TracedVariant traced = variants_.find(kernel_.name, variant, count.reason);
  if (traced.begin == nullptr) return count;
  cut();
  std::vector<Traced> runs;
  for (const std::unique_ptr<Slice>& slice : slices_) {
    Placement& placement = on_host(*slice, host);
    Traced run;
    run.terms = static_cast<double>(slice->subject->input().terms);
    placement.run(variant, traced.call.between([&] { traced.begin(caches_); },
                                               [&] { run.trace = traced.end(); }));
    const Check check = placement.check(tolerance);
    if (!check.passed) count.reason = "its instrumented build is wrong: " + check.reason;
    if (run.trace.other_threads) count.reason = "its instrumented build used threads of its own";
    if (count.reason.empty()) run.work = code_.work_of(run.trace.blocks);
    if (count.reason.empty()) count.reason = run.work.reason;
    if (!count.reason.empty()) return count;
    count.part += (count.part.empty() ? "" : " and ") + slice->part;
    runs.push_back(std::move(run));
  }
  count.caches = describe(caches_);
  const auto terms = static_cast<double>(subject_.input().terms);
  add_metrics(runs.front(), runs.back(), terms, caches_, count);
  for (const auto& [name, times] : runs.back().work.calls)
    count.calls[name] =
        scaled(runs.front().work.calls[name], times, runs.front(), runs.back(), terms);
  return count;
}

}  // namespace gpp
