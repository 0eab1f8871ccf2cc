#include "roofline/machine_code/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "roofline/machine_code/cubin.h"

// The format is DWARF, versions 2 (1993), 3 (2005) and 4 (2010), section 6.2; nvcc 13.0 writes
// version 2. NVIDIA adds two extended opcodes for inlined calls. They are not standardised;
// elfutils 0.186 (2021) calls them DW_LNE_NVIDIA_inlined_call (0x90) and
// DW_LNE_NVIDIA_set_function_name (0x91). They correspond to PTX's `.loc ... function_name ...,
// inlined_at ...` (PTX ISA, debugging directives, since version 7.2). As observed with nvcc 13.0,
// 0x90 has two unsigned LEB128 numbers: the caller's row, counted from 1 in the same sequence (0:
// none), and the position of the inlined function's name in .debug_str.
namespace roofline {
namespace {

constexpr std::size_t most_rows = 1 << 22;  // limit: 64 MiB of code with a row per instruction
constexpr std::size_t most_frames = 256;    // a longer chain of inlined calls must be a cycle

using Relocations = std::map<std::uint64_t, CodePlace>;

/// A row assigns the instructions from its address up to the next row's to a line.
struct LineRow {
  static constexpr std::uint32_t no_name = 0xffffffff;

  std::uint64_t address = 0;     // offset in the section, bytes
  std::uint32_t file = 1;        // number of the file, from 1
  std::uint32_t line = 1;        // number of the line; 0: none
  std::uint32_t caller = 0;      // row of the inlined call, from 1; 0: not inlined
  std::uint32_t name = no_name;  // inlined function's name: offset in .debug_str
};

struct LineFile {
  std::uint64_t folder = 0;  // number from 1; 0: the compiler's working folder
  std::string name;
};

struct LineUnit;

/// The rows of one piece of code, sorted by address.
struct LineSequence {
  const LineUnit* unit = nullptr;
  std::uint32_t section = 0;
  std::uint64_t end = 0;  // end of its code, offset in the section in bytes
  std::vector<LineRow> rows;

  /// The last row with this address is valid; earlier ones are only referred to as callers.
  const LineRow* row_at(std::uint64_t offset) const {
    const auto after = std::ranges::upper_bound(rows, offset, {}, &LineRow::address);
    return after == rows.begin() ? nullptr : &*std::prev(after);
  }
};

/// The lines from one compiled source.
struct LineUnit {
  std::vector<std::string> folders;
  std::vector<LineFile> files;
  std::vector<LineSequence> sequences;
  std::string problem;  // reason why all or part of it was skipped; else empty

  /// The path as the compiler wrote it; empty for an unknown number.
  std::string path(std::uint32_t file) const {
    if (file == 0 || file > files.size()) return {};
    const LineFile& found = files[file - 1];
    if (found.name.starts_with('/') || found.folder == 0 || found.folder > folders.size())
      return found.name;
    return folders[found.folder - 1] + '/' + found.name;
  }
};

// Opcodes of DWARF, section 6.2.5, and NVIDIA's. Others are skipped.
enum Standard : std::uint8_t {
  extended = 0,
  copy = 1,
  advance_pc = 2,
  advance_line = 3,
  set_file = 4,
  const_add_pc = 8,
  fixed_advance_pc = 9
};
enum Extended : std::uint8_t {
  end_sequence = 1,
  set_address = 2,
  define_file = 3,
  inlined_call = 0x90,
  set_function_name = 0x91
};

struct Header {
  std::uint8_t instruction_bytes = 1;
  std::int8_t line_base = 0;
  std::uint8_t line_range = 0;
  std::uint8_t opcode_base = 1;
  std::array<std::uint8_t, 256> operands{};  // operands of each standard opcode
};

LineFile read_file(ByteReader& from) {
  LineFile file;
  file.name = from.text();
  file.folder = from.unsigned_leb();
  from.unsigned_leb();  // the file's modification time
  from.unsigned_leb();  // the file's size
  return file;
}

Header read_header(ByteReader& from, int version, LineUnit& unit) {
  Header header;
  header.instruction_bytes = from.read<std::uint8_t>();
  if (version >= 4 && from.read<std::uint8_t>() != 1)
    unit.problem = "its lines are of a machine with instructions in bundles";
  from.take(1);  // default of is_stmt
  header.line_base = static_cast<std::int8_t>(from.read<std::uint8_t>());
  header.line_range = from.read<std::uint8_t>();
  header.opcode_base = from.read<std::uint8_t>();
  if (header.line_range == 0 || header.opcode_base == 0)
    from.refuse("a line table whose opcodes have no meaning");
  for (int opcode = 1; opcode < header.opcode_base; ++opcode)
    header.operands[opcode] = from.read<std::uint8_t>();
  for (std::string_view folder = from.text(); !folder.empty(); folder = from.text())
    unit.folders.emplace_back(folder);
  for (ByteReader next = from; !next.text().empty(); next = from)
    unit.files.push_back(read_file(from));
  return header;
}

/// The state machine that executes a line table.
class LineProgram {
 public:
  LineProgram(const Header& header, const Relocations& relocations, std::size_t rows_left,
              LineUnit& unit)
      : header_(header), relocations_(relocations), rows_left_(rows_left), unit_(unit) {}

  void run(ByteReader from) {
    while (!from.at_end()) step(from);
    if (!sequence_.rows.empty()) from.refuse("a line table that stops within a function");
  }

 private:
  void step(ByteReader& from) {
    const auto opcode = from.read<std::uint8_t>();
    if (opcode >= header_.opcode_base) {
      const int special = opcode - header_.opcode_base;
      advance(special / header_.line_range);
      line_ += static_cast<std::uint64_t>(header_.line_base + special % header_.line_range);
      append(from);
    } else if (opcode == extended) {
      ByteReader operands = from;
      const std::uint64_t length = operands.unsigned_leb();
      operands = from.part(operands.place(), std::min(length, operands.left()), "an opcode");
      from.take(operands.place() - from.place());
      from.take(length);
      if (!operands.at_end()) step_extended(operands);
    } else {
      step_standard(opcode, from);
    }
  }

  void step_standard(std::uint8_t opcode, ByteReader& from) {
    switch (opcode) {
      case copy:
        return append(from);
      case advance_pc:
        return advance(from.unsigned_leb());
      case advance_line:
        line_ += static_cast<std::uint64_t>(from.signed_leb());
        return;
      case set_file:
        row_.file = narrow(from.unsigned_leb());
        return;
      case const_add_pc:
        return advance((255u - header_.opcode_base) / header_.line_range);
      case fixed_advance_pc:
        row_.address += from.read<std::uint16_t>();
        return;
      default:  // opcodes about columns, prologues and the like
        for (int i = 0; i < header_.operands[opcode]; ++i) from.unsigned_leb();
    }
  }

  void step_extended(ByteReader& from) {
    switch (from.read<std::uint8_t>()) {
      case end_sequence:
        return finish(from);
      case set_address:
        return move(from);
      case define_file:
        unit_.files.push_back(read_file(from));
        return;
      case inlined_call:
        row_.caller = narrow(from.unsigned_leb());
        row_.name = narrow(from.unsigned_leb());
        return;
      case set_function_name:
        row_.name = narrow(from.unsigned_leb());
        return;
      default:
        return;  // unknown vendor opcode, skipped by its length
    }
  }

  void move(ByteReader& from) {
    const auto found = relocations_.find(from.place());
    const std::uint32_t section = found == relocations_.end() ? 0 : found->second.section;
    if (!sequence_.rows.empty() && section != sequence_.section)
      from.refuse("lines that run from one function into another");
    sequence_.section = section;
    if (found != relocations_.end()) row_.address = found->second.offset;
  }

  void append(const ByteReader& from) {
    if (line_ > std::numeric_limits<std::int32_t>::max()) from.refuse("a line of an absurd number");
    if (!sequence_.rows.empty() && row_.address < sequence_.rows.back().address)
      from.refuse("lines that are not in the order of the code");
    if (rows_left_-- == 0) from.refuse("more lines than a cubin can have");
    row_.line = static_cast<std::uint32_t>(line_);
    sequence_.rows.push_back(row_);
  }

  void finish(const ByteReader& from) {
    if (!sequence_.rows.empty() && row_.address < sequence_.rows.back().address)
      from.refuse("lines that end before they begin");
    sequence_.end = row_.address;
    if (sequence_.section == 0)
      unit_.problem = "no relocation tells which function its lines belong to";
    else if (!sequence_.rows.empty())
      unit_.sequences.push_back(std::move(sequence_));
    sequence_ = {};
    row_ = {};
    line_ = 1;
  }

  /// Overflow wraps around; the order of rows is checked later.
  void advance(std::uint64_t instructions) {
    row_.address += instructions * header_.instruction_bytes;
  }

  static std::uint32_t narrow(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, LineRow::no_name));
  }

  const Header& header_;
  const Relocations& relocations_;
  std::size_t rows_left_;
  LineUnit& unit_;
  LineSequence sequence_;
  LineRow row_;
  std::uint64_t line_ = 1;
};

LineUnit read_unit(ByteReader from, const Relocations& relocations, std::size_t rows_left) {
  LineUnit unit;
  const int version = from.read<std::uint16_t>();
  if (version < 2 || version > 4) {
    unit.problem = fmt::format("its lines are of DWARF version {}, not 2 to 4", version);
    return unit;
  }
  const std::uint64_t header_bytes = from.read<std::uint32_t>();
  const std::uint64_t header_begin = from.place();
  if (header_bytes > from.left()) from.refuse("a line table that is larger than its section");
  // nvcc 13.0 pads the file tables, so the program begins at the offset in the header.
  ByteReader tables = from.part(header_begin, header_bytes, "a line table's header");
  const Header header = read_header(tables, version, unit);
  if (!unit.problem.empty()) return unit;
  from.take(header_bytes);
  LineProgram(header, relocations, rows_left, unit).run(from);
  return unit;
}

/// Reads the units of .debug_line. Relocations assign each sequence to a section.
std::vector<LineUnit> read_line_units(ByteReader section, const Relocations& relocations) {
  std::vector<LineUnit> units;
  std::size_t rows_left = most_rows;
  while (!section.at_end()) {
    const std::uint64_t bytes = section.read<std::uint32_t>();
    if (bytes >= 0xfffffff0)
      section.refuse("a line table of 64-bit DWARF, which nvcc never writes");
    const std::uint64_t begin = section.place();
    section.take(bytes);
    units.push_back(read_unit(section.part(begin, bytes, "a line table"), relocations, rows_left));
    for (const LineSequence& sequence : units.back().sequences) rows_left -= sequence.rows.size();
  }
  return units;
}

struct Subprogram {
  std::string symbol;
  CodePlace begin;
  std::uint64_t end = 0;

  bool holds(const CodePlace& place) const {
    return place.section == begin.section && place.offset >= begin.offset && place.offset < end;
  }
};

/// The entry with the largest key up to `key`, or nullptr.
template <class Value>
const Value* at_or_before(const std::map<CodePlace, Value>& map, const CodePlace& place) {
  const auto after = map.upper_bound(place);
  return after == map.begin() ? nullptr : &std::prev(after)->second;
}

}  // namespace

struct LineTable::Tables {
  std::vector<LineUnit> units;
  std::map<CodePlace, const LineSequence*> sequences;  // sequences of all units
  std::map<std::string, Subprogram, std::less<>> by_symbol;
  std::map<CodePlace, Subprogram> by_place;
  std::string strings;  // content of .debug_str
  std::string problem;

  const LineSequence* sequence_at(const CodePlace& place) const {
    const auto* const found = at_or_before(sequences, place);
    const bool holds =
        found != nullptr && (*found)->section == place.section && place.offset < (*found)->end;
    return holds ? *found : nullptr;
  }

  /// The requested function, or the helper behind its code that contains the place. A kernel's
  /// symbol covers its helpers as well.
  const Subprogram* innermost_at(const std::string& function, std::uint64_t offset,
                                 CodePlace& place) const {
    const auto asked = by_symbol.find(function);
    if (asked == by_symbol.end()) return nullptr;
    const Subprogram& outer = asked->second;
    if (offset >= outer.end - outer.begin.offset) return nullptr;
    place = {outer.begin.section, outer.begin.offset + offset};
    const Subprogram* inner = at_or_before(by_place, place);
    const bool behind =
        inner != nullptr && inner->holds(place) && inner->begin.offset > outer.begin.offset;
    return behind ? inner : &outer;
  }

  /// The name of a helper; empty for other code. A function without a row at its start has no lines
  /// of its own.
  std::string helper(const Subprogram& function, bool own) const {
    if (std::string name = helper_name(function.symbol); !name.empty() || own) return name;
    const LineSequence* sequence = sequence_at(function.begin);
    if (sequence == nullptr) return {};
    const LineRow* row = sequence->row_at(function.begin.offset);
    if (row != nullptr && row->address == function.begin.offset) return {};
    return std::string(without_owner(function.symbol));
  }

  std::string name_at(std::uint32_t offset) const {
    if (offset >= strings.size()) return {};
    const std::string_view rest = std::string_view(strings).substr(offset, ByteReader::longest + 1);
    const std::size_t end = rest.find('\0');
    return end == rest.npos ? std::string() : std::string(rest.substr(0, end));
  }

  /// The frames from the innermost call outwards. The outermost one has no name yet.
  std::vector<Frame> chain(const LineSequence& sequence, const LineRow& innermost) const {
    std::vector<Frame> frames;
    for (const LineRow* row = &innermost;; row = &sequence.rows[row->caller - 1]) {
      const SourcePlace place{sequence.unit->path(row->file), static_cast<int>(row->line)};
      frames.push_back({place, row->caller == 0 ? std::string() : name_at(row->name)});
      if (row->caller == 0) return frames;
      if (row->caller > sequence.rows.size() || frames.size() == most_frames) break;
    }
    frames.resize(1);
    return frames;
  }

  void add_functions(const Cubin& cubin) {
    for (const CodeSymbol& one : cubin.functions()) {
      const Subprogram function{std::string(one.name), one.begin, one.begin.offset + one.size};
      by_symbol.emplace(function.symbol, function);
      by_place.emplace(function.begin, function);
    }
  }

  void add_lines(const Cubin& cubin) {
    const std::optional<ByteReader> section = cubin.section(".debug_line");
    if (!section) {
      problem = "no source lines in it: compile with nvcc -lineinfo";
      return;
    }
    units = read_line_units(*section, cubin.relocations(".debug_line"));
    if (std::optional<ByteReader> names = cubin.section(".debug_str"))
      strings = names->take(names->left());
    bool named = false;  // an earlier unit has names in .debug_str
    for (LineUnit& unit : units) {
      if (!unit.problem.empty()) problem = unit.problem + ": compile with nvcc -lineinfo";
      const bool others_names = named;
      for (LineSequence& sequence : unit.sequences) {
        for (LineRow& row : sequence.rows) {
          named = named || row.caller != 0;
          if (others_names) row.name = LineRow::no_name;
        }
        sequence.unit = &unit;
        sequences.emplace(CodePlace{sequence.section, sequence.rows.front().address}, &sequence);
      }
    }
  }
};

LineTable::LineTable() : LineTable(std::make_shared<const Tables>()) {}
LineTable::LineTable(std::shared_ptr<const Tables> tables) : tables_(std::move(tables)) {}

std::vector<Frame> LineTable::frames(const std::string& function, std::uint64_t offset) const {
  CodePlace place;
  const Subprogram* inner = tables_->innermost_at(function, offset, place);
  if (inner == nullptr) return {};
  const bool own = inner->symbol == function;
  const LineSequence* sequence = tables_->sequence_at(place);
  if (sequence == nullptr || !tables_->helper(*inner, own).empty()) return {};
  const LineRow* row = sequence->row_at(place.offset);
  if (row == nullptr || row->line == 0) return {};
  std::vector<Frame> frames = tables_->chain(*sequence, *row);
  // A broken chain ends in an inlined function, whose name is already set or unknown.
  if (frames.size() > 1 || row->caller == 0)
    frames.back().function = own ? function : std::string(without_owner(inner->symbol));
  return frames;
}

std::string LineTable::helper(const std::string& function, std::uint64_t offset) const {
  CodePlace place;
  const Subprogram* inner = tables_->innermost_at(function, offset, place);
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
