// The rows of tables in a text of anything else: lines of a program, of its batch system and of a
// profiler. Each line of a table may have a prefix, such as the rank that mpirun and srun write.
#include <fmt/format.h>

#include <algorithm>

#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

constexpr std::string_view separators = ",;\t|";

/// How many separators stand outside of quotes.
std::size_t separators_in(std::string_view line, char separator) {
  std::size_t count = 0;
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '"') quoted = !quoted;
    count += letter == separator && !quoted ? 1U : 0U;
  }
  return count;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size()) - at;
}

/// The form where the line is a header of Nsight Compute's.
std::optional<LineForm> form_of_ncu(std::string_view line) {
  if (line.find("Kernel Name") == line.npos) return std::nullopt;
  std::size_t begin = line.npos;
  LineForm form;
  for (const std::string_view first : {"\"ID\"", "\"Process ID\"", "ID", "Process ID"}) {
    const std::size_t at = line.find(first), end = at + first.size();
    if (at >= begin || end >= line.size() || separators.find(line[end]) == line.npos) continue;
    begin = at;
    form = {"", line[end], first.front() == '"', true, 0};
  }
  if (begin == line.npos) return std::nullopt;
  // An index without a name, as scripts add it, is a column.
  const std::string_view before = line.substr(0, begin);
  if (before != std::string{form.separator} && before != std::string("\"\"") + form.separator)
    form.prefix = before;
  return form;
}

/// The form where the line is a header of one of AMD's programs: it has such a cell.
std::optional<LineForm> form_of_rocprof(std::string_view line) {
  for (const std::string_view name :
       {"Kernel_Name", "KernelName", "HBMBw", "gpu_arch", "gpu_soc", "Agent_Type"}) {
    const std::size_t at = line.find(name), end = at + name.size();
    if (at == line.npos) continue;
    const char separator = *std::ranges::max_element(
        separators, {}, [line](char one) { return separators_in(line, one); });
    const auto ends = [separator](char letter) { return letter == separator || letter == '"'; };
    if ((at == 0 || ends(line[at - 1])) && (end == line.size() || ends(line[end])))
      return LineForm{"", separator, line.starts_with('"'), false, 0};
  }
  return std::nullopt;
}

/// The form of a header; behind the first one a file has none but Nsight Compute's.
std::optional<LineForm> form_of(std::string_view line, bool first) {
  std::optional<LineForm> form = form_of_ncu(line);
  if (!form && first) form = form_of_rocprof(line);
  if (form) form->cells = separators_in(line.substr(form->prefix.size()), form->separator) + 1;
  return form;
}

/// The length of a prefix like this one, with any numbers in it; nothing where the line has none.
std::optional<std::size_t> prefix_of(std::string_view line, std::string_view like) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < like.size(); ++i) {
    if (is_digit(like[i]) || like[i] == ' ')
      while (at < line.size() && line[at] == ' ') ++at;
    if (like[i] == ' ') continue;
    const std::size_t digits = digits_at(line, at);
    if (is_digit(like[i]) ? digits == 0 : at >= line.size() || line[at] != like[i])
      return std::nullopt;
    at += is_digit(like[i]) ? digits : 1;
    if (is_digit(like[i])) i += digits_at(like, i) - 1;
  }
  return at;
}

/// Whether the line, without its prefix, is a row. Where a log may be between, it begins with the
/// number of a launch, or with none as the row of units does, and not like a line of the program.
bool is_row(std::string_view line, const LineForm& form) {
  if (!form.in_a_log) return !line.empty();
  const bool quoted = line.starts_with('"');
  std::size_t end = quoted ? line.find_first_not_of("0123456789.,", 1) : digits_at(line, 0);
  if (quoted && (end == line.npos || line[end++] != '"')) return false;
  if (end >= line.size() || line[end] != form.separator) return false;
  const std::size_t cells = separators_in(line, form.separator) + 1;
  return quoted || (form.quoted ? cells == form.cells : 2 * cells >= form.cells);
}

std::map<std::string, std::size_t> columns_of(const CsvRow& header, const std::string& file,
                                              std::string_view remedy) {
  std::map<std::string, std::size_t> columns;
  for (std::size_t i = 0; i < header.cells.size(); ++i)
    if (const auto [at, is_new] = columns.emplace(header.cells[i], i); !is_new)
      refuse_line(file, header.line,
                  fmt::format("column '{}' stands twice, as number {} and {}: which one counts? {}",
                              visible(header.cells[i]), at->second + 1, i + 1, remedy));
  return columns;
}

}  // namespace

const std::string* TableHeader::find(const CsvRow& of,
                                     std::initializer_list<const char*> names) const {
  for (const char* name : names)
    if (const auto at = columns.find(name); at != columns.end() && at->second < of.cells.size())
      return &of.cells[at->second];
  return nullptr;
}

std::string TableHeader::text(const CsvRow& of, std::initializer_list<const char*> names) const {
  const std::string* cell = find(of, names);
  return cell == nullptr ? "" : *cell;
}

TableKind kind_of(std::string_view text) {
  std::vector<std::string> columns;
  for (CsvReader reader(text, ""); columns.empty() && !reader.at_end(); reader.skip_line())
    if (const std::optional<LineForm> form = form_of(reader.next_line(), true))
      columns = reader.row(form->prefix.size(), form->separator).cells;
  const auto any = [&columns](std::initializer_list<std::string_view> names) {
    return std::ranges::find_first_of(columns, names) != columns.end();
  };
  if (any({"Kernel Name"})) return TableKind::ncu;
  if (any({"HBMBw"}) && any({"L2Bw"})) return TableKind::roofs;
  if (any({"gpu_arch", "gpu_soc", "Agent_Type"})) return TableKind::device;
  if (!any({"Kernel_Name", "KernelName"})) return TableKind::none;
  if (any({"Counter_Name"}) || std::ranges::any_of(columns, is_rocprof_counter))
    return TableKind::counters;
  if (any({"Start_Timestamp", "BeginNs", "DurationNs"})) return TableKind::times;
  return any({"Dispatch_ID", "Dispatch_Id", "Index"}) ? TableKind::unknown : TableKind::none;
}

void for_each_row(std::string_view text, const std::string& file, std::string_view remedy,
                  const std::function<void(const TableHeader&, const CsvRow&)>& visit) {
  CsvReader reader(text, file);
  std::vector<TableHeader> headers;
  std::size_t tables = 0;
  while (!reader.at_end()) {
    const std::string_view line = reader.next_line();
    const bool whole = !headers.empty() && !headers.front().form.in_a_log;
    if (const std::optional<LineForm> form =
            whole ? std::nullopt : form_of(line, headers.empty())) {
      CsvRow row = reader.row(form->prefix.size(), form->separator);
      std::erase_if(headers, [&form](const auto& one) { return one.form.prefix == form->prefix; });
      auto columns = columns_of(row, file, remedy);
      headers.push_back({tables++, *form, std::move(row), std::move(columns)});
      continue;
    }
    // The table whose lines begin so; else the last whose lines begin alike.
    const TableHeader* table = nullptr;
    std::size_t prefix = 0;
    for (const TableHeader& header : headers)
      if (const auto length = prefix_of(line, header.form.prefix);
          length && is_row(line.substr(*length), header.form) &&
          (table == nullptr || !line.starts_with(table->form.prefix))) {
        table = &header;
        prefix = *length;
      }
    if (table == nullptr) {
      reader.skip_line();
      continue;
    }
    const CsvRow row = reader.row(prefix, table->form.separator);
    // A row for each counter may end behind its value: what rules say is left out.
    const std::size_t all = table->row.cells.size();
    const auto value = table->columns.find("Metric Value");
    if (row.cells.size() < (value == table->columns.end() ? all : value->second + 1) ||
        row.cells.size() > all)
      refuse_line(
          file, row.line,
          fmt::format("{} cells below a header of {}: the file is cut off or was edited; {}",
                      row.cells.size(), all, remedy));
    visit(*table, row);
  }
}

}  // namespace roofline
