// Texts on evidence per source line: shares, the hottest lines, whole files.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/record/lines.h"

namespace roofline {

/// Files with lines that called inlined code: the program's own, or the variant's.
std::set<std::string> calling_files(const LinesRecord& record);

/// All files with lines in display order: calling files first, then the hottest. Code without a
/// line has the file name "".
std::vector<std::string> files_of(const LinesRecord& record);

/// Sentences on the measurement: number and rate of samples, their cost, and the counted part.
std::vector<std::string> measured_how(const LinesRecord& record);

/// The three reasons with most samples and at least 0.5%: "long_scoreboard 62%, wait 12%", as
/// shares of `all` samples.
std::string top_reasons(const Events& stalls, std::uint64_t all);

/// The hottest lines, at most `top`, each followed by the code inlined there; `hidden` is the
/// number of cooler lines. Source text is shortened to `width` characters.
Table hottest_table(const LinesRecord& record, std::size_t top, std::size_t width,
                    std::size_t* hidden = nullptr);

/// The lines of a file with samples and their neighbours. Calling files include inlined code,
/// others only their own. Without text, functions stand in its place.
Table file_table(const LinesRecord& record, const std::string& file, std::size_t width);

/// The hottest lines, at most `top`, each followed by the code inlined there, and a list of missing
/// data. `title` names program and device.
std::string hottest_lines(const LinesRecord& record, const std::string& title, std::size_t top,
                          bool colours);

/// A line's printable text without indentation, shortened to `most` characters.
std::string trimmed_source(const std::string& line, std::size_t most = std::string::npos);
}  // namespace roofline
