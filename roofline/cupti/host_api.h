// CUPTI's host API: a chip's counters, the way to collect them, and their values. Needs no GPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/cupti/api.h"

namespace roofline::cupti {

using Bytes = std::vector<std::uint8_t>;

/// The chips that this CUPTI knows: "GH100", ...
std::vector<std::string> supported_chips();

/// CUPTI's knowledge of one chip. Throws RecorderError for an unknown chip.
class HostApi {
 public:
  /// `availability` lists the counters that the device has now; empty: all of the chip's.
  explicit HostApi(const std::string& chip, const Bytes& availability = {});
  ~HostApi();
  HostApi(const HostApi&) = delete;
  HostApi& operator=(const HostApi&) = delete;

  /// True if the chip has a counter with this full name, including the roll-up: "dram__bytes.sum".
  bool knows(const std::string& name) const;
  /// Adds counters to the plan. Returns whether all can be counted together. Call only once.
  bool add(const std::vector<std::string>& names);
  /// The plan for the added counters.
  Bytes config_image() const;
  /// The value of one counter, or NaN.
  double value(const Bytes& counter_data, std::size_t range, const std::string& name) const;

 private:
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

/// The counters to collect on a chip, and the plan for it.
struct Plan {
  std::string chip;
  std::vector<std::string> names;  ///< counters that can be counted
  std::vector<Missing> missing;
  Bytes config;  ///< empty if nothing can be counted
  int passes = 0;
};

/// Plans those of the given names that the chip has, and skips the others.
Plan plan(const std::string& chip, const Bytes& availability,
          const std::vector<std::string>& names);

/// The names as CUPTI takes them; they must outlive the list.
std::vector<const char*> pointers(const std::vector<std::string>& names);

}  // namespace roofline::cupti
