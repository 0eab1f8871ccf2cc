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

/// Why a process ended that was to go on; `limit_s` are the seconds of silence that it was granted.
std::string early_end(const roofline::Finished& finished, double limit_s);

// ---- Messages -----------------------------------------------------------------------------------

using roofline::message_text;

/// Something failed: a roofline::Failure.
inline constexpr const char* failure_message = "failure";

/// The counts of a variant.
struct CountedMessage {
  static constexpr const char* name = "counted";
  roofline::Counted counted;
};
void fields(roofline::Fields& field, CountedMessage& message);

}  // namespace gpp
