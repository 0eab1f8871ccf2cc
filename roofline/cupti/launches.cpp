#include "roofline/cupti/launches.h"

#include <cupti_driver_cbid.h>

#include <array>

#include "roofline/base/demangled.h"
#include "roofline/cupti/errors.h"

namespace roofline::cupti {
namespace {

constexpr std::array kernel_calls = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                     CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz};
constexpr std::array graph_calls = {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

bool launches_graph(CUpti_CallbackId id) { return id == graph_calls[0] || id == graph_calls[1]; }

}  // namespace

Launches::Launches(const Functions& functions) : functions_(functions) {
  check(functions_, functions_.cuptiSubscribe(&subscriber_, on_call, this), "cuptiSubscribe");
  const auto listen = [this](CUpti_CallbackId id) {
    const CUptiResult result =
        functions_.cuptiEnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id);
    if (result == CUPTI_SUCCESS) return;
    functions_.cuptiUnsubscribe(subscriber_);  // the destructor will not run
    check(functions_, result, "cuptiEnableCallback");
  };
  for (const CUpti_CallbackId id : kernel_calls) listen(id);
  for (const CUpti_CallbackId id : graph_calls) listen(id);
}

Launches::~Launches() { functions_.cuptiUnsubscribe(subscriber_); }

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

// Called from within the driver: nothing may be thrown.
void Launches::on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const void* data) try {
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || data == nullptr) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite != CUPTI_API_ENTER) return;
  Launches& launches = *static_cast<Launches*>(self);
  const std::scoped_lock lock(launches.mutex_);
  if (launches_graph(id))
    launches.graphs_ = true;
  else
    launches.names_.push_back(call.symbolName == nullptr ? "" : demangled(call.symbolName));
} catch (...) {
  // Out of memory: there are fewer names than launches then, which whoever counts them tells.
}

}  // namespace roofline::cupti
