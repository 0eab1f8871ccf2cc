#include "roofline/cupti/session.h"

#include <cupti_driver_cbid.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/machine_code/cubin.h"

namespace roofline::cupti {
namespace {

/// Cubins are smaller than this; a larger length is invalid.
constexpr std::size_t largest_cubin = std::size_t{1} << 31;

constexpr CUpti_CallbackId launching_calls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

/// What the machine code of the process tells of its kernels.
struct KnownCode {
  std::mutex mutex;
  std::set<std::pair<CUcontext, unsigned>> modules;
  HalfPrecision half;
  std::set<std::string> launching;
};

KnownCode& known_code() {
  static auto* const known = new KnownCode;  // never destroyed, because CUDA calls back until exit
  return *known;
}

}  // namespace

// The driver calls this function, so it must not throw.
void see_code(const CUpti_ResourceData& resource, bool fresh) try {
  const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
  if (module == nullptr || module->pCubin == nullptr || module->cubinSize > largest_cubin) return;
  KnownCode& known = known_code();
  const std::scoped_lock lock(known.mutex);
  const bool first = known.modules.insert({resource.context, module->moduleId}).second;
  if (!first && !fresh) return;
  const Cubin cubin = read_cubin({module->pCubin, module->cubinSize}, "machine code");
  known.half.read(cubin);
  // nvcc 12 and 13 link this function for it.
  if (std::ranges::none_of(cubin.functions, [](const CodeFunction& one) {
        return one.name.find("cudaCDP2LaunchDevice") != one.name.npos;
      }))
    return;
  for (const CodeFunction& one : cubin.functions)
    if (one.kernel) known.launching.insert(demangled(std::string(one.name)));
} catch (...) {
  // Not read, or out of memory: its counts are kept as they are.
}

bool launches_kernels(const std::string& kernel) {
  KnownCode& known = known_code();
  const std::scoped_lock lock(known.mutex);
  return known.launching.contains(kernel);
}

std::optional<double> constant_loads(const std::vector<std::string>& kernels, double fused) {
  KnownCode& known = known_code();
  const std::scoped_lock lock(known.mutex);
  return known.half.constants(kernels, fused);
}

// The driver calls this function, so it must not throw.
void KeptCode::keep(const CUpti_ResourceData& resource, bool fresh) try {
  const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
  if (module == nullptr || (!fresh && kept_.contains(module->moduleId))) return;
  kept_.insert(module->moduleId);
  const std::size_t size = module->cubinSize;
  if (module->pCubin == nullptr || size == 0 || size > largest_cubin) {
    lost_.insert("CUPTI told of a module without its machine code");
    return;
  }
  CUpti_GetCubinCrcParams params = {};
  params.size = CUpti_GetCubinCrcParamsSize;
  params.cubinSize = size;
  params.cubin = module->pCubin;
  const CUptiResult result = ROOFLINE_CUPTI(cuptiGetCubinCrc)(&params);
  if (result != CUPTI_SUCCESS)
    lost_.insert(fmt::format("a module cannot be recognised again (cuptiGetCubinCrc: error {})",
                             static_cast<int>(result)));
  else
    cubins_.try_emplace(params.cubinCrc, module->pCubin, size);
} catch (...) {
  // Out of memory: these instructions have no lines, which lines_of() reports.
}

Listener::Listener(To what) : what_(what) {
  ROOFLINE_CUPTI_CALL(cuptiSubscribe, &handle_, on_call, this);
  try {
    const auto want = [this](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
      ROOFLINE_CUPTI_CALL(cuptiEnableCallback, 1, handle_, domain, id);
    };
    if (what == To::launches)
      for (const CUpti_CallbackId id : launching_calls) want(CUPTI_CB_DOMAIN_DRIVER_API, id);
    want(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    // This one comes at each launch, and finds modules that were loaded before.
    want(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_PROFILED);
  } catch (...) {
    ROOFLINE_CUPTI(cuptiUnsubscribe)(handle_);  // here because the destructor will not run
    throw;
  }
}

Listener::~Listener() { ROOFLINE_CUPTI(cuptiUnsubscribe)(handle_); }

Listener::Launches Listener::take_launches() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(launches_, {});
}

KeptCode Listener::code() const {
  const std::scoped_lock lock(mutex_);
  return code_;
}

// The driver calls this function, so it must not throw.
void Listener::on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const void* data) try {
  Listener& all = *static_cast<Listener*>(self);
  if (data == nullptr) return;
  const std::scoped_lock lock(all.mutex_);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
    return all.on_launch(id, *static_cast<const CUpti_CallbackData*>(data));
  const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
  const bool fresh = id == CUPTI_CBID_RESOURCE_MODULE_LOADED;
  if (all.what_ == To::launches)
    see_code(resource, fresh);
  else
    all.code_.keep(resource, fresh);
} catch (...) {
  // Out of memory: there are fewer names than launches, which the caller notices.
}

void Listener::on_launch(CUpti_CallbackId id, const CUpti_CallbackData& call) {
  if (call.callbackSite != CUPTI_API_ENTER) return;
  if (id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch ||
      id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz)
    launches_.graphs = true;
  else
    launches_.kernels.push_back(call.symbolName == nullptr ? "" : demangled(call.symbolName));
}

}  // namespace roofline::cupti
