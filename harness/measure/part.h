// A part of a device, in the worker that is confined to it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/counting.h"
#include "roofline/record/fields.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The order to say what part the worker got, and its roofs.
struct RoofsOrder {
  static constexpr const char* name = "roofs";  ///< answered by a PartMessage
  CeilingsWanted wanted = CeilingsWanted::off;
};
void fields(roofline::Fields& field, RoofsOrder& order);
struct PartMessage {
  static constexpr const char* name = "part";
  int units = 0;
  std::optional<roofline::Ceilings> ceilings;
  std::string reason;  ///< why they could not be had
};
void fields(roofline::Fields& field, PartMessage& part);

/// The roofs of the part that this process is confined to.
PartMessage part_here(const Runtime& runtime, CeilingsWanted wanted);

// ---- Cores of a host ----------------------------------------------------------------------------

/// These processors, the first of each physical core before the others: "0,1" and "2,3" being one
/// core each, 0 2 1 3. In their own order where the system does not tell.
std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root = "/");

/// So many of those that this process may use.
std::vector<int> first_cores(int count);

/// Confines the program that this process becomes to so many cores: OpenMP reads the number when it
/// starts, and places of the whole machine would not be there.
void become_confined(int cores);

}  // namespace gpp
