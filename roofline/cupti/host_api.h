// CUPTI's host side: which counters a chip has, how to collect them, and their values. Needs no
// GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/cupti/functions.h"

namespace roofline::cupti {

using Bytes = std::vector<std::uint8_t>;

/// The chips that this CUPTI knows: "GH100", ...
std::vector<std::string> supported_chips(const Functions& functions);

/// CUPTI's view of one chip. Throws RecorderError where it does not know the chip.
class HostApi {
 public:
  /// `availability` is what the device says it can count now; empty: everything the chip can.
  HostApi(const Functions& functions, std::string chip, const Bytes& availability = {});
  ~HostApi();
  HostApi(const HostApi&) = delete;
  HostApi& operator=(const HostApi&) = delete;

  /// Whether the chip has a counter of that whole name, roll-up included: "dram__bytes.sum".
  bool knows(const std::string& name) const;
  /// Whether all of them can be counted together. Call once: they are added to the plan.
  bool add(const std::vector<std::string>& names);
  /// The plan for what was added.
  Bytes config_image() const;
  /// The value of one counter; NaN where there is none.
  double value(const Bytes& counter_data, std::size_t range, const std::string& name) const;

 private:
  const Functions& functions_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// The counters to collect on a chip, and how.
struct Plan {
  std::vector<std::string> names;  ///< that can be counted
  std::vector<Missing> missing;
  Bytes config;  ///< empty where nothing can be counted
  int passes = 0;
};

/// Resolves the names against the chip, leaves out what cannot be had, and plans the rest.
Plan plan(const Functions& functions, const std::string& chip, const Bytes& availability,
          const std::vector<std::string>& names);

/// Values by name; values that are not finite go into `missing`.
Counters evaluate(const HostApi& host, const Bytes& counter_data,
                  const std::vector<std::string>& names, std::vector<Missing>& missing);

}  // namespace roofline::cupti
