// A CUPTI controlled by a test, which records its calls.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "roofline/cupti/functions.h"
#include "tests/text.h"

namespace roofline::cupti {

using namespace gpp::test;  // for helpers on texts

/// A module in CUPTI's callbacks.
struct FakeModule {
  unsigned id = 1;
  std::string cubin;
};

/// An instruction with samples by CUPTI's stall index.
struct FakeSamples {
  std::uint64_t crc = 0;
  const char* function = "kernel";
  std::uint64_t offset = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> samples;
};

/// An instruction with counts by metric.
struct FakeCounts {
  std::uint32_t crc = 0;
  const char* function = "kernel";
  std::uint32_t offset = 0;
  std::map<std::string, std::uint64_t> values;
};

struct FakeCupti {
  int passes = 1;          ///< number until all are submitted; 0: never
  std::size_t ranges = 1;  ///< number of ranges in the counter data
  std::size_t dropped = 0;
  std::map<std::string, double> values;         ///< values of the chip's counters
  std::set<std::string> cannot_count;           ///< known counters that cannot be added
  std::map<std::string, CUptiResult> refusals;  ///< CUPTI's errors by function
  CUpti_Profiler_DeviceSupported_Params support = {};

  // State of modules.
  CUpti_CallbackFunc callback = nullptr;
  void* callback_data = nullptr;

  // State of PC sampling.
  std::vector<std::string> stall_reasons;         ///< names of stalls by CUPTI's index
  std::vector<std::vector<FakeSamples>> fetches;  ///< what each fetch finds
  std::vector<FakeSamples> left;                  ///< samples that Disable finds
  std::uint64_t samples_dropped = 0;              ///< reported by the first fetch
  std::uint64_t samples_elsewhere = 0;
  bool buffer_full = false;
  std::size_t claims_pcs = 0;                    ///< wrong number of instructions, unless 0
  std::size_t claims_reasons = 0;                ///< wrong number of an instruction's reasons
  CUptiResult attribute_status = CUPTI_SUCCESS;  ///< result of setting attributes
  std::size_t reasons_claimed = 0;               ///< wrong number of reasons, unless 0
  std::map<int, std::uint64_t> configuration;    ///< values by attribute
  CUpti_PCSamplingData* own_buffer = nullptr;
  std::size_t fetched = 0;

  // State of SASS metrics.
  std::map<std::string, std::uint64_t> sass_metrics;  ///< the chip's metrics and numbers
  std::size_t most_sass_metrics = 100;                ///< limit of metrics per session
  std::vector<FakeCounts> counts;
  std::size_t instances = 1;
  std::size_t records_claimed = 0;  ///< wrong number of records, unless 0
  std::size_t records_dropped = 0;
  std::set<std::uint64_t> configured;  ///< numbers of the configured metrics

  std::vector<std::string> calls;  ///< without the prefix "cupti", in order
  int stopped = 0;                 ///< number of finished passes
};

/// The state of fake_functions(); each test resets it.
FakeCupti& fake();

Functions fake_functions();

/// The CRC that the fake computes.
std::uint64_t fake_crc(const std::string& cubin);

/// Calls the subscriber for a module: loaded, or used by a launch while profiled.
void tell_of(const FakeModule& module, bool loaded = true);

/// Calls the subscriber for a kernel's launch, or a graph's without a symbol.
void tell_of_launch(const char* symbol);

}  // namespace roofline::cupti
