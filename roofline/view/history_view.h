// A history for people and scripts: its tables, its chart, and the exit status that CI takes.
#pragma once

#include <string>

#include "roofline/history.h"
#include "roofline/view/chart.h"

namespace roofline {

/// A row for each part, with its times in the first and the last record that have it, a row for
/// each change, and what follows for the last record.
std::string history_text(const History& history, bool colours, std::size_t width);
/// The median of each part's runs over the records, with its 95% interval and the changes. It has
/// no marks where nothing was timed several times.
Chart history_chart(const History& history);

/// Prints it as text or JSON, then writes history.svg and history.csv into the folder, which is
/// made, and tells people of it; nothing where the folder is "". Throws InputError where it cannot
/// be made.
void print_history(const History& history, bool json, const std::string& folder);

}  // namespace roofline
