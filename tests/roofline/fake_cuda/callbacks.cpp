// The fake CUPTI's callbacks, which forward the driver's events to a subscriber, and its activity
// records, which hold kernels' times until they are flushed.
#include <cupti_activity.h>
#include <cupti_result.h>
#include <cupti_version.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/cupti.h"

namespace {

using Record = CUpti_ActivityKernel10;

constexpr std::size_t most_waiting = 9000;

struct Activity {
  std::mutex mutex;
  bool enabled = false;
  std::vector<Record> waiting;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
};

/// Never destroyed, because the last flush comes at program exit.
Activity& activity() {
  static auto* one = new Activity;
  return *one;
}

/// Delivers a buffer's records; returns their number.
std::size_t hand_out(const Record* records, std::size_t count) {
  std::uint8_t* buffer = nullptr;
  std::size_t size = 0, most = 0;
  activity().request(&buffer, &size, &most);
  const std::size_t fit = std::min(count, size / sizeof(Record));
  std::copy_n(records, fit, reinterpret_cast<Record*>(buffer));
  activity().complete(nullptr, 0, buffer, size, fit * sizeof(Record));
  return fit;
}

}  // namespace

/// Kernels called "untimed" have no record.
void fake::time(const Kernel& kernel) {
  const std::string name = kernel.work;
  std::size_t waiting = 0;
  {
    static std::uint64_t ended = 5;  // end of the previous kernel
    const std::scoped_lock lock(activity().mutex);
    if (!activity().enabled || has(name, "untimed")) return;
    Record record{};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.start = ended;
    record.end = record.start + nanoseconds_of(name);
    ended = record.end;
    record.correlationId = kernel.correlation;
    record.name = kernel.symbol;
    record.deviceId = static_cast<std::uint32_t>(fake_device(kernel.context));
    record.gridX = static_cast<std::int32_t>(size_of(name));
    record.gridY = record.gridZ = record.blockY = record.blockZ = 1;
    record.blockX = 256;
    record.registersPerThread = 64;
    record.staticSharedMemory = 1024;
    record.dynamicSharedMemory = 2048;
    activity().waiting.push_back(record);
    waiting = activity().waiting.size();
  }
  if (waiting >= most_waiting) cuptiActivityFlushAll(0);
}

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

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                           CUpti_BuffersCallbackCompleteFunc complete) {
  activity().request = request;
  activity().complete = complete;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind) {
  FAKE_MAY_REFUSE();
  const std::scoped_lock lock(activity().mutex);
  activity().enabled = true;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushPeriod(std::uint32_t) { return CUPTI_SUCCESS; }

CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  std::vector<Record> records;
  {
    const std::scoped_lock lock(activity().mutex);
    records = std::exchange(activity().waiting, {});
  }
  for (std::size_t done = 0; done < records.size();)
    done += hand_out(records.data() + done, records.size() - done);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t filled,
                                       CUpti_Activity** record) {
  const std::uint8_t* next =
      *record == nullptr ? buffer : reinterpret_cast<std::uint8_t*>(*record) + sizeof(Record);
  if (next >= buffer + filled) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(const_cast<std::uint8_t*>(next));
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t, std::size_t* dropped) {
  return fake::gives(*dropped, 0);
}
}
