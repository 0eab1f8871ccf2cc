// A fake CUDA driver without a device. Its first call loads the library named by
// CUDA_INJECTION64_PATH, like the real one.

// Calls also have parameters of the driver's older types, which cuda.h declares with this macro.
#define __CUDA_API_VERSION_INTERNAL
#include "tests/roofline/fake_cuda/counts.h"
#include "tests/roofline/fake_cuda/fake.h"

#include <cupti_driver_cbid.h>
#include <cupti_nvtx_cbid.h>
#include <dlfcn.h>
#include <generated_cuda_meta.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>
// This header needs NVTX's types.
#include <generated_nvtx_meta.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/roofline/fake_cuda/code.h"

struct CUctx_st {};

namespace {

constexpr int most_contexts = 8;
CUctx_st contexts[most_contexts];
thread_local CUcontext current = nullptr;
std::atomic<const fake::Profiler*> profiler = nullptr;
std::atomic<bool> captured = false;

int number_in(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

/// Calls a function of the library that a variable names.
void enter_injection(const char* variable, const char* function) {
  const char* path = std::getenv(variable);
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW);
  if (library == nullptr) return;
  if (void* symbol = dlsym(library, function); symbol != nullptr)
    reinterpret_cast<int (*)(void*)>(symbol)(nullptr);
}

const char* kept(const std::string& symbol) {
  static std::mutex mutex;
  static auto* all = new std::set<std::string>;  // a set that is never destroyed
  const std::scoped_lock lock(mutex);
  return all->insert(symbol).first->c_str();
}

void tell(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (const fake::Profiler* all = profiler; all != nullptr) all->called(domain, id, data);
}

/// A driver call with callbacks at its begin and end.
template <typename Work>
CUresult call(CUpti_CallbackId id, const void* parameters, fake::Kernel kernel, const Work& work) {
  std::uint64_t shared = 0xbad;  // the tool must overwrite it
  CUresult result = CUDA_SUCCESS;
  CUpti_CallbackData data{};
  data.functionParams = parameters;
  data.functionReturnValue = &result;
  data.symbolName = kernel.symbol;
  data.context = current;
  data.correlationData = &shared;
  data.correlationId = kernel.correlation;
  data.callbackSite = CUPTI_API_ENTER;
  tell(CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
  result = work();
  data.callbackSite = CUPTI_API_EXIT;
  tell(CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
  return result;
}

CUresult nothing() { return CUDA_SUCCESS; }

template <typename Value, typename Told>
CUresult gives(Value* place, Told value) {
  *place = value;
  return CUDA_SUCCESS;
}

fake::Kernel next_kernel(const char* symbol) {
  static std::atomic<std::uint32_t> launches = 0;
  const std::string name = symbol == nullptr ? "" : symbol;
  const std::size_t bar = name.find('|');
  const char* work = symbol == nullptr ? "" : kept(bar == name.npos ? name : name.substr(bar + 1));
  return {symbol == nullptr ? nullptr : kept(name.substr(0, bar)), work, current, ++launches};
}

/// A kernel's module is loaded at its first launch, and told of again at later ones.
void load(const char* symbol) {
  static std::mutex mutex;
  static auto* modules = new std::map<std::string, CUpti_ModuleResourceData>;
  CUpti_ResourceData data{};
  bool fresh = false;
  {
    const std::scoped_lock lock(mutex);
    const auto place = modules->try_emplace(symbol == nullptr ? "" : symbol);
    CUpti_ModuleResourceData& module = place.first->second;
    fresh = place.second;
    if (fresh) {
      static auto* cubins = new std::deque<std::string>;
      cubins->push_back(fake::cubin_of(place.first->first));
      module.moduleId = static_cast<std::uint32_t>(modules->size());
      module.cubinSize = cubins->back().size();
      module.pCubin = cubins->back().data();
    }
    data.resourceDescriptor = &module;
  }
  data.context = current;
  tell(CUPTI_CB_DOMAIN_RESOURCE,
       fresh ? CUPTI_CBID_RESOURCE_MODULE_LOADED : CUPTI_CBID_RESOURCE_MODULE_PROFILED, &data);
}

void run(const fake::Kernel& kernel) {
  if (const fake::Profiler* all = profiler; all != nullptr) all->ran(kernel);
}

std::vector<const char*> kernels_in(const char* graph) {
  std::vector<const char*> names;
  std::istringstream list(graph);
  for (std::string name; std::getline(list, name, ',');) names.push_back(kept(name));
  return names;
}

void tell_nvtx(CUpti_CallbackId id, const void* parameters, const void* result = nullptr) {
  static std::once_flag once;
  std::call_once(once, enter_injection, "NVTX_INJECTION64_PATH", "InitializeInjectionNvtx2");
  const CUpti_NvtxData data = {"nvtx", parameters, result};
  tell(CUPTI_CB_DOMAIN_NVTX, id, &data);
}

nvtxDomainHandle_t domain_called(const char* name) {
  // A handle represents a domain; the fake's points to the domain's name.
  const auto handle = reinterpret_cast<nvtxDomainHandle_t>(const_cast<char*>(kept(name)));
  const nvtxDomainCreateA_params parameters = {name};
  tell_nvtx(CUPTI_CBID_NVTX_nvtxDomainCreateA, &parameters, &handle);
  return handle;
}

}  // namespace

extern "C" {

void fake_attach(const fake::Profiler* all) { profiler = all; }

CUresult fake_launch(const char* symbol) {
  cuInit(0);
  const fake::Kernel kernel = next_kernel(symbol);
  load(kernel.symbol);
  cuLaunchKernel_params parameters{};
  parameters.gridDimX = static_cast<unsigned>(fake::size_of(kernel.work));
  parameters.gridDimY = parameters.gridDimZ = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.blockDimX = 256;
  return call(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &parameters, kernel, [&kernel] {
    if (std::strcmp(kernel.work, "refused") == 0) return CUDA_ERROR_INVALID_VALUE;
    // An interruption comes while the driver works.
    if (std::strcmp(kernel.work, "interrupts") == 0) raise(SIGINT);
    if (std::strcmp(kernel.work, "forks") == 0) std::thread(fake_fork).join();
    if (!captured) run(kernel);
    return CUDA_SUCCESS;
  });
}

void fake_launch_graph(const char* symbols) {
  cuInit(0);
  const std::uint32_t correlation = next_kernel(kept(symbols)).correlation;
  call(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, nullptr, {nullptr, nullptr, current, correlation},
       [&] {
         for (const char* name : kernels_in(symbols)) run({name, name, current, correlation});
         return CUDA_SUCCESS;
       });
}

void fake_fork() {
  const pid_t child = fork();
  if (child == 0) std::exit(0);
  waitpid(child, nullptr, 0);
}

void fake_capture(bool on) { captured = on; }

void fake_profiler(bool on) {
  cuInit(0);
  call(on ? CUPTI_DRIVER_TRACE_CBID_cuProfilerStart : CUPTI_DRIVER_TRACE_CBID_cuProfilerStop,
       nullptr, {}, nothing);
}

void fake_context(int number) {
  cuInit(0);
  current = &contexts[number];
}

void fake_destroy_context(int number) {
  CUpti_ResourceData data{};
  data.context = &contexts[number];
  tell(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, &data);
  if (current == data.context) current = nullptr;
}

void fake_unload() {
  CUpti_ResourceData data{};
  data.context = current;
  tell(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, &data);
  if (const fake::Profiler* all = profiler; all != nullptr) all->unloaded();
}

void fake_push(const char* range) {
  const nvtxRangePushA_params parameters = {range};
  tell_nvtx(CUPTI_CBID_NVTX_nvtxRangePushA, &parameters);
}

int fake_device(CUcontext context) {
  const int number = context == nullptr ? 0 : static_cast<int>(context - contexts);
  return number < number_in("FAKE_CUDA_GPUS", 1) ? number : 0;
}

void fake_pop() { tell_nvtx(CUPTI_CBID_NVTX_nvtxRangePop, nullptr); }

void fake_push_in(const char* domain, const char* range) {
  nvtxEventAttributes_t event{};
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = range;
  const nvtxDomainRangePushEx_params parameters = {domain_called(domain), {&event}};
  tell_nvtx(CUPTI_CBID_NVTX_nvtxDomainRangePushEx, &parameters);
}

void fake_pop_in(const char* domain) {
  const nvtxDomainRangePop_params parameters = {domain_called(domain)};
  tell_nvtx(CUPTI_CBID_NVTX_nvtxDomainRangePop, &parameters);
}

std::uint64_t fake_start(const char* range) {
  static std::atomic<std::uint64_t> ranges = 0;
  const nvtxRangeStartA_params parameters = {range};
  const nvtxRangeId_t number = ++ranges;
  tell_nvtx(CUPTI_CBID_NVTX_nvtxRangeStartA, &parameters, &number);
  return number;
}

void fake_end(std::uint64_t range) {
  const nvtxRangeEnd_params parameters = {range};
  tell_nvtx(CUPTI_CBID_NVTX_nvtxRangeEnd, &parameters);
}

CUresult cuInit(unsigned) {
  static std::once_flag once;
  // The library calls the driver, which must not deadlock with itself.
  static thread_local bool inside = false;
  if (!inside) {
    inside = true;
    std::call_once(once, enter_injection, "CUDA_INJECTION64_PATH", "InitializeInjection");
    inside = false;
  }
  if (current == nullptr) current = &contexts[0];
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) { return gives(version, CUDA_VERSION); }

CUresult cuDeviceGetCount(int* count) { return gives(count, number_in("FAKE_CUDA_GPUS", 1)); }
CUresult cuDeviceGet(CUdevice* device, int number) { return gives(device, number); }

CUresult cuDeviceGetName(char* name, int length, CUdevice) {
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(length));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  return gives(value, attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0 : 9);
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  *uuid = {};
  uuid->bytes[15] = static_cast<char>(device);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  return gives(context, &contexts[0]);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxPushCurrent_v2(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent_v2(CUcontext*) { return CUDA_SUCCESS; }

CUresult cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *free = static_cast<std::size_t>(number_in("FAKE_CUDA_FREE_GB", 100)) << 30;
  *total = std::size_t{100} << 30;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) { return gives(context, current); }

CUresult cuCtxSetCurrent(CUcontext context) {
  current = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) { return gives(device, fake_device(current)); }

CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  return gives(status, captured ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE);
}

CUresult cuCtxSynchronize() {
  cuInit(0);
  return call(CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, nullptr, {}, nothing);
}
}
