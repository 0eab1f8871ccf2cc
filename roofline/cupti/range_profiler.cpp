#include "roofline/cupti/range_profiler.h"

#include "roofline/cupti/errors.h"

namespace roofline::cupti {

RangeProfiler::RangeProfiler(const Functions& functions, CUcontext context)
    : functions_(functions) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, params);
  params.ctx = context;
  check(functions_, functions_.cuptiRangeProfilerEnable(&params), "cuptiRangeProfilerEnable");
  object_ = params.pRangeProfilerObject;
}

RangeProfiler::~RangeProfiler() {
  // On the way out of an exception, where a refusal changes nothing.
  if (pushed_) {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, params);
    params.pRangeProfilerObject = object_;
    functions_.cuptiRangeProfilerPopRange(&params);
  }
  if (started_) {
    ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, params);
    params.pRangeProfilerObject = object_;
    functions_.cuptiRangeProfilerStop(&params);
  }
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
  params.pRangeProfilerObject = object_;
  functions_.cuptiRangeProfilerDisable(&params);
}

Bytes RangeProfiler::counter_data(const std::vector<std::string>& names, std::size_t ranges) const {
  std::vector<const char*> list;
  list.reserve(names.size());
  for (const std::string& name : names) list.push_back(name.c_str());
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
  size.pRangeProfilerObject = object_;
  size.pMetricNames = list.data();
  size.numMetrics = list.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
  check(functions_, functions_.cuptiRangeProfilerGetCounterDataSize(&size),
        "cuptiRangeProfilerGetCounterDataSize");
  Bytes data(size.counterDataSize);
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, params);
  params.pRangeProfilerObject = object_;
  params.counterDataSize = data.size();
  params.pCounterData = data.data();
  check(functions_, functions_.cuptiRangeProfilerCounterDataImageInitialize(&params),
        "cuptiRangeProfilerCounterDataImageInitialize");
  return data;
}

void RangeProfiler::configure(const Bytes& config, Bytes& counter_data) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
  params.range = CUPTI_UserRange;
  params.replayMode = CUPTI_UserReplay;
  params.maxRangesPerPass = 1;
  set_config(params, config, counter_data);
}

void RangeProfiler::configure_kernels(const Bytes& config, Bytes& counter_data, std::size_t ranges,
                                      bool replayed) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
  params.range = CUPTI_AutoRange;
  params.replayMode = replayed ? CUPTI_KernelReplay : CUPTI_UserReplay;
  params.maxRangesPerPass = ranges;
  set_config(params, config, counter_data);
}

void RangeProfiler::set_config(CUpti_RangeProfiler_SetConfig_Params& params, const Bytes& config,
                               Bytes& counter_data) {
  params.pRangeProfilerObject = object_;
  params.configSize = config.size();
  params.pConfig = config.data();
  params.counterDataImageSize = counter_data.size();
  params.pCounterDataImage = counter_data.data();
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  params.passIndex = 0;
  params.targetNestingLevel = 1;
  check(functions_, functions_.cuptiRangeProfilerSetConfig(&params), "cuptiRangeProfilerSetConfig");
}

bool RangeProfiler::pass(const std::string& name, const std::function<void()>& work) {
  start();
  push(name);
  work();
  pop();
  return stop();
}

std::size_t RangeProfiler::decode() {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, params);
  params.pRangeProfilerObject = object_;
  check(functions_, functions_.cuptiRangeProfilerDecodeData(&params),
        "cuptiRangeProfilerDecodeData");
  return params.numOfRangeDropped;
}

void RangeProfiler::start() {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, params);
  params.pRangeProfilerObject = object_;
  check(functions_, functions_.cuptiRangeProfilerStart(&params), "cuptiRangeProfilerStart");
  started_ = true;
}

void RangeProfiler::push(const std::string& name) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, params);
  params.pRangeProfilerObject = object_;
  params.pRangeName = name.c_str();
  check(functions_, functions_.cuptiRangeProfilerPushRange(&params), "cuptiRangeProfilerPushRange");
  pushed_ = true;
}

void RangeProfiler::pop() {
  pushed_ = false;
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, params);
  params.pRangeProfilerObject = object_;
  check(functions_, functions_.cuptiRangeProfilerPopRange(&params), "cuptiRangeProfilerPopRange");
}

bool RangeProfiler::stop() {
  started_ = false;
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, params);
  params.pRangeProfilerObject = object_;
  check(functions_, functions_.cuptiRangeProfilerStop(&params), "cuptiRangeProfilerStop");
  return params.isAllPassSubmitted != 0;
}

std::size_t number_of_ranges(const Functions& functions, const Bytes& counter_data) {
  ROOFLINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, params);
  params.pCounterDataImage = counter_data.data();
  params.counterDataImageSize = counter_data.size();
  check(functions, functions.cuptiRangeProfilerGetCounterDataInfo(&params),
        "cuptiRangeProfilerGetCounterDataInfo");
  return params.numTotalRanges;
}

}  // namespace roofline::cupti
