// A table of the CUPTI functions in use, filled from the library loaded at run time, or by a test.
// CUPTI's errors become messages with remedies.
#pragma once

#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <string>

#include "roofline/recorder.h"

namespace roofline::cupti {

// The functions in use. All exist since CUPTI 12.6.
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
  DO(cuptiActivityRegisterCallbacks)               \
  DO(cuptiUnsubscribe)                             \
  DO(cuptiGetCubinCrc)                             \
  DO(cuptiPCSamplingEnable)                        \
  DO(cuptiPCSamplingDisable)                       \
  DO(cuptiPCSamplingGetNumStallReasons)            \
  DO(cuptiPCSamplingGetStallReasons)               \
  DO(cuptiPCSamplingSetConfigurationAttribute)     \
  DO(cuptiPCSamplingStart)                         \
  DO(cuptiPCSamplingStop)                          \
  DO(cuptiPCSamplingGetData)                       \
  DO(cuptiSassMetricsGetProperties)                \
  DO(cuptiSassMetricsSetConfig)                    \
  DO(cuptiSassMetricsUnsetConfig)                  \
  DO(cuptiSassMetricsEnable)                       \
  DO(cuptiSassMetricsDisable)                      \
  DO(cuptiSassMetricsGetDataProperties)            \
  DO(cuptiSassMetricsFlushData)

struct Functions {
#define ROOFLINE_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
  ROOFLINE_CUPTI_FUNCTIONS(ROOFLINE_CUPTI_MEMBER)
#undef ROOFLINE_CUPTI_MEMBER
};

/// Calls a function with its parameters. An error is thrown with the function's name.
#define ROOFLINE_CUPTI_CALL(functions, name, params) \
  check(functions, (functions).name(&(params)), #name)

/// Parameters of a call, with the struct size that CUPTI expects.
#define ROOFLINE_CUPTI_PARAMS(type, variable) \
  type variable = {};                         \
  variable.structSize = type##_STRUCT_SIZE

/// Another program uses the GPU's counters.
struct CountersBusy : RecorderError {
  using RecorderError::RecorderError;
};

/// The error and its remedy: "the counters are in use by another program; ...".
std::string explain(CUptiResult result);

/// Throws RecorderError if the call failed: the explanation, the call and CUPTI's message.
void check(const Functions& functions, CUptiResult result, const char* call);

}  // namespace roofline::cupti
