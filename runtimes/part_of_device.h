// A runtime that can keep to a part of its device.
#pragma once

#include <functional>

namespace gpp {

/// An ability that only some runtimes have: ask one by dynamic_cast. Units are those of
/// DeviceDescription: multiprocessors, or cores.
class PartOfDevice {
 public:
  virtual ~PartOfDevice() = default;
  /// Confines what this thread starts from now on to so many units; 0: to all. Returns how many
  /// it got: devices give them in groups. Throws std::runtime_error, with the reason, where that
  /// cannot be; all stays as it was then.
  virtual int confine(int units) const = 0;
  /// Calls `work` while all units but so many are held by blocks that only wait. Unlike confine()
  /// it leaves the context as it is, so that the hardware's counters can be read; times mean
  /// nothing. Throws std::runtime_error where they could not be held from the start to the end of
  /// the work, or not for more than `seconds`: the work may then have run on more of them.
  virtual void beside_waiting_blocks(int units, double seconds,
                                     const std::function<void()>& work) const = 0;
};

}  // namespace gpp
