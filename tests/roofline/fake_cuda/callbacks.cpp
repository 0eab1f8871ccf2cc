// The fake CUPTI's callbacks: forwards the driver's events to subscribers.
#include <cupti_result.h>
#include <cupti_version.h>

#include <mutex>
#include <set>
#include <utility>

#include "tests/roofline/fake_cuda/cupti.h"

namespace {

struct Subscription {
  CUpti_CallbackFunc callback = nullptr;
  void* user = nullptr;
  std::mutex mutex;
  std::set<std::pair<int, CUpti_CallbackId>> wanted;
};

/// Never destroyed, because programs call the driver at exit.
Subscription& subscription() {
  static auto* one = new Subscription;
  return *one;
}

void called(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  Subscription& one = subscription();
  {
    const std::scoped_lock lock(one.mutex);
    if (!one.wanted.contains({domain, id})) return;
  }
  if (one.callback != nullptr) one.callback(one.user, domain, id, data);
}

void ran(const fake::Kernel& kernel) {
  fake::time(kernel);
  fake::execute(kernel);
  fake::count(kernel);
}

constexpr fake::Profiler hooks = {called, ran, fake::unload};
const bool attached = (fake_attach(&hooks), true);

}  // namespace

extern "C" {

CUptiResult cuptiGetVersion(std::uint32_t* version) {
  return fake::gives(*version, CUPTI_API_VERSION);
}

CUptiResult cuptiGetErrorMessage(CUptiResult, const char** words) {
  return fake::gives(*words, "in the fake's words");
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc callback,
                           void* user) {
  FAKE_MAY_REFUSE();
  if (subscription().callback != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  *handle = reinterpret_cast<CUpti_SubscriberHandle>(&subscription());
  subscription().callback = callback;
  subscription().user = user;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
  const std::scoped_lock lock(subscription().mutex);
  subscription().callback = nullptr;
  subscription().wanted.clear();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(std::uint32_t enable, CUpti_SubscriberHandle,
                                CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  FAKE_MAY_REFUSE();
  const std::scoped_lock lock(subscription().mutex);
  if (enable != 0) subscription().wanted.insert({domain, id});
  return CUPTI_SUCCESS;
}

/// NVTX's entry point; the fake driver itself makes the callbacks.
int InitializeInjectionNvtx2(void*) { return 1; }
}
