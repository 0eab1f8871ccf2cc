// Evidence per source line of a whole program, as `roofline lines` keeps it: lines.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "roofline/record/lines.h"

namespace roofline {

struct ProgramLines {
  std::string program;  ///< command line, for people
  std::string device;   ///< "NVIDIA H200"; may be empty
  std::string created;  ///< ISO 8601, UTC
  LinesRecord lines;

  /// "./program on NVIDIA H200", fit to be shown.
  std::string title() const;
};

void fields(Fields& field, ProgramLines& lines);

/// `source` is its name for messages. Throws InputError.
ProgramLines read_lines(const nlohmann::json& json, const std::string& source);

}  // namespace roofline
