#include "roofline/machine_code/line_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "roofline/machine_code/cubin.h"
#include "roofline/machine_code/line_program.h"
#include "roofline/machine_code/out_of_line.h"

namespace roofline {
namespace {

constexpr std::size_t most_frames = 256;  // a longer chain of inlined calls goes round in a circle

struct Function {
  std::string symbol;
  CodePlace begin;
  std::uint64_t end = 0;

  bool holds(const CodePlace& place) const {
    return place.section == begin.section && place.offset >= begin.offset && place.offset < end;
  }
};

struct Sequence {
  const LineUnit* unit = nullptr;
  const LineSequence* lines = nullptr;
};

/// The entry with the largest key that is not larger, or nullptr.
template <class Value>
const Value* at_or_before(const std::map<CodePlace, Value>& map, const CodePlace& place) {
  const auto after = map.upper_bound(place);
  return after == map.begin() ? nullptr : &std::prev(after)->second;
}

}  // namespace

struct LineTable::Tables {
  std::vector<LineUnit> units;
  std::map<CodePlace, Sequence> sequences;  // into the units
  std::map<std::string, Function, std::less<>> by_symbol;
  std::map<CodePlace, Function> by_place;
  std::string strings;  // .debug_str
  std::string problem;

  const Sequence* sequence_at(const CodePlace& place) const;
  const LineRow* row_at(const Sequence& sequence, std::uint64_t offset) const;
  const Function* innermost_at(const std::string& function, std::uint64_t offset,
                               CodePlace& place) const;
  std::string helper(const Function& function, bool own) const;
  std::string name_at(std::uint32_t offset) const;
  std::vector<Frame> chain(const Sequence& sequence, const LineRow& innermost) const;

  void add_functions(const Cubin& cubin);
  void add_lines(const Cubin& cubin);
};

const Sequence* LineTable::Tables::sequence_at(const CodePlace& place) const {
  const Sequence* found = at_or_before(sequences, place);
  const bool holds = found != nullptr && found->lines->section == place.section &&
                     place.offset < found->lines->end;
  return holds ? found : nullptr;
}

/// Of rows at one address the last one holds: those before it are there to be called from.
const LineRow* LineTable::Tables::row_at(const Sequence& sequence, std::uint64_t offset) const {
  const std::vector<LineRow>& rows = sequence.lines->rows;
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), offset,
                       [](std::uint64_t at, const LineRow& row) { return at < row.address; });
  return after == rows.begin() ? nullptr : &*std::prev(after);
}

/// The function asked for, or the one behind its code that the place lies in. A kernel's symbol
/// covers its helpers as well.
const Function* LineTable::Tables::innermost_at(const std::string& function, std::uint64_t offset,
                                                CodePlace& place) const {
  const auto asked = by_symbol.find(function);
  if (asked == by_symbol.end()) return nullptr;
  const Function& outer = asked->second;
  if (offset >= outer.end - outer.begin.offset) return nullptr;
  place = {outer.begin.section, outer.begin.offset + offset};
  const Function* inner = at_or_before(by_place, place);
  const bool behind =
      inner != nullptr && inner->holds(place) && inner->begin.offset > outer.begin.offset;
  return behind ? inner : &outer;
}

/// A function whose code begins with no row has no lines of its own.
std::string LineTable::Tables::helper(const Function& function, bool own) const {
  if (std::string name = helper_name(function.symbol); !name.empty() || own) return name;
  const Sequence* sequence = sequence_at(function.begin);
  if (sequence == nullptr) return {};
  const LineRow* row = row_at(*sequence, function.begin.offset);
  if (row != nullptr && row->address == function.begin.offset) return {};
  return std::string(without_owner(function.symbol));
}

std::string LineTable::Tables::name_at(std::uint32_t offset) const {
  if (offset >= strings.size()) return {};
  const std::string_view rest = std::string_view(strings).substr(offset, ByteReader::longest + 1);
  const std::size_t end = rest.find('\0');
  return end == rest.npos ? std::string() : std::string(rest.substr(0, end));
}

/// The outermost frame is left without a name.
std::vector<Frame> LineTable::Tables::chain(const Sequence& sequence,
                                            const LineRow& innermost) const {
  const std::vector<LineRow>& rows = sequence.lines->rows;
  std::vector<Frame> frames;
  for (const LineRow* row = &innermost;; row = &rows[row->caller - 1]) {
    const SourcePlace place{sequence.unit->path(row->file), static_cast<int>(row->line)};
    frames.push_back({place, row->caller == 0 ? std::string() : name_at(row->name)});
    if (row->caller == 0) return frames;
    if (row->caller > rows.size() || frames.size() == most_frames) break;
  }
  frames.resize(1);
  return frames;
}

void LineTable::Tables::add_functions(const Cubin& cubin) {
  for (const CodeSymbol& one : cubin.functions()) {
    const Function function{std::string(one.name), one.begin, one.begin.offset + one.size};
    by_symbol.emplace(function.symbol, function);
    by_place.emplace(function.begin, function);
  }
}

void LineTable::Tables::add_lines(const Cubin& cubin) {
  const std::optional<ByteReader> section = cubin.section(".debug_line");
  if (!section) {
    problem = "no source lines in it: compile with nvcc -lineinfo";
    return;
  }
  units = read_line_units(*section, cubin.relocations(".debug_line"));
  if (std::optional<ByteReader> names = cubin.section(".debug_str"))
    strings = names->take(names->left());
  bool named = false;
  for (LineUnit& unit : units) {
    if (!unit.problem.empty()) problem = unit.problem + ": compile with nvcc -lineinfo";
    const bool others_names = std::exchange(named, named || unit.names_functions());
    for (LineSequence& sequence : unit.sequences) {
      if (others_names)
        for (LineRow& row : sequence.rows) row.name = LineRow::no_name;
      sequences.emplace(CodePlace{sequence.section, sequence.rows.front().address},
                        Sequence{&unit, &sequence});
    }
  }
}

LineTable::LineTable() : LineTable(std::make_shared<const Tables>()) {}
LineTable::LineTable(std::shared_ptr<const Tables> tables) : tables_(std::move(tables)) {}

std::vector<Frame> LineTable::frames(const std::string& function, std::uint64_t offset) const {
  CodePlace place;
  const Function* inner = tables_->innermost_at(function, offset, place);
  if (inner == nullptr) return {};
  const bool own = inner->symbol == function;
  const Sequence* sequence = tables_->sequence_at(place);
  if (sequence == nullptr || !tables_->helper(*inner, own).empty()) return {};
  const LineRow* row = tables_->row_at(*sequence, place.offset);
  if (row == nullptr || row->line == 0) return {};
  std::vector<Frame> frames = tables_->chain(*sequence, *row);
  // A broken chain ends in an inlined function, which has its name already or none.
  if (frames.size() > 1 || row->caller == 0)
    frames.back().function = own ? function : std::string(without_owner(inner->symbol));
  return frames;
}

std::string LineTable::helper(const std::string& function, std::uint64_t offset) const {
  CodePlace place;
  const Function* inner = tables_->innermost_at(function, offset, place);
  return inner == nullptr ? std::string() : tables_->helper(*inner, inner->symbol == function);
}

std::vector<std::string> LineTable::functions() const {
  std::vector<std::string> functions;
  for (const auto& [symbol, function] : tables_->by_symbol)
    if (!symbol.starts_with('$') && tables_->sequence_at(function.begin) != nullptr)
      functions.push_back(symbol);
  return functions;
}

const std::string& LineTable::problem() const { return tables_->problem; }

LineTable read_line_table(std::string_view bytes, const std::string& name_for_messages) {
  const Cubin cubin(bytes, name_for_messages);
  auto tables = std::make_shared<LineTable::Tables>();
  tables->add_functions(cubin);
  tables->add_lines(cubin);
  return LineTable(std::move(tables));
}

}  // namespace roofline
