// What the processes that sample and count lines tell the one that started them
// (roofline::Message). The samples come as a LinesRecord without counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/record/record_json.h"
#include "roofline/record/facts.h"

namespace gpp {

inline constexpr const char* samples_message = "samples";
inline constexpr const char* totals_message = "totals";
inline constexpr const char* counts_message = "instructions";
inline constexpr const char* failure_message = "failure";

/// What hardware counters told of the part that will be counted.
struct TotalsMessage {
  std::int64_t asked_terms = 0;  ///< pieces of work to count, 0: all
  std::int64_t part_terms = 1;   ///< of the part
  roofline::Events totals;
  std::vector<std::string> lost;
};

inline void fields(roofline::Fields& field, TotalsMessage& message) {
  field("asked_terms", message.asked_terms, roofline::any_size);
  field("part_terms", message.part_terms, roofline::Whole{1, roofline::bounds::large});
  events_field(field, "totals", message.totals, "");
  field("lost", message.lost, roofline::any_text);
}

/// Counts of instructions, before they are scaled.
struct CountsMessage {
  std::int64_t terms = 1, part_terms = 1;
  std::string part;
  std::vector<std::string> counted, lost;
  std::vector<roofline::LineEvidence> lines;
};

inline void fields(roofline::Fields& field, CountsMessage& message) {
  field("terms", message.terms, roofline::Whole{1, roofline::bounds::large});
  field("part_terms", message.part_terms, roofline::Whole{1, roofline::bounds::large});
  field("part", message.part, roofline::any_text);
  field("lost", message.lost, roofline::any_text);
  lines_fields(field, message.lines, message.counted);
  if (!field.reads()) return;
  if (message.part_terms > message.terms) field.refuse("part_terms", "more than there are");
  if (message.counted.empty()) field.refuse("counted", "nothing was counted");
  for (const roofline::LineEvidence& line : message.lines)
    if (!line.stalls.empty()) field.refuse("lines", "samples among the counts");
}

}  // namespace gpp
