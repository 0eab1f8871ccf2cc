#include "roofline/machine_code/line_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/machine_code/cubin.h"

// The format is DWARF, versions 2 (1993), 3 (2005) and 4 (2010), section 6.2; nvcc 13.0 writes
// version 2. NVIDIA adds an extended opcode for inlined calls, which elfutils 0.186 (2021) calls
// DW_LNE_NVIDIA_inlined_call. It corresponds to PTX's `.loc ... function_name ..., inlined_at ...`
// (PTX ISA, debugging directives, since version 7.2). As observed with nvcc 13.0, it has two
// unsigned LEB128 numbers: the caller's row, counted from 1 in the same sequence (0: none), and the
// position of the inlined function's name in .debug_str. `nvdisasm -gi` reads the same table, but
// passes over a row whose line is that of the row before: in 0.1 to 3% of the instructions of
// variants/cuda it names another call (12.4 and 13.0).
namespace roofline {
namespace {

constexpr std::size_t most_rows = 1 << 22;  // limit: 64 MiB of code with a row per instruction
constexpr std::size_t most_places = 256;    // a longer chain of inlined calls must be a cycle
constexpr std::uint64_t no_name = ~std::uint64_t{0};

/// A row assigns the instructions from its address up to the next row's to a line.
struct Row {
  std::uint64_t address = 0;  // offset in the section, bytes
  std::uint64_t file = 1;     // number of the file, from 1
  std::int64_t line = 1;      // number of the line; 0: none
  std::uint64_t caller = 0;   // row of the inlined call, from 1; 0: not inlined
  std::uint64_t name = no_name;
};

/// The rows of one piece of code, sorted by address.
struct Sequence {
  std::shared_ptr<const std::vector<std::string>> files;
  std::uint64_t end = 0;  // offset in the section
  std::vector<Row> rows;
};

/// Executes the line tables of a cubin, one of each compiled source.
class LineProgram {
 public:
  LineProgram(const Cubin& cubin, std::map<CodePlace, Sequence>& sequences)
      : cubin_(cubin), sequences_(sequences) {}

  void run(CubinBytes unit) {
    row_ = {};
    const int version = unit.read<std::uint16_t>();
    if (version < 2 || version > 4)
      unit.refuse(fmt::format("its lines are of DWARF version {}, not 2 to 4", version));
    // nvcc 13.0 pads the file tables, so the program begins at the offset in the header.
    read_header(unit.next(unit.read<std::uint32_t>()), version);
    const bool others_names = named_;
    while (!unit.at_end()) {
      step(unit);
      named_ = named_ || row_.caller != 0;
      if (others_names) row_.name = no_name;
    }
    if (!sequence_.rows.empty()) unit.refuse("its lines stop within a function");
  }

 private:
  void read_header(CubinBytes header, int version) {
    instruction_bytes_ = header.read<std::uint8_t>();
    header.take(version >= 4 ? 2 : 1);  // instructions in a bundle, default of is_stmt
    line_base_ = header.read<std::int8_t>();
    line_range_ = header.read<std::uint8_t>();
    opcode_base_ = header.read<std::uint8_t>();
    if (line_range_ == 0 || opcode_base_ == 0) header.refuse("its opcodes have no meaning");
    for (int opcode = 1; opcode < opcode_base_; ++opcode)
      operands_[static_cast<std::size_t>(opcode)] = header.read<std::uint8_t>();
    std::vector<std::string> folders = {""}, files = {""};
    for (auto folder = header.text(); !folder.empty(); folder = header.text())
      folders.push_back(std::string(folder) + '/');
    for (auto name = header.text(); !name.empty(); name = header.text()) {
      const std::uint64_t folder = header.number();
      header.number();  // the file's modification time
      header.number();  // the file's size
      const bool is_whole = name.starts_with('/') || folder >= folders.size();
      files.push_back((is_whole ? "" : folders[folder]) + std::string(name));
    }
    sequence_.files = std::make_shared<const std::vector<std::string>>(std::move(files));
  }

  void step(CubinBytes& from) {
    const int opcode = from.read<std::uint8_t>();
    if (opcode >= opcode_base_) {
      const int special = opcode - opcode_base_;
      advance(static_cast<std::uint64_t>(special / line_range_));
      move_line(line_base_ + special % line_range_);
      return append(from);
    }
    switch (opcode) {
      case 0:
        if (CubinBytes operands = from.next(from.number()); !operands.at_end())
          step_extended(operands);
        return;
      case 1:  // copy
        return append(from);
      case 2:  // advance_pc
        return advance(from.number());
      case 3:  // advance_line
        return move_line(static_cast<std::int64_t>(from.number(true)));
      case 4:  // set_file
        row_.file = from.number();
        return;
      case 8:  // const_add_pc
        return advance(static_cast<std::uint64_t>((255 - opcode_base_) / line_range_));
      case 9:  // fixed_advance_pc
        row_.address += from.read<std::uint16_t>();
        return;
      default:  // opcodes about columns, prologues and the like
        for (int i = 0; i < operands_[static_cast<std::size_t>(opcode)]; ++i) from.number();
    }
  }

  void step_extended(CubinBytes& from) {
    const int opcode = from.read<std::uint8_t>();
    if (opcode == 1) {  // end_sequence
      check_order(from);
      sequence_.end = row_.address;
      if (!sequence_.rows.empty())
        sequences_.emplace(CodePlace{section_, sequence_.rows.front().address}, sequence_);
      sequence_.rows.clear();
      row_ = {};
    } else if (opcode == 2) {  // set_address
      const auto found = cubin_.relocations.find(from.at());
      const CodePlace place = found == cubin_.relocations.end() ? CodePlace() : found->second;
      if (!sequence_.rows.empty() && place.section != section_)
        from.refuse("its lines run from one function into another");
      section_ = place.section;
      row_.address = place.offset;
    } else if (opcode == 0x90) {  // inlined_call of NVIDIA
      row_.caller = from.number();
      row_.name = from.number();
    }
  }

  void append(const CubinBytes& from) {
    check_order(from);
    if (row_.line < 0 || row_.line > std::numeric_limits<std::int32_t>::max())
      from.refuse("a line of an absurd number");
    if (rows_left_-- == 0) from.refuse("more lines than a cubin can have");
    sequence_.rows.push_back(row_);
  }

  void check_order(const CubinBytes& from) const {
    if (!sequence_.rows.empty() && row_.address < sequence_.rows.back().address)
      from.refuse("lines that are not in the order of the code");
  }

  /// Overflow wraps around; the order of rows is checked later.
  void advance(std::uint64_t instructions) { row_.address += instructions * instruction_bytes_; }
  void move_line(std::int64_t lines) {
    row_.line = static_cast<std::int64_t>(static_cast<std::uint64_t>(row_.line) +
                                          static_cast<std::uint64_t>(lines));
  }

  const Cubin& cubin_;
  std::map<CodePlace, Sequence>& sequences_;
  std::size_t rows_left_ = most_rows;
  bool named_ = false;  // a source before has names
  std::uint64_t instruction_bytes_ = 1;
  int line_base_ = 0, line_range_ = 1, opcode_base_ = 1;
  std::array<std::uint8_t, 256> operands_{};  // operands of each standard opcode
  std::uint32_t section_ = 0;
  Sequence sequence_;
  Row row_;
};

/// A function's symbol in the source. The compiler adds a prefix with the owner to a function's
/// copy behind a kernel: "$_Z6secondPdd$_Z4awaydd" is "_Z4awaydd",
/// "$__internal_0_$__cuda_sm20_rem_s64" is "__cuda_sm20_rem_s64".
std::string_view without_owner(std::string_view symbol) {
  const std::size_t end = symbol.starts_with('$') ? symbol.find('$', 1) : symbol.npos;
  return end == symbol.npos ? symbol : symbol.substr(end + 1);
}

}  // namespace

struct LineTable::Tables {
  std::string bytes, problem;
  Cubin cubin;  ///< of these bytes
  std::map<CodePlace, Sequence> sequences;

  Tables(std::string_view of, std::string_view name) : bytes(of), cubin(read_cubin(bytes, name)) {}

  /// The last row with this address is valid; earlier ones are only referred to as callers.
  std::pair<const Sequence*, const Row*> row_at(const CodePlace& place) const {
    const auto next = sequences.upper_bound(place);
    if (next == sequences.begin()) return {};
    const auto& [begin, sequence] = *std::prev(next);
    if (begin.section != place.section || place.offset >= sequence.end) return {};
    const auto after = std::ranges::upper_bound(sequence.rows, place.offset, {}, &Row::address);
    return {&sequence, &*std::prev(after)};
  }

  /// The function that has a place of another one: itself, or one behind its code, which a kernel's
  /// symbol covers as well.
  const CodeFunction& innermost(const CodeFunction& of, const CodePlace& place) const {
    const CodeFunction* inner = &of;
    for (const CodeFunction& one : cubin.functions)
      if (one.begin.section == place.section && one.begin > inner->begin && one.begin <= place &&
          place.offset - one.begin.offset < one.size)
        inner = &one;
    return *inner;
  }
};

LineTable::LineTable(std::string_view bytes, std::string_view name_for_messages) {
  auto tables = std::make_shared<Tables>(bytes, name_for_messages);
  CubinBytes units = tables->cubin.lines;
  if (units.at_end()) tables->problem = "no source lines in it: compile with nvcc -lineinfo";
  LineProgram program(tables->cubin, tables->sequences);
  while (!units.at_end()) program.run(units.next(units.read<std::uint32_t>()));
  tables_ = std::move(tables);
}

CodeOrigin LineTable::origin(const std::string& function, std::uint64_t offset) const {
  CodeOrigin origin{function, {}};
  const auto& functions = tables_->cubin.functions;
  const auto asked = std::ranges::find(functions, function, &CodeFunction::name);
  if (asked == functions.end() || offset >= asked->size) return origin;
  const CodePlace place{asked->begin.section, asked->begin.offset + offset};
  const CodeFunction& inner = tables_->innermost(*asked, place);
  const std::string_view symbol = without_owner(inner.name);
  if (std::string helper = helper_name(symbol); !helper.empty()) return {helper, {}};
  if (&inner != &*asked) {
    origin.function = symbol;
    // A function without a row at its start has no lines of its own.
    const Row* const first = tables_->row_at(inner.begin).second;
    if (first == nullptr || first->address != inner.begin.offset) return origin;
  }
  const auto [sequence, innermost] = tables_->row_at(place);
  const Row* row = innermost;
  if (row == nullptr || row->line == 0) return origin;
  const std::string_view names = tables_->cubin.strings.rest();
  if (row->caller != 0 && row->name < names.size())
    if (const std::size_t end = names.find('\0', row->name); end != names.npos && end > row->name)
      origin.function = names.substr(row->name, end - row->name);
  const std::vector<std::string>& files = *sequence->files;
  while (row != nullptr && origin.places.size() < most_places) {
    const std::string& file = files[row->file < files.size() ? row->file : 0];
    origin.places.push_back({file, static_cast<int>(row->line)});
    if (row->caller == 0) return origin;
    row = row->caller > sequence->rows.size() ? nullptr : &sequence->rows[row->caller - 1];
  }
  origin.places.resize(1);
  return origin;
}

const std::string& LineTable::problem() const { return tables_->problem; }

std::string helper_name(std::string_view symbol) {
  constexpr std::pair<const char*, const char*> operations[] = {
      {"_div_", "division"},
      {"_rem_", "remainder"},
      {"_rcp_", "reciprocal"},
      {"_dblrcp_", "reciprocal"},
      {"_sqrt_", "square root"},
      {"_dsqrt_", "square root"},
      {"_rsqrt_", "reciprocal square root"},
      {"_drsqrt_", "reciprocal square root"},
      {"_pow_", "power"},
      {"_trig_", "argument reduction"}};
  const std::string name(without_owner(symbol));
  if (!name.starts_with("__cuda_") && !name.starts_with("__internal_")) return {};
  for (const auto& [word, operation] : operations)
    if ((name + "_").find(word) != name.npos) return operation;
  return name;
}

}  // namespace roofline
