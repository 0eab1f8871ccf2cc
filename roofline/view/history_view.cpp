#include "roofline/view/history_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/view/axes.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/style.h"
#include "roofline/view/svg.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

/// Parts that are shown one by one; the rest are counted.
constexpr std::size_t most_in_history = 20;

const HistoryPart* part_in(const HistoryRecord& record, const std::string& name) {
  const auto found = record.parts.find(name);
  return found == record.parts.end() ? nullptr : &found->second;
}

/// A part with the first and the last record that time it.
struct PartRow {
  std::string name;
  std::size_t records = 0;  ///< that have it
  std::optional<Timing> first, last;
};

/// Most time first.
std::vector<PartRow> part_rows(const History& history) {
  std::map<std::string, PartRow> rows;
  for (const HistoryRecord& record : history.records)
    for (const auto& [name, part] : record.parts) {
      PartRow& row = rows[name];
      row.name = name;
      ++row.records;
      if (part.runs.empty()) continue;
      row.last = summarize(part.runs);
      if (!row.first) row.first = row.last;
    }
  std::vector<PartRow> list;
  for (auto& [name, row] : rows) list.push_back(std::move(row));
  std::ranges::stable_sort(list, std::ranges::greater(),
                           [](const PartRow& row) { return row.last ? row.last->median : 0; });
  return list;
}

std::optional<double> median_of(const std::optional<Timing>& timing) {
  return timing ? std::optional(timing->median) : std::nullopt;
}

TableCell in_unit(double value, const std::string& unit) {
  if (unit == "s") return cell::seconds(value);
  if (unit == "B") return cell::prefixed(value, unit);
  return {fmt::format("{:.6g}", value), value};
}

/// A name of a kernel may be as long as a page.
std::string brief_name(const std::string& name) {
  constexpr std::size_t most = 40;
  return visible(shortened_inside(name, most, most / 3));
}

using PartColumn = ColumnOf<PartRow>;

std::vector<PartColumn> part_columns() {
  const auto number = [](const char* name, const char* title, const char* unit,
                         std::function<TableCell(const PartRow&)> cell) {
    return PartColumn{{name, title, "", unit, Align::right}, std::move(cell)};
  };
  return {{{"part", "what"}, [](const PartRow& row) { return TableCell{brief_name(row.name)}; }},
          number("records", "records", "",
                 [](const PartRow& row) {
                   return cell::integer(static_cast<std::int64_t>(row.records));
                 }),
          number("first", "first time", "s",
                 [](const PartRow& row) { return cell::seconds(median_of(row.first)); }),
          number("last", "last time", "s",
                 [](const PartRow& row) { return cell::seconds(median_of(row.last)); }),
          number("low", "from", "s",
                 [](const PartRow& row) {
                   return cell::seconds(row.last ? std::optional(row.last->low) : std::nullopt);
                 }),
          number("high", "to", "s", [](const PartRow& row) {
            return cell::seconds(row.last ? std::optional(row.last->high) : std::nullopt);
          })};
}

Json timing_json(const HistoryPart& part) {
  if (part.runs.empty()) return nullptr;
  const Timing timing = summarize(part.runs);
  return {{"median", timing.median},
          {"low", timing.low},
          {"high", timing.high},
          {"runs", part.runs.size()}};
}

Json record_json(const HistoryRecord& record) {
  Json parts = Json::object();
  for (const auto& [name, part] : record.parts)
    parts[name] = {{"seconds", timing_json(part)}, {"work", part.work}, {"bytes", part.bytes}};
  return {{"label", record.label}, {"created", record.created}, {"parts", parts}};
}

/// Draws one part over the records.
class PartDrawer {
 public:
  PartDrawer(const History& history, Chart& chart) : history_(history), chart_(chart) {}

  void draw(const std::string& name, std::size_t index) {
    const std::string colour = series_colour(index), title = brief_name(name);
    std::optional<ChartPoint> before;
    for (std::size_t i = 0; i < history_.records.size(); ++i) {
      const HistoryPart* part = part_in(history_.records[i], name);
      if (part == nullptr || part->runs.empty()) continue;
      const Timing timing = summarize(part->runs);
      const ChartPoint at{static_cast<double>(i), timing.median};
      if (before) chart_.lines.push_back({{*before, at}, "line", title, title, colour, 2});
      before = at;
      chart_.marks.push_back(mark(name, i, timing, colour));
    }
    if (before) chart_.key.push_back({title, colour, Shape::circle});
  }

 private:
  ChartMark mark(const std::string& name, std::size_t record, const Timing& timing,
                 const std::string& colour) const {
    ChartMark mark;
    mark.at = {static_cast<double>(record), timing.median};
    mark.item = "time";
    mark.of = brief_name(name);
    mark.name = history_.records[record].label;
    mark.colour = colour;
    mark.low = timing.low;
    mark.high = timing.high;
    mark.headline = fmt::format("{}, {}", mark.of, mark.name);
    mark.facts = {{"time", describe_seconds(timing.median)}};
    for (const HistoryChange& change : history_.changes)
      if (change.record == record && change.part == name) {
        mark.facts.emplace_back(change.what, change.worse() ? "more" : "less");
        mark.shape = change.worse() ? Shape::triangle : Shape::triangle_down;
      }
    return mark;
  }

  const History& history_;
  Chart& chart_;
};

/// "Gone since the record before: a, b and 3 more." Empty where there are none.
std::string list_of(const char* what, const std::vector<std::string>& names, std::size_t width) {
  if (names.empty()) return {};
  constexpr std::size_t most = 5;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    some.push_back(brief_name(names[i]));
  const std::string more =
      names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  return wrapped(fmt::format("{}: {}{}.", what, fmt::join(some, ", "), more), width, 0) + "\n";
}

ViewTable history_table(const History& history) {
  return table_of(part_columns(), part_rows(history),
                  {"history", "Times in the first and the last record", {}, {}, {}});
}

ViewTable changes_table(const History& history) {
  using Column = ColumnOf<HistoryChange>;
  const auto number = [](const char* name, const char* title, double HistoryChange::*value) {
    return Column{{name, title, "", "", Align::right}, [value](const HistoryChange& change) {
                    return in_unit(change.*value, change.unit);
                  }};
  };
  const std::vector<Column> columns = {
      {{"record", "since"},
       [&](const HistoryChange& change) {
         return TableCell{history.records[change.record].label};
       }},
      {{"part", "what"},
       [](const HistoryChange& change) { return TableCell{brief_name(change.part)}; }},
      {{"quantity", "quantity"},
       [](const HistoryChange& change) { return TableCell{change.what}; }},
      number("low", "was from", &HistoryChange::low),
      number("high", "to", &HistoryChange::high),
      number("after", "is", &HistoryChange::after),
      {{"verdict", "verdict"},
       [](const HistoryChange& change) { return TableCell{change.worse() ? "worse" : "better"}; }}};
  ViewTable table = table_of(columns, history.changes, {"changes", "Changes", {}, {}, {}});
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i].tone = history.changes[i].worse() ? "bad" : "good";
  return table;
}

Json history_json(const History& history) {
  Json records = Json::array(), changes = Json::array();
  for (const HistoryRecord& record : history.records) records.push_back(record_json(record));
  for (const HistoryChange& change : history.changes)
    changes.push_back({{"record", history.records[change.record].label},
                       {"part", change.part},
                       {"quantity", change.what},
                       {"unit", change.unit},
                       {"low", json_number(change.low)},
                       {"high", json_number(change.high)},
                       {"after", json_number(change.after)},
                       {"verdict", change.worse() ? "worse" : "better"}});
  return with_visible_texts({{"records", records},
                             {"changes", changes},
                             {"undecided", history.undecided},
                             {"compared", history.compared},
                             {"gone", history.gone},
                             {"appeared", history.appeared},
                             {"not_in_order", history.not_in_order},
                             {"last_is_worse", history.last_is_worse()}});
}

std::string write_history_chart(const History& history, const std::string& folder) {
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, error))
    throw InputError(fmt::format("{}: this folder cannot be made", visible(folder)));
  const Chart chart = history_chart(history);
  if (chart.marks.empty()) return "No chart: no kernel was timed several times.";
  return write_charts(folder, {chart}).note;
}

}  // namespace

std::string history_text(const History& history, bool colours, std::size_t width) {
  ViewTable parts = history_table(history);
  if (parts.rows.size() > most_in_history) {
    parts.notes.push_back(
        fmt::format("And {} more: --json lists all.", parts.rows.size() - most_in_history));
    parts.rows.resize(most_in_history);
  }
  std::string text = terminal_text(parts, colours, width) + "\n";
  text += history.changes.empty() ? "No change beyond bounds and noise.\n"
                                  : terminal_text(changes_table(history), colours, width);
  text +=
      wrapped(fmt::format("Bounds are those of up to {} records before. A time changes where its "
                          "median lies {:.0f}% beyond them and chance would do that in 1 of {:.0f} "
                          "records, corrected for the number of rows by Holm's method.",
                          most_in_base, 100 * least_time, 1 / false_alarms),
              width, 0) +
      "\n";
  if (!history.undecided.empty())
    text += wrapped(fmt::format("Undecided: {} of the last record's times; their runs are too few "
                                "for a verdict, so take more of each record.",
                                history.undecided.size()),
                    width, 0) +
            "\n";
  text += list_of("Gone since the record before", history.gone, width) +
          list_of("New in the last record, with nothing to compare", history.appeared, width) +
          list_of(
              "Beware, the oldest comes first, and these were made before the record that they "
              "follow",
              history.not_in_order, width);
  if (history.compared == 0)
    return text +
           wrapped(
               "Nothing of the last record could be held against those before: it shares no "
               "counts with them, and no times of enough undisturbed runs.",
               width, 0) +
           "\n";
  return text + (history.last_is_worse() ? "The last record is worse.\n"
                                         : "The last record is not worse.\n");
}

Chart history_chart(const History& history) {
  Chart chart;
  chart.name = "history";
  chart.title = "Times over the records";
  chart.description = "The median of each part's runs in each record, with its 95% interval";
  std::vector<std::string> labels;
  for (const HistoryRecord& record : history.records) labels.push_back(record.label);
  constexpr std::size_t most_drawn = 6;  // as many colours as there are
  const std::vector<PartRow> rows = part_rows(history);
  PartDrawer drawer(history, chart);
  for (std::size_t i = 0; i < std::min(most_drawn, rows.size()); ++i) drawer.draw(rows[i].name, i);
  if (rows.size() > most_drawn)
    chart.notes.push_back(fmt::format("The {} that take most time are drawn.", most_drawn));
  double low = 1, high = 0;
  for (const ChartMark& mark : chart.marks) {
    low = high > 0 ? std::min(low, *mark.low) : *mark.low;
    high = std::max(high, *mark.high);
  }
  chart.frame = {1200, 800, 118, 84, 40, 108};
  chart.frame = with_room_for_key(chart);
  chart.x = category_axis(labels);
  chart.y =
      log_axis("", "s", round_range(low / 1.2, high * 1.2), plot_of(chart.frame).height(), true);
  return chart;
}

void print_history(const History& history, bool json, const std::string& folder) {
  if (json)
    fmt::print("{}\n", history_json(history).dump(1));
  else
    fmt::print("{}", history_text(history, colours_wanted(), text_width()));
  const std::string note = write_history_chart(history, folder);
  if (!json && !note.empty()) fmt::print("{}\n", note);
}

}  // namespace roofline
