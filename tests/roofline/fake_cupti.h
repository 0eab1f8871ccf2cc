// A CUPTI that does as a test tells it, and remembers what it was asked.
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

using namespace gpp::test;  // what tests say of texts

/// A module as CUPTI tells of it.
struct FakeModule {
  unsigned id = 1;
  std::string cubin;
};

/// An instruction with its samples by CUPTI's index of the stall reason.
struct FakeSamples {
  std::uint64_t crc = 0;
  const char* function = "kernel";
  std::uint64_t offset = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> samples;
};

/// An instruction with its numbers by metric.
struct FakeCounts {
  std::uint32_t crc = 0;
  const char* function = "kernel";
  std::uint32_t offset = 0;
  std::map<std::string, std::uint64_t> values;
};

struct FakeCupti {
  int passes = 1;          ///< after which all are submitted; 0: never
  std::size_t ranges = 1;  ///< in the counter data
  std::size_t dropped = 0;
  std::map<std::string, double> values;         ///< by counter: what the chip has
  std::set<std::string> cannot_count;           ///< known, but refused when they are to be added
  std::map<std::string, CUptiResult> refusals;  ///< by function
  CUpti_Profiler_DeviceSupported_Params support = {};

  // Modules.
  CUpti_CallbackFunc callback = nullptr;
  void* callback_data = nullptr;

  // PC sampling.
  std::vector<std::string> stall_reasons;         ///< by index
  std::vector<std::vector<FakeSamples>> fetches;  ///< what each fetch finds
  std::vector<FakeSamples> left;                  ///< what Disable finds
  std::uint64_t samples_dropped = 0;              ///< told by the first fetch
  std::uint64_t samples_elsewhere = 0;
  bool buffer_full = false;
  std::size_t claims_pcs = 0;                    ///< a lie about their number, where not 0
  std::size_t claims_reasons = 0;                ///< a lie about those of an instruction
  CUptiResult attribute_status = CUPTI_SUCCESS;  ///< of each attribute
  std::size_t reasons_claimed = 0;               ///< a lie about theirs, where not 0
  std::map<int, std::uint64_t> configuration;    ///< by attribute
  CUpti_PCSamplingData* own_buffer = nullptr;
  std::size_t fetched = 0;

  // SASS metrics.
  std::map<std::string, std::uint64_t> sass_metrics;  ///< that the chip has, with their numbers
  std::size_t most_sass_metrics = 100;                ///< SetConfig refuses more
  std::vector<FakeCounts> counts;
  std::size_t instances = 1;
  std::size_t records_claimed = 0;  ///< a lie about their number, where not 0
  std::size_t records_dropped = 0;
  std::set<std::uint64_t> configured;  ///< numbers of metrics

  std::vector<std::string> calls;  ///< without the prefix "cupti", in order
  int stopped = 0;                 ///< passes done
};

/// The one that fake_functions() speaks to; a test sets it anew.
FakeCupti& fake();

Functions fake_functions();

/// The CRC that the fake computes.
std::uint64_t fake_crc(const std::string& cubin);

/// Tells the subscriber of a module: loaded, or launched from while it is profiled.
void tell_of(const FakeModule& module, bool loaded = true);

/// Tells the subscriber of a kernel's launch, or of a graph's where there is no symbol.
void tell_of_launch(const char* symbol);

}  // namespace roofline::cupti
