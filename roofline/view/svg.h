// Charts as SVG, by a renderer of our own: pictures are there on every node.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "roofline/view/chart.h"

namespace roofline {

/// The chart as a whole file, on light paper. The same chart gives the same bytes on every machine.
/// Texts may hold anything: what would act in XML is escaped, what is not UTF-8 is written out.
std::string svg_text(const Chart& chart);

/// The chart's frame with its plot lowered as far as the rows of its key need.
ChartFrame with_room_for_key(const Chart& chart);

/// A text as XML has it between tags and in quotes.
std::string xml_text(std::string_view text);

/// A length or a place in a picture: two digits at most, never an exponent.
std::string svg_number(double value);

/// An element of SVG: `shape("line", {{"x1", "3"}}, "")`; attributes without a value are left out.
std::string svg_element(const char* name,
                        const std::vector<std::pair<const char*, std::string>>& attributes,
                        std::string_view content = {});

}  // namespace roofline
