#include "roofline/cupti/listeners.h"

#include <cupti_driver_cbid.h>
#include <fmt/format.h>

#include <algorithm>

#include "roofline/base/text.h"
#include "roofline/machine_code/half_precision.h"

namespace roofline::cupti {
namespace {

/// Cubins are smaller than this; a larger length is invalid.
constexpr std::size_t largest_cubin = std::size_t{1} << 31;
/// The limit of all code kept for a process.
constexpr std::size_t most_code = std::size_t{1} << 31;

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

Subscription::Subscription(CUpti_CallbackFunc function, void* self,
                           std::initializer_list<Event> events) {
  ROOFLINE_CUPTI_CALL(cuptiSubscribe, &handle_, function, self);
  try {
    for (const Event& event : events)
      ROOFLINE_CUPTI_CALL(cuptiEnableCallback, 1, handle_, event.domain, event.id);
  } catch (...) {
    ROOFLINE_CUPTI(cuptiUnsubscribe)(handle_);  // here because the destructor will not run
    throw;
  }
}

Subscription::~Subscription() { ROOFLINE_CUPTI(cuptiUnsubscribe)(handle_); }

Launches::Launches()
    : subscription_(
          on_call, this,
          {{CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel},
           {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz},
           {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel},
           {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz},
           {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx},
           {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz},
           {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch},
           {CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz},
           {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED},
           {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_PROFILED}}) {}

void Launches::clear() {
  const std::scoped_lock lock(mutex_);
  names_.clear();
  graphs_ = false;
}

std::vector<std::string> Launches::names() const {
  const std::scoped_lock lock(mutex_);
  return names_;
}

bool Launches::graphs() const {
  const std::scoped_lock lock(mutex_);
  return graphs_;
}

// The driver calls this function, so it must not throw.
void Launches::on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const void* data) try {
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && data != nullptr)
    return see_code(*static_cast<const CUpti_ResourceData*>(data),
                    id == CUPTI_CBID_RESOURCE_MODULE_LOADED);
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || data == nullptr) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite != CUPTI_API_ENTER) return;
  Launches& launches = *static_cast<Launches*>(self);
  const std::scoped_lock lock(launches.mutex_);
  if (id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch ||
      id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz)
    launches.graphs_ = true;
  else
    launches.names_.push_back(call.symbolName == nullptr ? "" : demangled(call.symbolName));
} catch (...) {
  // Out of memory: there are fewer names than launches, which the caller notices.
}

// The driver calls this function, so it must not throw.
void KeptCode::keep(const CUpti_ResourceData& resource, bool once) try {
  const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
  if (module == nullptr || (once && kept_.contains(module->moduleId))) return;
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
  else if (bytes_ + size > most_code)
    lost_.insert(
        fmt::format("machine code beyond {} MB: its instructions have no lines", most_code >> 20));
  else if (cubins_.try_emplace(params.cubinCrc, module->pCubin, size).second)
    bytes_ += size;
} catch (...) {
  // Out of memory: these instructions have no lines, which lines_of() reports.
}

// The second callback comes at each launch, and finds modules that were loaded before.
Modules::Modules()
    : subscription_(on_resource, this,
                    {{CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED},
                     {CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_PROFILED}}) {}

Cubins Modules::cubins() const {
  const std::scoped_lock lock(mutex_);
  return code_.cubins();
}

std::vector<std::string> Modules::lost() const {
  const std::scoped_lock lock(mutex_);
  return code_.lost();
}

void Modules::on_resource(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                          const void* data) {
  if (domain != CUPTI_CB_DOMAIN_RESOURCE || data == nullptr) return;
  Modules& modules = *static_cast<Modules*>(self);
  const std::scoped_lock lock(modules.mutex_);
  modules.code_.keep(*static_cast<const CUpti_ResourceData*>(data),
                     id != CUPTI_CBID_RESOURCE_MODULE_LOADED);
}

}  // namespace roofline::cupti
