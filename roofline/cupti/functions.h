// The functions of CUPTI that the recorder calls, as a table: filled from the library that is
// loaded at run time, or by a test.
#pragma once

#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>

namespace roofline::cupti {

// Every one of them is there since CUPTI 12.6.
#define ROOFLINE_CUPTI_FUNCTIONS(DO)               \
  DO(cuptiGetVersion)                              \
  DO(cuptiGetErrorMessage)                         \
  DO(cuptiProfilerInitialize)                      \
  DO(cuptiProfilerDeInitialize)                    \
  DO(cuptiProfilerDeviceSupported)                 \
  DO(cuptiProfilerGetCounterAvailability)          \
  DO(cuptiDeviceGetChipName)                       \
  DO(cuptiProfilerHostGetSupportedChips)           \
  DO(cuptiProfilerHostInitialize)                  \
  DO(cuptiProfilerHostDeinitialize)                \
  DO(cuptiProfilerHostGetMetricProperties)         \
  DO(cuptiProfilerHostConfigAddMetrics)            \
  DO(cuptiProfilerHostGetConfigImageSize)          \
  DO(cuptiProfilerHostGetConfigImage)              \
  DO(cuptiProfilerHostGetNumOfPasses)              \
  DO(cuptiProfilerHostEvaluateToGpuValues)         \
  DO(cuptiRangeProfilerEnable)                     \
  DO(cuptiRangeProfilerDisable)                    \
  DO(cuptiRangeProfilerGetCounterDataSize)         \
  DO(cuptiRangeProfilerCounterDataImageInitialize) \
  DO(cuptiRangeProfilerSetConfig)                  \
  DO(cuptiRangeProfilerStart)                      \
  DO(cuptiRangeProfilerStop)                       \
  DO(cuptiRangeProfilerPushRange)                  \
  DO(cuptiRangeProfilerPopRange)                   \
  DO(cuptiRangeProfilerDecodeData)                 \
  DO(cuptiRangeProfilerGetCounterDataInfo)         \
  DO(cuptiSubscribe)                               \
  DO(cuptiEnableCallback)                          \
  DO(cuptiActivityEnable)                          \
  DO(cuptiActivityFlushAll)                        \
  DO(cuptiActivityFlushPeriod)                     \
  DO(cuptiActivityGetNextRecord)                   \
  DO(cuptiActivityGetNumDroppedRecords)            \
  DO(cuptiActivityRegisterCallbacks)

struct Functions {
#define ROOFLINE_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
  ROOFLINE_CUPTI_FUNCTIONS(ROOFLINE_CUPTI_MEMBER)
#undef ROOFLINE_CUPTI_MEMBER
};

/// Parameters of a call, sized as CUPTI wants to be told.
#define ROOFLINE_CUPTI_PARAMS(type, variable) \
  type variable = {};                         \
  variable.structSize = type##_STRUCT_SIZE

}  // namespace roofline::cupti
