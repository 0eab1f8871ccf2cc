// What the processes of a trajectory tell the one that started them (roofline::Message).
#pragma once

#include <string>

#include "harness/record/trajectory.h"
#include "roofline/record/fields.h"

namespace gpp {

/// A study on so many units: a TrajectoryPoint.
inline constexpr const char* study_message = "study";
/// The same, counted on the whole device: its units are 0.
inline constexpr const char* counted_message = "counted";
inline constexpr const char* bytes_message = "bytes";
inline constexpr const char* failure_message = "failure";
inline constexpr const char* interrupted_message = "interrupted";

/// Where a message belongs.
struct RunMessage {
  int units = 0;  ///< 0: of the whole device, or of none
  std::string size;
};

inline void fields(roofline::Fields& field, RunMessage& run) {
  field("units", run.units, roofline::Whole{});
  field("size", run.size, roofline::short_text);
}

/// The bytes that a variant moved on so many units.
struct BytesMessage {
  RunMessage run;
  std::string variant, model;
  roofline::Counters counters;
  std::string reason;  ///< why there are none
};

inline void fields(roofline::Fields& field, BytesMessage& message) {
  fields(field, message.run);
  field("variant", message.variant, roofline::a_name);
  field("model", message.model, roofline::a_name);
  field("counters", message.counters, roofline::OrNull{roofline::bounds::count});
  field("reason", message.reason, roofline::any_text);
}

struct RunFailure {
  RunMessage run;
  std::string reason;
};

inline void fields(roofline::Fields& field, RunFailure& failure) {
  fields(field, failure.run);
  field("reason", failure.reason, roofline::any_text);
}

}  // namespace gpp
