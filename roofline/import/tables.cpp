// Files of other programs as text, the rows of tables in them, and the numbers and units of these.
// Text may be in any encoding and locale, and anything may stand around a table: lines of a
// program, of its batch system and of a profiler. Each line of a table may have a prefix, such as
// the rank that mpirun and srun write.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// A table of more bytes is refused: export fewer launches.
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 28;

/// UTF-8 of UTF-16, whose first byte of two is `high`'s. Letters outside of the basic plane become
/// question marks.
std::string from_utf16(std::string_view bytes, std::size_t high) {
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    const unsigned unit = static_cast<unsigned char>(bytes[at + high]) << 8 |
                          static_cast<unsigned char>(bytes[at + 1 - high]);
    const auto add = [&text](unsigned byte) { text += static_cast<char>(byte); };
    if (unit >= 0xD800 && unit < 0xE000) {
      add('?');
    } else if (unit < 0x80) {
      add(unit);
    } else {
      if (unit >= 0x800) add(0xE0 | unit >> 12);
      add(unit < 0x800 ? 0xC0 | unit >> 6 : 0x80 | (unit >> 6 & 0x3F));
      add(0x80 | (unit & 0x3F));
    }
  }
  return text;
}

/// In UTF-8, without a byte order mark. UTF-16 without one shows by the zeros of its first letters.
std::string decoded(std::string text) {
  const auto zero = [&text](std::size_t at) { return text.size() > 3 && text[at] == '\0'; };
  if (text.starts_with("\xef\xbb\xbf")) return text.substr(3);
  if (text.starts_with("\xff\xfe")) return from_utf16(text.substr(2), 1);
  if (text.starts_with("\xfe\xff")) return from_utf16(text.substr(2), 0);
  if (zero(0) && !zero(1) && zero(2)) return from_utf16(text, 0);
  if (!zero(0) && zero(1) && zero(3)) return from_utf16(text, 1);
  return text;
}

constexpr std::chrono::minutes longest_silence{10};  // a report of gigabytes takes minutes

/// The environment variable NCU names ncu; else it is looked up on the PATH and in /usr/local/cuda.
Finished run_ncu(const fs::path& report) {
  const auto run = [&report](const char* ncu) {
    return run_program(
        {ncu, "--import", report.string(), "--csv", "--page", "raw", "--print-units", "base"},
        longest_silence, most_bytes);
  };
  const char* const named = std::getenv("NCU");
  if (named != nullptr && *named != '\0') return run(named);
  Finished done = run("ncu");
  return done.status == 127 ? run("/usr/local/cuda/bin/ncu") : done;
}

/// The report as a table, which ncu itself makes of it: the form of reports is not published.
std::string text_of_ncu_report(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) refuse_file(file, "there is no such file");
  Finished done = run_ncu(fs::absolute(file));  // an absolute path is never taken for an option
  if (done.status == 127)
    refuse_file(file,
                "ncu is needed to read it and was not found; install Nsight Compute, name it "
                "(NCU=/path/to/ncu), or write a table where ncu is: ncu --import FILE --csv "
                "--page raw --print-units base > FILE.csv");
  if (done.flooded || done.silenced)
    refuse_file(file,
                "ncu was ended, because it made a table of more than 268 MB or said nothing for 10 "
                "minutes; profile fewer launches, or fewer counters");
  if (done.status != 0)
    refuse_file(file,
                fmt::format("ncu could not read it and ended with status {}: {}", done.status,
                            visible(shortened(trimmed(done.errors + " " + done.output), 300))));
  return std::move(done.output);
}

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

/// Digits with marks, and perhaps a sign and a power of ten.
bool looks_like_a_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && (is_digit(text.front()) || text.front() == '.' || text.front() == ',') &&
         text.find_first_not_of("0123456789.,eE+-") == text.npos &&
         std::ranges::any_of(text, is_digit);
}

/// Whether every `mark` stands before a group of exactly three digits, with one to three before the
/// first of them.
bool may_group(std::string_view text, char mark) {
  const std::size_t begin = text.find_first_of("0123456789.,");
  const std::size_t first = text.find(mark);
  if (first == begin || first - begin > 3 || text[begin] == '0') return false;
  for (std::size_t at = first; at != text.npos; at = text.find(mark, at + 1)) {
    std::size_t digits = 0;
    while (at + 1 + digits < text.size() && is_digit(text[at + 1 + digits])) ++digits;
    if (digits != 3) return false;
  }
  return true;
}

/// The factor of a unit's prefix: "Mbyte" is 1e6 of "byte", "us" 1e-6 of "s".
std::optional<double> factor_of_part(std::string_view part) {
  static constexpr std::string_view bases =
      " byte second s hz cycle inst warp sector request block thread register ";
  constexpr std::string_view prefixes = "KkMGTmun";
  constexpr std::array factors = {1e3, 1e3, 1e6, 1e9, 1e12, 1e-3, 1e-6, 1e-9};
  if (part.empty() || part == "%" || part == "1") return 1;
  const auto known = [](std::string_view unit) {
    std::string base = in_lower_case(unit);
    if (base != "s" && base.ends_with('s')) base.pop_back();
    return !base.empty() && bases.find(" " + base + " ") != bases.npos;
  };
  if (known(part)) return 1;
  const std::size_t prefix = prefixes.find(part.front());
  if (prefix == prefixes.npos || !known(part.substr(1))) return std::nullopt;
  return factors[prefix];
}

}  // namespace

bool is_ncu_report(const std::string& file) { return file.ends_with(".ncu-rep"); }

std::string text_of_table(const std::string& file) {
  if (is_ncu_report(file)) return text_of_ncu_report(file);
  const std::string text = decoded(text_of_outside_file(file, most_bytes));
  if (text.find('\0') != std::string::npos || text.starts_with("NVR"))
    refuse_file(file,
                "not a text: unpack what is compressed; end the name of a report of ncu with "
                ".ncu-rep; have tables written instead of a database: rocprofv3 --output-format "
                "csv");
  return text;
}

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
  if (any({"Counter_Name"}) || std::ranges::any_of(columns, [](const auto& name) {
        return !known_counter(name, false).empty();
      }))
    return TableKind::counters;
  return any({"Start_Timestamp", "BeginNs", "DurationNs"}) ? TableKind::times : TableKind::none;
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

char decimal_of(std::string_view cell) {
  const std::string_view text = trimmed(cell);
  const std::size_t point = text.rfind('.'), comma = text.rfind(',');
  if (!looks_like_a_number(text) || point == comma) return 0;
  if (point != text.npos && comma != text.npos) return point > comma ? '.' : ',';
  const char mark = comma == text.npos ? '.' : ',';
  if (std::ranges::count(text, mark) > 1) return mark == '.' ? ',' : '.';
  return may_group(text, mark) ? '\0' : mark;
}

std::optional<double> number_in(std::string_view cell, char decimal) {
  std::string text(trimmed(cell));
  if (!looks_like_a_number(text)) return std::nullopt;
  const char group = decimal == '.' ? ',' : '.';
  if (text.find(group) != std::string::npos) {
    if (!may_group(text.substr(0, text.find(decimal)), group)) return std::nullopt;
    std::erase(text, group);
  }
  std::ranges::replace(text, ',', '.');
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* const end = text.data() + text.size();
  double value = 0;
  const auto [stopped, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || stopped != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> unit_factor(std::string_view unit) {
  unit = trimmed(unit);
  const std::size_t slash = unit.find('/');
  const auto above = factor_of_part(unit.substr(0, slash));
  if (!above || slash == unit.npos) return above;
  const auto below = factor_of_part(unit.substr(slash + 1));
  return below ? std::optional(*above / *below) : std::nullopt;
}

}  // namespace roofline
