// Single launches on a time line, for Perfetto (ui.perfetto.dev) and Chrome (chrome://tracing).
#pragma once

#include <filesystem>
#include <string>

#include "roofline/profile.h"

namespace roofline {

/// JSON of trace events ("Trace Event Format", Google): a track for each stream with its launches,
/// and one above it with their NVTX ranges, nested. A slice of a range begins with the first of its
/// launches in the stream and ends with the last: it shows when the device worked for it. Throws
/// InputError where no launch is kept one by one.
std::string trace_text(const Profile& profile);

/// Throws InputError where something is at the trace's place already, or nothing can be written
/// there.
void check_trace_file(const std::filesystem::path& file);
/// Writes it; returns a line for people. Throws InputError as both above.
std::string write_trace(const Profile& profile, const std::filesystem::path& file);

}  // namespace roofline
