#include "roofline/machine_code/cubin.h"

#include <fmt/format.h>

#include <algorithm>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

// Of the System V ABI, chapters 4 and 5.
constexpr std::uint64_t header_bytes = 64, section_bytes = 64, symbol_bytes = 24;
constexpr std::uint32_t type_symbols = 2, type_rela = 4, type_no_bits = 8, type_rel = 9;
constexpr std::uint64_t flag_compressed = 0x800;
constexpr std::uint16_t machine_cuda = 190, first_reserved_section = 0xff00;
constexpr std::uint8_t symbol_of_function = 2;

// Names may share bytes in a file, but not without bound: 16 times the file are never reached.
constexpr std::uint64_t most_sharing = 16;

void check_kind(std::string_view bytes, std::string_view name) {
  const auto refuse = [&](const char* what) {
    throw InputError(fmt::format("{}: byte 0: {}", visible(name), what));
  };
  if (bytes.starts_with("\x50\xed\x55\xba"))
    refuse("a fatbinary, not a cubin; take the cubins out of it with cuobjdump --extract-elf all");
  if (!bytes.starts_with("\x7f"
                         "ELF"))
    refuse("not a cubin, because it is no ELF file; make one with nvcc -cubin -lineinfo");
  if (bytes.size() < header_bytes) refuse("cut off in its header; copy or make the file again");
  if (bytes[4] != 2 || bytes[5] != 1)
    refuse("not a cubin, because it is no 64-bit little-endian ELF file; compile with nvcc -m64");
}

}  // namespace

Cubin::Cubin(std::string_view bytes, std::string_view name_for_messages)
    : file_(bytes, name_for_messages), section_names_(bytes, name_for_messages) {
  check_kind(bytes, name_for_messages);
  read_sections();
}

void Cubin::read_sections() {
  ByteReader header = file_;
  header.take(18);
  if (header.number<std::uint16_t>() != machine_cuda)
    header.refuse("code of another machine than a GPU of NVIDIA");
  header.take(20);
  const auto begin = header.number<std::uint64_t>();
  header.take(10);
  const std::uint64_t bytes_of_one = header.number<std::uint16_t>();
  const std::uint64_t count = header.number<std::uint16_t>();
  const std::uint32_t names = header.number<std::uint16_t>();
  if (bytes_of_one != section_bytes || names >= count)
    header.refuse("no table of sections that can be read");
  ByteReader table = file_.part(begin, count * section_bytes, "the table of sections");
  sections_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Section one;
    one.name = table.number<std::uint32_t>();
    one.type = table.number<std::uint32_t>();
    one.flags = table.number<std::uint64_t>();
    table.take(8);  // the address: 0 in every cubin
    one.begin = table.number<std::uint64_t>();
    one.size = table.number<std::uint64_t>();
    one.link = table.number<std::uint32_t>();
    one.info = table.number<std::uint32_t>();
    table.take(16);  // alignment, and the size of an entry, which the type tells as well
    sections_.push_back(one);
  }
  section_names_ = content(sections_[names]);
}

ByteReader Cubin::content(const Section& section) const {
  const ByteReader piece =
      file_.part(section.begin, section.type == type_no_bits ? 0 : section.size, "a section");
  if ((section.flags & flag_compressed) != 0)
    piece.refuse("a compressed section, which this program does not read");
  return piece;
}

const Cubin::Section* Cubin::find(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& one) {
    ByteReader text = section_names_;
    // A name that is longer or ends elsewhere is another one.
    if (one.type == type_no_bits || text.left() <= one.name) return false;
    text.take(one.name);
    return text.left() > name.size() && text.take(name.size()) == name && text.take(1)[0] == '\0';
  });
  return found == sections_.end() ? nullptr : &*found;
}

std::optional<ByteReader> Cubin::section(std::string_view name) const {
  const Section* found = find(name);
  if (found == nullptr || found->size == 0) return std::nullopt;
  return content(*found);
}

std::optional<std::uint32_t> Cubin::symbol_table() const {
  for (std::uint32_t i = 0; i < sections_.size(); ++i)
    if (sections_[i].type == type_symbols) return i;
  return std::nullopt;
}

Cubin::Symbol Cubin::read_symbol(ByteReader& from) {
  Symbol symbol;
  symbol.name = from.number<std::uint32_t>();
  symbol.info = from.number<std::uint8_t>();
  from.take(1);
  symbol.place.section = from.number<std::uint16_t>();
  symbol.place.offset = from.number<std::uint64_t>();
  symbol.size = from.number<std::uint64_t>();
  return symbol;
}

std::vector<CodeSymbol> Cubin::functions() const {
  std::vector<CodeSymbol> functions;
  const std::optional<std::uint32_t> table = symbol_table();
  if (!table) return functions;
  ByteReader symbols = content(sections_[*table]);
  if (sections_[*table].link >= sections_.size()) symbols.refuse("symbols without names");
  const ByteReader names = content(sections_[sections_[*table].link]);
  std::uint64_t bytes_of_names = 0;
  while (symbols.left() >= symbol_bytes) {
    const Symbol symbol = read_symbol(symbols);
    if ((symbol.info & 0xf) != symbol_of_function || symbol.place.section == 0 ||
        symbol.place.section >= first_reserved_section)
      continue;
    if (symbol.size > ~std::uint64_t{0} - symbol.place.offset)
      symbols.refuse("a function that is larger than any memory");
    ByteReader name = names;
    name.take(symbol.name);
    functions.push_back({name.text(), symbol.place, symbol.size});
    bytes_of_names += functions.back().name.size();
    if (bytes_of_names / most_sharing > file_.left()) symbols.refuse("names larger than the file");
  }
  return functions;
}

std::map<std::uint64_t, CodePlace> Cubin::relocations(std::string_view name) const {
  std::map<std::uint64_t, CodePlace> relocations;
  const Section* patched = find(name);
  const std::optional<std::uint32_t> table = symbol_table();
  const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& one) {
    return patched != nullptr && (one.type == type_rela || one.type == type_rel) &&
           one.info == static_cast<std::uint32_t>(patched - sections_.data());
  });
  if (found == sections_.end() || !table || found->link != *table) return relocations;
  const bool has_addend = found->type == type_rela;
  const Section& symbols = sections_[*table];
  ByteReader from = content(*found);
  while (from.left() >= (has_addend ? 24u : 16u)) {
    const auto offset = from.number<std::uint64_t>();
    const std::uint64_t symbol = from.number<std::uint64_t>() >> 32;
    if (offset > patched->size || patched->size - offset < sizeof(std::uint64_t))
      from.refuse("a relocation behind the end of its section");
    if (symbol >= symbols.size / symbol_bytes) from.refuse("a relocation to a symbol of none");
    ByteReader entry =
        file_.part(symbols.begin + symbol * symbol_bytes, symbol_bytes, "the symbol table");
    CodePlace target = read_symbol(entry).place;
    // Without an addend of its own it is in the bytes that are patched.
    ByteReader bytes =
        file_.part(patched->begin + offset, sizeof(std::uint64_t), std::string(name));
    target.offset += has_addend ? from.number<std::uint64_t>() : bytes.number<std::uint64_t>();
    relocations.emplace(patched->begin + offset, target);
  }
  return relocations;
}

}  // namespace roofline
