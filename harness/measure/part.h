// A part of a device, in the worker that is confined to it.
#pragma once

#include <optional>
#include <string>

#include "harness/measure/counting.h"
#include "roofline/record/fields.h"
#include "runtimes/part_of_device.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The order to say what part the worker got, and its roofs.
struct RoofsMessage {
  static constexpr const char* name = "roofs";  ///< answered by a PartMessage
  CeilingsWanted wanted = CeilingsWanted::off;
};
void fields(roofline::Fields& field, RoofsMessage& message);
struct PartMessage {
  static constexpr const char* name = "part";
  int units = 0;
  std::optional<roofline::Ceilings> ceilings;
  std::string reason;  ///< why they could not be had
};
void fields(roofline::Fields& field, PartMessage& part);

/// The runtime's ability. Throws std::runtime_error where it has none.
const PartOfDevice& part_of(const Runtime& runtime);

/// The roofs of the part that this process is confined to.
PartMessage part_here(const Runtime& runtime, CeilingsWanted wanted);

}  // namespace gpp
