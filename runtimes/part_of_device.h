// The interface of runtimes that can use a part of their device.
#pragma once

#include <functional>

namespace gpp {

/// An ability of some runtimes, found by dynamic_cast. Units are those of DeviceDescription:
/// multiprocessors, or cores.
class PartOfDevice {
 public:
  virtual ~PartOfDevice() = default;
  /// Restricts this thread's later work to that many units; 0: all. Returns how many it got,
  /// because devices give them in groups. Throws std::runtime_error with the reason if that is
  /// impossible, and then changes nothing.
  virtual int confine(int units) const = 0;
  /// Calls `work` while waiting blocks occupy all but that many units. Unlike confine() it does not
  /// change the context, so hardware counters work, but times are meaningless. Throws
  /// std::runtime_error if the units were not held from start to end, or if the work took longer
  /// than `seconds`; it may then have used more units.
  virtual void beside_waiting_blocks(int units, double seconds,
                                     const std::function<void()>& work) const = 0;
};

}  // namespace gpp
