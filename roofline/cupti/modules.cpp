#include "roofline/cupti/modules.h"

#include <fmt/format.h>

#include "roofline/cupti/errors.h"

namespace roofline::cupti {
namespace {

/// No cubin is larger; a length beyond it is none.
constexpr std::size_t largest_cubin = std::size_t{1} << 31;

}  // namespace

Modules::Modules(const Functions& functions) : functions_(functions) {
  check(functions_, functions_.cuptiSubscribe(&subscriber_, on_resource, this), "cuptiSubscribe");
  // The second one tells modules that were loaded before anybody listened, at each launch.
  for (const CUpti_CallbackId id :
       {CUPTI_CBID_RESOURCE_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_PROFILED}) {
    const CUptiResult result =
        functions_.cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, id);
    if (result == CUPTI_SUCCESS) continue;
    functions_.cuptiUnsubscribe(subscriber_);  // the destructor will not run
    check(functions_, result, "cuptiEnableCallback");
  }
}

Modules::~Modules() { functions_.cuptiUnsubscribe(subscriber_); }

Cubins Modules::cubins() const {
  const std::scoped_lock lock(mutex_);
  return cubins_;
}

std::vector<std::string> Modules::lost() const {
  const std::scoped_lock lock(mutex_);
  return {lost_.begin(), lost_.end()};
}

void Modules::on_resource(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                          const void* data) {
  if (domain != CUPTI_CB_DOMAIN_RESOURCE || data == nullptr) return;
  const bool loaded = id == CUPTI_CBID_RESOURCE_MODULE_LOADED;
  if (!loaded && id != CUPTI_CBID_RESOURCE_MODULE_PROFILED) return;
  const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
  if (resource.resourceDescriptor == nullptr) return;
  static_cast<Modules*>(self)->keep(
      *static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor), !loaded);
}

// Called from within the driver: nothing may be thrown.
void Modules::keep(const CUpti_ModuleResourceData& module, bool once) try {
  const std::scoped_lock lock(mutex_);
  if (once && kept_.contains(module.moduleId)) return;
  kept_.insert(module.moduleId);
  if (module.pCubin == nullptr || module.cubinSize == 0 || module.cubinSize > largest_cubin) {
    lost_.insert("CUPTI told of a module without its machine code");
    return;
  }
  CUpti_GetCubinCrcParams params = {};
  params.size = CUpti_GetCubinCrcParamsSize;
  params.cubinSize = module.cubinSize;
  params.cubin = module.pCubin;
  const CUptiResult result = functions_.cuptiGetCubinCrc(&params);
  if (result == CUPTI_SUCCESS)
    cubins_.try_emplace(params.cubinCrc, module.pCubin, module.cubinSize);
  else
    lost_.insert(fmt::format("a module cannot be recognised again (cuptiGetCubinCrc: error {})",
                             static_cast<int>(result)));
} catch (...) {
  // Out of memory: its instructions have no lines then, which lines_of() tells.
}

}  // namespace roofline::cupti
