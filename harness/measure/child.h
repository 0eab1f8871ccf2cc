// Processes that run variants: how they end, and what they tell the one that started them, one
// message (roofline::Message) a line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/record/record_json.h"
#include "roofline/base/process.h"
#include "roofline/record/facts.h"

namespace gpp {

/// Calls `action`. The words of what it throws; empty where it throws nothing.
std::string error_of(const std::function<void()>& action);

/// The signal that ended a process; 0 where none did.
int signal_of(const roofline::Finished& finished);

/// "crashed (signal 11)", "ended with exit status 1", or `silence` where it said nothing for too
/// long; empty where it ended well.
std::string bad_end(const roofline::Finished& finished, const std::string& silence);

/// Why a process ended that was to go on; `limit_s` are the seconds of silence that it was granted.
std::string early_end(const roofline::Finished& finished, double limit_s);

/// "; it said: ...", the end of its standard error; empty where it said nothing there.
std::string last_words(const roofline::Finished& finished);

// ---- Messages -----------------------------------------------------------------------------------

using roofline::message_text;

/// Something failed: a roofline::Failure.
inline constexpr const char* failure_message = "failure";
/// The samples of lines: a LinesRecord without counts.
inline constexpr const char* samples_message = "samples";

/// Hardware counters of the part whose lines will be counted.
struct TotalsMessage {
  static constexpr const char* name = "totals";
  std::int64_t asked_terms = 0;  ///< pieces of work to count, 0: all
  std::int64_t part_terms = 1;   ///< of the part
  roofline::Events totals;
  std::vector<std::string> lost;
};
void fields(roofline::Fields& field, TotalsMessage& message);

/// Counts of instructions by line, before they are scaled.
struct CountsMessage {
  static constexpr const char* name = "instructions";
  std::int64_t terms = 1, part_terms = 1;
  std::string part;
  std::vector<std::string> counted, lost;
  std::vector<roofline::LineEvidence> lines;
};
void fields(roofline::Fields& field, CountsMessage& message);

/// The counts of a variant.
struct CountedMessage {
  static constexpr const char* name = "counted";
  roofline::Counted counted;
};
void fields(roofline::Fields& field, CountedMessage& message);

}  // namespace gpp
