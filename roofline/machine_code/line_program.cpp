#include "roofline/machine_code/line_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace roofline {
namespace {

constexpr std::size_t most_rows = 1 << 22;  // of a cubin: 64 MiB of code with a line for each

// Opcodes of DWARF, section 6.2.5, and NVIDIA's.
enum Standard : std::uint8_t {
  extended = 0,
  copy,
  advance_pc,
  advance_line,
  set_file,
  set_column,
  negate_stmt,
  set_basic_block,
  const_add_pc,
  fixed_advance_pc,
  set_prologue_end,
  set_epilogue_begin,
  set_isa
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
  std::array<std::uint8_t, 256> operands{};  // numbers behind each standard opcode
};

LineFile read_file(ByteReader& from) {
  LineFile file;
  file.name = from.text();
  file.folder = from.unsigned_leb();
  from.unsigned_leb();  // when it was changed
  from.unsigned_leb();  // its size
  return file;
}

Header read_header(ByteReader& from, int version, LineUnit& unit) {
  Header header;
  header.instruction_bytes = from.number<std::uint8_t>();
  if (version >= 4 && from.number<std::uint8_t>() != 1)
    unit.problem = "its lines are of a machine with instructions in bundles";
  from.take(1);  // whether rows begin statements
  header.line_base = static_cast<std::int8_t>(from.number<std::uint8_t>());
  header.line_range = from.number<std::uint8_t>();
  header.opcode_base = from.number<std::uint8_t>();
  if (header.line_range == 0 || header.opcode_base == 0)
    from.refuse("a line table whose opcodes have no meaning");
  for (int opcode = 1; opcode < header.opcode_base; ++opcode)
    header.operands[opcode] = from.number<std::uint8_t>();
  for (std::string_view folder = from.text(); !folder.empty(); folder = from.text())
    unit.folders.emplace_back(folder);
  for (ByteReader next = from; !next.text().empty(); next = from)
    unit.files.push_back(read_file(from));
  return header;
}

/// The machine that a line table is a program for.
class LineProgram {
 public:
  LineProgram(const Header& header, const std::map<std::uint64_t, CodePlace>& relocations,
              std::size_t rows_left, LineUnit& unit)
      : header_(header), relocations_(relocations), rows_left_(rows_left), unit_(unit) {}

  void run(ByteReader from) {
    while (!from.at_end()) step(from);
    if (!sequence_.rows.empty()) from.refuse("a line table that stops within a function");
  }

 private:
  void step(ByteReader& from) {
    const auto opcode = from.number<std::uint8_t>();
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
        row_.address += from.number<std::uint16_t>();
        return;
      default:  // columns, ends of prologues and the like tell nothing of lines
        for (int i = 0; i < header_.operands[opcode]; ++i) from.unsigned_leb();
    }
  }

  void step_extended(ByteReader& from) {
    switch (from.number<std::uint8_t>()) {
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
        return;  // of another maker; its length was told
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

  /// Beyond 64 bits it begins anew, and the order of the rows is checked.
  void advance(std::uint64_t instructions) {
    row_.address += instructions * header_.instruction_bytes;
  }

  static std::uint32_t narrow(std::uint64_t value) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, LineRow::no_name));
  }

  const Header& header_;
  const std::map<std::uint64_t, CodePlace>& relocations_;
  std::size_t rows_left_;
  LineUnit& unit_;
  LineSequence sequence_;
  LineRow row_;
  std::uint64_t line_ = 1;
};

LineUnit read_unit(ByteReader from, const std::map<std::uint64_t, CodePlace>& relocations,
                   std::size_t rows_left) {
  LineUnit unit;
  const int version = from.number<std::uint16_t>();
  if (version < 2 || version > 4) {
    unit.problem = fmt::format("its lines are of DWARF version {}, not 2 to 4", version);
    return unit;
  }
  const std::uint64_t header_bytes = from.number<std::uint32_t>();
  const std::uint64_t header_begin = from.place();
  if (header_bytes > from.left()) from.refuse("a line table that is larger than its section");
  // nvcc 13.0 pads the tables of files: the program begins where the header says.
  ByteReader tables = from.part(header_begin, header_bytes, "a line table's header");
  const Header header = read_header(tables, version, unit);
  if (!unit.problem.empty()) return unit;
  from.take(header_bytes);
  LineProgram(header, relocations, rows_left, unit).run(from);
  return unit;
}

}  // namespace

std::string LineUnit::path(std::uint32_t file) const {
  if (file == 0 || file > files.size()) return {};
  const LineFile& found = files[file - 1];
  if (found.name.starts_with('/') || found.folder == 0 || found.folder > folders.size())
    return found.name;
  return folders[found.folder - 1] + '/' + found.name;
}

bool LineUnit::names_functions() const {
  return std::any_of(sequences.begin(), sequences.end(), [](const LineSequence& sequence) {
    return std::any_of(sequence.rows.begin(), sequence.rows.end(),
                       [](const LineRow& row) { return row.caller != 0; });
  });
}

std::vector<LineUnit> read_line_units(ByteReader section,
                                      const std::map<std::uint64_t, CodePlace>& relocations) {
  std::vector<LineUnit> units;
  std::size_t rows_left = most_rows;
  while (!section.at_end()) {
    const std::uint64_t bytes = section.number<std::uint32_t>();
    if (bytes >= 0xfffffff0)
      section.refuse("a line table of 64-bit DWARF, which nvcc never writes");
    const std::uint64_t begin = section.place();
    section.take(bytes);
    units.push_back(read_unit(section.part(begin, bytes, "a line table"), relocations, rows_left));
    for (const LineSequence& sequence : units.back().sequences) rows_left -= sequence.rows.size();
  }
  return units;
}

}  // namespace roofline
