#include "roofline/machine_code/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

// Names in a file may share bytes. This limits their total size to 16 times the file.
constexpr std::uint64_t most_sharing = 16;

void check_kind(std::string_view bytes, std::string_view name) {
  const auto refuse = [&](const char* what) {
    throw InputError(fmt::format("{}: byte 0: {}", visible(name), what));
  };
  if (bytes.starts_with("\x50\xed\x55\xba"))
    refuse("a fatbinary, not a cubin; take the cubins out of it with cuobjdump --extract-elf all");
  if (!bytes.starts_with(ELFMAG))
    refuse("not a cubin, because it is no ELF file; make one with nvcc -cubin -lineinfo");
  if (bytes.size() < sizeof(Elf64_Ehdr))
    refuse("cut off in its header; copy or make the file again");
  if (bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB)
    refuse("not a cubin, because it is no 64-bit little-endian ELF file; compile with nvcc -m64");
}

/// nvcc 13.0 stores the architecture in another byte of the flags than earlier versions; the ABI
/// version tells them apart.
unsigned architecture_of(const Elf64_Ehdr& header) {
  constexpr unsigned char later_abi = 8;
  return header.e_ident[EI_ABIVERSION] >= later_abi ? header.e_flags >> 8 & 0xff
                                                    : header.e_flags & 0xff;
}

/// NVIDIA sets this bit of st_other for a kernel.
constexpr unsigned char entry = 0x10;

CodePlace place_of(const Elf64_Sym& symbol) { return {symbol.st_shndx, symbol.st_value}; }

}  // namespace

void ByteReader::refuse(const std::string& what) const {
  throw InputError(fmt::format(
      "{}: byte {}: {}; make the file anew with nvcc -cubin -lineinfo, or copy it again",
      visible(name_), at_, what));
}

ByteReader ByteReader::part(std::uint64_t begin, std::uint64_t size,
                            const std::string& what) const {
  if (begin > file_.size() || size > file_.size() - begin)
    refuse(fmt::format("{} would lie at byte {} with {} bytes, but the file ends at byte {}", what,
                       begin, size, file_.size()));
  ByteReader piece = *this;
  piece.at_ = begin;
  piece.end_ = begin + size;
  return piece;
}

std::string_view ByteReader::take(std::uint64_t bytes) {
  if (bytes > left()) refuse(fmt::format("{} bytes wanted, but {} are left here", bytes, left()));
  const std::string_view taken = file_.substr(at_, bytes);
  at_ += bytes;
  return taken;
}

std::uint64_t ByteReader::leb(bool has_sign) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = read<std::uint8_t>();
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    // The last byte's highest bit is the sign.
    if (has_sign && (byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
    return value;
  }
  refuse("a number of more than 64 bits");
}

std::string_view ByteReader::text() {
  const std::string_view rest = file_.substr(at_, left()).substr(0, longest + 1);
  const std::size_t length = rest.find('\0');
  if (length == rest.npos)
    refuse(rest.size() > longest ? fmt::format("a text of more than {} bytes", longest)
                                 : "a text without an end");
  at_ += length + 1;
  return rest.substr(0, length);
}

Cubin::Cubin(std::string_view bytes, std::string_view name_for_messages)
    : file_(bytes, name_for_messages), section_names_(bytes, name_for_messages) {
  check_kind(bytes, name_for_messages);
  ByteReader from = file_;
  const auto header = from.read<Elf64_Ehdr>();
  if (header.e_machine != EM_CUDA) from.refuse("code of another machine than a GPU of NVIDIA");
  architecture_ = architecture_of(header);
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum)
    from.refuse("no table of sections that can be read");
  ByteReader table =
      file_.part(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr), "the table of sections");
  while (!table.at_end()) sections_.push_back(table.read<Elf64_Shdr>());
  section_names_ = content(sections_[header.e_shstrndx]);
}

ByteReader Cubin::content(const Elf64_Shdr& section) const {
  const ByteReader piece = file_.part(
      section.sh_offset, section.sh_type == SHT_NOBITS ? 0 : section.sh_size, "a section");
  if ((section.sh_flags & SHF_COMPRESSED) != 0)
    piece.refuse("a compressed section, which this program does not read");
  return piece;
}

const Elf64_Shdr* Cubin::find(std::string_view name) const {
  const auto found = std::ranges::find_if(sections_, [&](const Elf64_Shdr& one) {
    ByteReader text = section_names_;
    // A longer or differently ended name is another one.
    if (one.sh_type == SHT_NOBITS || text.left() <= one.sh_name) return false;
    text.take(one.sh_name);
    return text.left() > name.size() && text.take(name.size()) == name && text.take(1)[0] == '\0';
  });
  return found == sections_.end() ? nullptr : &*found;
}

std::optional<ByteReader> Cubin::section(std::string_view name) const {
  const Elf64_Shdr* found = find(name);
  if (found == nullptr || found->sh_size == 0) return std::nullopt;
  return content(*found);
}

const Elf64_Shdr* Cubin::symbol_table() const {
  const auto found =
      std::ranges::find_if(sections_, [](const auto& one) { return one.sh_type == SHT_SYMTAB; });
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<CodeSymbol> Cubin::functions() const {
  std::vector<CodeSymbol> functions;
  const Elf64_Shdr* table = symbol_table();
  if (table == nullptr) return functions;
  ByteReader symbols = content(*table);
  if (table->sh_link >= sections_.size()) symbols.refuse("symbols without names");
  const ByteReader names = content(sections_[table->sh_link]);
  std::uint64_t bytes_of_names = 0;
  while (symbols.left() >= sizeof(Elf64_Sym)) {
    const auto symbol = symbols.read<Elf64_Sym>();
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
        symbol.st_shndx >= SHN_LORESERVE)
      continue;
    if (symbol.st_size > ~std::uint64_t{0} - symbol.st_value)
      symbols.refuse("a function that is larger than any memory");
    ByteReader name = names;
    name.take(symbol.st_name);
    functions.push_back(
        {name.text(), place_of(symbol), symbol.st_size, (symbol.st_other & entry) != 0});
    bytes_of_names += functions.back().name.size();
    if (bytes_of_names / most_sharing > file_.left()) symbols.refuse("names larger than the file");
  }
  return functions;
}

std::map<std::uint64_t, CodePlace> Cubin::relocations(std::string_view name) const {
  std::map<std::uint64_t, CodePlace> relocations;
  const Elf64_Shdr* patched = find(name);
  const Elf64_Shdr* symbols = symbol_table();
  const auto found = std::ranges::find_if(sections_, [&](const Elf64_Shdr& one) {
    return patched != nullptr && (one.sh_type == SHT_RELA || one.sh_type == SHT_REL) &&
           one.sh_info == static_cast<std::uint32_t>(patched - sections_.data());
  });
  if (found == sections_.end() || symbols == nullptr ||
      found->sh_link != static_cast<std::uint32_t>(symbols - sections_.data()))
    return relocations;
  const bool has_addend = found->sh_type == SHT_RELA;
  ByteReader from = content(*found);
  while (from.left() >= (has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel))) {
    const auto [offset, info] = from.read<Elf64_Rel>();
    const std::uint64_t symbol = ELF64_R_SYM(info);
    if (offset > patched->sh_size || patched->sh_size - offset < sizeof(std::uint64_t))
      from.refuse("a relocation behind the end of its section");
    if (symbol >= symbols->sh_size / sizeof(Elf64_Sym))
      from.refuse("a relocation to a symbol that the file does not have");
    ByteReader entry = file_.part(symbols->sh_offset + symbol * sizeof(Elf64_Sym),
                                  sizeof(Elf64_Sym), "the symbol table");
    CodePlace target = place_of(entry.read<Elf64_Sym>());
    // An entry without an addend has it in the patched bytes.
    const std::uint64_t place = patched->sh_offset + offset;
    ByteReader bytes = file_.part(place, sizeof(std::uint64_t), std::string(name));
    target.offset += (has_addend ? from : bytes).read<std::uint64_t>();
    relocations.emplace(place, target);
  }
  return relocations;
}

std::vector<std::string_view> Cubin::launching_kernels() const {
  const std::vector<CodeSymbol> all = functions();
  std::set<std::uint32_t> launch;  // sections
  for (const CodeSymbol& function : all)
    if (function.name.find("cudaCDP2LaunchDevice") != function.name.npos)
      launch.insert(function.begin.section);
  std::vector<std::string_view> kernels, launching;
  bool called = false;
  for (const CodeSymbol& function : all) {
    if (launch.empty() || launch.contains(function.begin.section)) continue;
    const bool launches =
        std::ranges::any_of(relocations(".text." + std::string(function.name)),
                            [&](const auto& one) { return launch.contains(one.second.section); });
    called |= launches && !function.kernel;
    if (function.kernel) kernels.push_back(function.name);
    if (function.kernel && launches) launching.push_back(function.name);
  }
  return called ? kernels : launching;
}

std::string_view without_owner(std::string_view symbol) {
  if (!symbol.starts_with('$')) return symbol;
  const std::size_t end = symbol.find('$', 1);
  return end == symbol.npos ? symbol : symbol.substr(end + 1);
}

std::string helper_name(std::string_view symbol) {
  constexpr std::pair<std::string_view, const char*> operations[] = {
      {"div", "division"},
      {"rem", "remainder"},
      {"rcp", "reciprocal"},
      {"dblrcp", "reciprocal"},
      {"sqrt", "square root"},
      {"dsqrt", "square root"},
      {"rsqrt", "reciprocal square root"},
      {"drsqrt", "reciprocal square root"},
      {"pow", "power"},
      {"trig", "argument reduction"}};
  const std::string_view name = without_owner(symbol);
  if (!name.starts_with("__cuda_") && !name.starts_with("__internal_")) return {};
  for (std::string_view rest = name; !rest.empty();) {
    const std::size_t end = std::min(rest.find('_'), rest.size());
    for (const auto& [word, operation] : operations)
      if (rest.substr(0, end) == word) return operation;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return std::string(name);
}

}  // namespace roofline
