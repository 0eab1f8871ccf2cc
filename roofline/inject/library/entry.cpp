// The entry points of this library. The CUDA driver loads the library named by
// CUDA_INJECTION64_PATH at a program's first call (CUDA Toolkit documentation, CUPTI, "Injection"),
// NVTX the one named by NVTX_INJECTION64_PATH. Then CUPTI calls back at every launch.
//
// Nothing here may end or disturb the program. After an error, a message is sent and watching ends.

// Calls also have parameters of the driver's older types, which cuda.h declares with this macro.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
// This header needs the driver's types.
#include <cupti_driver_cbid.h>
#include <cupti_nvtx_cbid.h>
#include <generated_cuda_meta.h>
#include <nvtx3/nvToolsExt.h>
// This header needs NVTX's types.
#include <generated_nvtx_meta.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "roofline/cuda_driver.h"
#include "roofline/cupti/api.h"
#include "roofline/inject/library/watcher.h"

namespace roofline::inject {
namespace {

template <typename Parameters>
const Parameters& of(const CUpti_NvtxData& data) {
  return *static_cast<const Parameters*>(data.functionParams);
}

std::string text(const char* words) { return words == nullptr ? "" : words; }

/// Reports open NVTX ranges to a chooser. Those with names in wide characters have none.
class Marks {
 public:
  explicit Marks(Chooser& chooser) : chooser_(chooser) {}

  void seen(CUpti_CallbackId id, const CUpti_NvtxData& data) {
    switch (id) {
      case CUPTI_CBID_NVTX_nvtxRangePushA:
        return push(text(of<nvtxRangePushA_params>(data).message));
      case CUPTI_CBID_NVTX_nvtxRangePushEx:
        return push(name_in(of<nvtxRangePushEx_params>(data).eventAttrib));
      case CUPTI_CBID_NVTX_nvtxDomainRangePushEx:
        return push(name_in(of<nvtxDomainRangePushEx_params>(data).core.eventAttrib),
                    of<nvtxDomainRangePushEx_params>(data).domain);
      case CUPTI_CBID_NVTX_nvtxRangePushW:
        return push("");
      case CUPTI_CBID_NVTX_nvtxRangePop:
        return chooser_.pop();
      case CUPTI_CBID_NVTX_nvtxDomainRangePop:
        return chooser_.pop(of<nvtxDomainRangePop_params>(data).domain);
      case CUPTI_CBID_NVTX_nvtxRangeStartA:
        return start(text(of<nvtxRangeStartA_params>(data).message), data);
      case CUPTI_CBID_NVTX_nvtxRangeStartEx:
        return start(name_in(of<nvtxRangeStartEx_params>(data).eventAttrib), data);
      case CUPTI_CBID_NVTX_nvtxDomainRangeStartEx:
        return start(name_in(of<nvtxDomainRangeStartEx_params>(data).core.eventAttrib), data,
                     of<nvtxDomainRangeStartEx_params>(data).domain);
      case CUPTI_CBID_NVTX_nvtxRangeEnd:
        return chooser_.end(of<nvtxRangeEnd_params>(data).id);
      case CUPTI_CBID_NVTX_nvtxDomainRangeEnd:
        return chooser_.end(of<nvtxDomainRangeEnd_params>(data).core.id);
      case CUPTI_CBID_NVTX_nvtxDomainRegisterStringA:
        return remember(of<nvtxDomainRegisterStringA_params>(data).string, data);
      case CUPTI_CBID_NVTX_nvtxDomainCreateA:
        return remember(of<nvtxDomainCreateA_params>(data).name, data);
      default:
        return;
    }
  }

 private:
  void push(const std::string& name, const void* domain = nullptr) {
    chooser_.push(name, domain, name_of(domain));
  }

  void start(const std::string& name, const CUpti_NvtxData& data, const void* domain = nullptr) {
    if (data.functionReturnValue != nullptr)
      chooser_.start(*static_cast<const nvtxRangeId_t*>(data.functionReturnValue), name,
                     name_of(domain));
  }

  void remember(const char* name, const CUpti_NvtxData& data) {
    const std::scoped_lock lock(mutex_);
    if (data.functionReturnValue != nullptr)
      names_[*static_cast<void* const*>(data.functionReturnValue)] = text(name);
  }

  std::string name_of(const void* handle) {
    const std::scoped_lock lock(mutex_);
    const auto name = names_.find(handle);
    return name == names_.end() ? "" : name->second;
  }

  std::string name_in(const void* attributes) {
    const auto* event = static_cast<const nvtxEventAttributes_t*>(attributes);
    if (event == nullptr) return "";
    if (event->messageType == NVTX_MESSAGE_TYPE_ASCII) return text(event->message.ascii);
    return event->messageType == NVTX_MESSAGE_TYPE_REGISTERED ? name_of(event->message.registered)
                                                              : "";
  }

  Chooser& chooser_;
  std::mutex mutex_;
  std::map<const void*, std::string> names_;  // registered texts and domains, by handle
};

/// The state of the library. It is never destroyed, because CUDA calls back until the program's
/// very end.
struct Injection {
  explicit Injection(const char* socket)
      : channel(socket), chooser(channel.task().selection), marks(chooser) {}

  Channel channel;
  Chooser chooser;
  Marks marks;
  std::unique_ptr<Watcher> watcher;
  std::atomic<bool> watching = true;
  const pid_t process = getpid();

  /// False in a process forked from the watched one: locks may be held there for ever, and CUDA
  /// does not work in it.
  bool is_watching() const { return watching && getpid() == process; }

  void give_up(const std::string& why) {
    if (watching.exchange(false)) channel.send({.refused = why});
  }
};

Injection* injection = nullptr;

/// The kinds of driver functions that are watched.
enum class Call { other, launch, launch_ex, launch_graph, synchronize, start, stop };

#define WATCHED(name, kind) \
  { CUPTI_DRIVER_TRACE_CBID_##name, Call::kind }
constexpr std::pair<CUpti_CallbackId, Call> watched_calls[] = {
    WATCHED(cuLaunchKernel, launch),
    WATCHED(cuLaunchKernel_ptsz, launch),
    WATCHED(cuLaunchCooperativeKernel, launch),
    WATCHED(cuLaunchCooperativeKernel_ptsz, launch),
    WATCHED(cuLaunchKernelEx, launch_ex),
    WATCHED(cuLaunchKernelEx_ptsz, launch_ex),
    WATCHED(cuGraphLaunch, launch_graph),
    WATCHED(cuGraphLaunch_ptsz, launch_graph),
    WATCHED(cuCtxSynchronize, synchronize),
    WATCHED(cuCtxSynchronize_v2, synchronize),
    WATCHED(cuStreamSynchronize, synchronize),
    WATCHED(cuStreamSynchronize_ptsz, synchronize),
    WATCHED(cuEventSynchronize, synchronize),
    WATCHED(cuMemcpyDtoH_v2, synchronize),
    WATCHED(cuMemcpyDtoH_v2_ptds, synchronize),
    WATCHED(cuProfilerStart, start),
    WATCHED(cuProfilerStop, stop)};

Call call_of(CUpti_CallbackId id) {
  for (const auto& [watched, call] : watched_calls)
    if (watched == id) return call;
  return Call::other;
}

/// The stream of a launch. In functions for each thread's own default stream, 0 means that one.
CUstream stream_in(CUpti_CallbackId id, const void* parameters) {
  const bool extended = call_of(id) == Call::launch_ex;
  const CUstream stream =  // the cooperative launch's parameters start like the usual one's
      extended ? static_cast<const cuLaunchKernelEx_params*>(parameters)->config->hStream
               : static_cast<const cuLaunchKernel_params*>(parameters)->hStream;
  const bool per_thread = id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz ||
                          id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz ||
                          id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz;
  return stream == nullptr && per_thread ? CU_STREAM_PER_THREAD : stream;
}

/// True for a launch into a stream under capture, which only becomes part of a graph.
bool is_captured(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return call_cuda_driver("cuStreamIsCapturing", stream, &status) == CUDA_SUCCESS &&
         status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

/// Handles a launch's begin or end; `correlationData` says if the begin was watched.
void launching(Injection& all, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  Launch launch{data.context, {}, data.correlationId};
  if (data.callbackSite == CUPTI_API_ENTER) {
    *data.correlationData = 0;
    if (!all.is_watching() || is_captured(stream_in(id, data.functionParams))) return;
    launch.kernel = kernel_name(data.symbolName);
    all.watcher->before(launch);
    *data.correlationData = 1;
  } else if (*data.correlationData != 0) {
    all.watcher->after(launch, *static_cast<const CUresult*>(data.functionReturnValue) == 0);
  }
}

void driver_called(Injection& all, CUpti_CallbackId id, const CUpti_CallbackData& data) {
  const bool leaves = data.callbackSite == CUPTI_API_EXIT;
  switch (call_of(id)) {
    case Call::launch:
    case Call::launch_ex:
      return launching(all, id, data);
    case Call::launch_graph:
      if (!leaves && all.is_watching()) all.watcher->graph_launches(data.context);
      return;
    case Call::synchronize:
      if (leaves && all.is_watching()) all.watcher->synchronized();
      return;
    case Call::start:
      if (leaves) all.chooser.profiler(true);
      return;
    case Call::stop:
      if (!leaves) all.chooser.profiler(false);
      return;
    case Call::other:
      return;
  }
}

void resource_changes(Watcher& watcher, CUpti_CallbackId id, const CUpti_ResourceData& data) {
  if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED || id == CUPTI_CBID_RESOURCE_MODULE_PROFILED)
    watcher.code_loaded(data, id == CUPTI_CBID_RESOURCE_MODULE_LOADED);
  else if (id == CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING)
    watcher.module_ends(data.context);
  else
    watcher.context_ends(data.context);
}

/// Does this; an error ends the watching, and is told.
template <class Action>
void guarded(Injection& all, const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {
    all.give_up(error.what());
  } catch (...) {
    all.give_up("an error of unknown kind");
  }
}

void CUPTIAPI called(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                     const void* data) {
  Injection& all = *static_cast<Injection*>(user);
  guarded(all, [&] {
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
      driver_called(all, id, *static_cast<const CUpti_CallbackData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_NVTX && all.is_watching())
      all.marks.seen(id, *static_cast<const CUpti_NvtxData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE && all.is_watching())
      resource_changes(*all.watcher, id, *static_cast<const CUpti_ResourceData*>(data));
  });
}

void subscribe(Injection& all) {
  CUpti_SubscriberHandle subscriber = nullptr;
  ROOFLINE_CUPTI_CALL(cuptiSubscribe, &subscriber, called, &all);
  const auto want = [&](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    ROOFLINE_CUPTI(cuptiEnableCallback)(1, subscriber, domain, id);
  };
  for (const auto& [id, call] : watched_calls) want(CUPTI_CB_DOMAIN_DRIVER_API, id);
  want(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  want(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
  const Task& task = all.channel.task();
  if (task.counts() || task.lines)
    want(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
  if (task.lines) want(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_PROFILED);
  for (CUpti_CallbackId id = 1; id < CUPTI_CBID_NVTX_SIZE; ++id) want(CUPTI_CB_DOMAIN_NVTX, id);
}

void watch(Injection& all) {
  const Task& task = all.channel.task();
  const auto watcher = task.lines ? lines : task.counts() ? counting : timing;
  all.watcher = watcher(all.channel, all.chooser);
  subscribe(all);
  std::atexit([] {
    if (injection->is_watching()) guarded(*injection, [] { injection->watcher->program_ends(); });
  });
}

/// Called by CUDA or NVTX, whichever comes first.
void begin() {
  static std::once_flag once;
  std::call_once(once, [] {
    const char* socket = std::getenv(socket_variable);
    if (socket == nullptr) return;
    try {
      injection = new Injection(socket);
      const auto rank = rank_told_by([](const char* name) { return std::getenv(name); });
      const int number = rank && rank->number < limits::ranks ? rank->number : -1;
      injection->watching = injection->channel.task().rank.value_or(number) == number;
      if (injection->watching && number >= 0) injection->channel.send({.rank = number});
    } catch (const std::exception&) {
      return;  // no listener: the program runs unwatched
    }
    // In some runs, the process's rank is not measured.
    if (injection->watching) guarded(*injection, [] { watch(*injection); });
  });
}

}  // namespace
}  // namespace roofline::inject

#define ROOFLINE_EXPORTED extern "C" __attribute__((visibility("default")))

/// The driver's entry point. 1 means success.
ROOFLINE_EXPORTED int InitializeInjection() {
  roofline::inject::begin();
  return 1;
}

/// NVTX's entry point. CUPTI handles the table.
ROOFLINE_EXPORTED int InitializeInjectionNvtx2(void* export_table) {
  roofline::inject::begin();
  const auto* all = roofline::inject::injection;
  if (all != nullptr && !all->watching) return 0;
  try {
    using Initialize = int (*)(void*);
    void* handle = roofline::cupti::library().handle;
    const auto initialize = reinterpret_cast<Initialize>(dlsym(handle, "InitializeInjectionNvtx2"));
    return initialize == nullptr ? 0 : initialize(export_table);
  } catch (const std::exception&) {
    return 0;
  }
}
