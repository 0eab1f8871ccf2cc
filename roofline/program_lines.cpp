#include "roofline/program_lines.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/visible.h"
#include "roofline/record/facts.h"

namespace roofline {
namespace {

constexpr const char* lines_mark = "roofline_lines";
constexpr int lines_version = 1;

}  // namespace

std::string ProgramLines::title() const {
  return visible(fmt::format("{} on {}", program.empty() ? "a program without a name" : program,
                             device.empty() ? "a device without a name" : device));
}

void fields(Fields& field, ProgramLines& lines) {
  int its_version = lines_version;
  field(lines_mark, its_version, Whole{lines_version, lines_version}, "of this form of file");
  field("program", lines.program, any_text, "command line");
  field("device", lines.device, short_text);
  date_field(field, lines.created, "ISO 8601, UTC");
  fields(field, lines.lines);
}

ProgramLines read_lines(const nlohmann::json& json, const std::string& source) {
  const JsonPlace place(json, "", source);
  if (!place.has(lines_mark))
    throw InputError(visible(source) + ": JSON, but no record of source lines");
  if (place[lines_mark].integer(1, bounds::small) != lines_version)
    throw InputError(visible(source) + ": lines of a later version of this program");
  return read_facts<ProgramLines>(place);
}

}  // namespace roofline
