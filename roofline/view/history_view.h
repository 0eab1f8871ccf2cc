// A history for people and scripts: its tables, its chart, and the exit status that CI takes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "roofline/history.h"
#include "roofline/view/chart.h"

namespace roofline {

/// Parts of a history that are drawn and shown one by one; the rest are counted.
inline constexpr std::size_t most_in_history = 20;

/// A row for each part: its times in the first and the last record that have it.
ViewTable history_table(const History& history);
/// A row for each change.
ViewTable changes_table(const History& history);
/// Both for people, and what follows for the last record.
std::string history_text(const History& history, bool colours, std::size_t width);
/// {"records", "changes", "undecided", "compared", "gone", "appeared", "not_in_order",
/// "last_is_worse"}.
nlohmann::ordered_json history_json(const History& history);

/// The median of each part's runs over the records, with its 95% interval and the changes. It has
/// no marks where nothing was timed several times.
Chart history_chart(const History& history);

/// Writes history.svg and history.csv into the folder, which is made; nothing where it is "".
/// Throws InputError where it cannot be made. Returns a line for people, which may be empty.
std::string write_history_chart(const History& history, const std::string& folder);

/// Prints it as text or JSON, then writes its chart and tells people of it.
void print_history(const History& history, bool json, const std::string& folder);

}  // namespace roofline
