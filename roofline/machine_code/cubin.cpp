#include "roofline/machine_code/cubin.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t longest_name = 1 << 16;
/// NVIDIA sets this bit of st_other for a kernel.
constexpr unsigned char entry = 0x10;

/// An ELF file of unknown origin, never read beyond its end.
class ElfFile {
 public:
  ElfFile(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {
    if (bytes.starts_with("\x50\xed\x55\xba"))
      refuse(0, "a fatbinary, not a cubin: take its cubins out with cuobjdump --extract-elf all");
    if (!bytes.starts_with(ELFMAG)) refuse(0, "not a cubin, because it is no ELF file");
    header = read<Elf64_Ehdr>(0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
      refuse(0, "not a cubin, because it is no 64-bit little-endian ELF file");
    if (header.e_machine != EM_CUDA) refuse(0, "code of another machine than a GPU of NVIDIA");
    if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum)
      refuse(0, "no table of sections that can be read");
    for (std::uint64_t i = 0; i < header.e_shnum; ++i)
      sections.push_back(read<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)));
  }

  [[noreturn]] void refuse(std::uint64_t at, std::string_view what) const {
    throw InputError(fmt::format(
        "{}: byte {}: {}; make the file anew with nvcc -cubin -lineinfo, or copy it again",
        visible(name_), at, what));
  }

  template <class Value>
  Value read(std::uint64_t begin) const {
    Value value;
    std::memcpy(&value, part(begin, sizeof(Value)).data(), sizeof(Value));
    return value;
  }

  std::string_view content(const Elf64_Shdr& section) const {
    return part(section.sh_offset, section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
  }

  /// The name at that place in a section of names.
  std::string_view name(std::uint64_t section, std::uint64_t at) const {
    if (section >= sections.size()) refuse(0, "symbols without names");
    const std::string_view names = content(sections[section]);
    const std::string_view rest = names.substr(std::min(at, names.size()), longest_name);
    if (rest.find('\0') == rest.npos) refuse(sections[section].sh_offset, "a name without an end");
    return rest.substr(0, rest.find('\0'));
  }

  Elf64_Ehdr header{};
  std::vector<Elf64_Shdr> sections;

 private:
  std::string_view part(std::uint64_t begin, std::uint64_t size) const {
    if (begin > bytes_.size() || size > bytes_.size() - begin)
      refuse(begin, fmt::format("{} bytes would be here, but the file ends at byte {}", size,
                                bytes_.size()));
    return bytes_.substr(begin, size);
  }

  std::string_view bytes_, name_;
};

/// The relocations of one section of `patched`. nvcc 13.0 writes them with addends for sm_90 and
/// later; before, an addend is in the patched bytes.
void add_relocations(const ElfFile& file, const Elf64_Shdr& section, Cubin& cubin) {
  const Elf64_Shdr& patched = file.sections[section.sh_info];
  const std::uint64_t symbols = file.sections[section.sh_link].sh_offset;
  const bool has_addend = section.sh_type == SHT_RELA;
  const std::uint64_t bytes = has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel),
                      count = file.content(section).size() / bytes;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = section.sh_offset + i * bytes;
    const auto [offset, info] = file.read<Elf64_Rel>(at);
    const auto symbol =
        file.read<Elf64_Sym>(symbols + ELF64_R_SYM(info) * std::uint64_t{sizeof(Elf64_Sym)});
    const std::uint64_t addend = has_addend ? at + sizeof(Elf64_Rel) : patched.sh_offset + offset;
    cubin.relocations[offset] = {symbol.st_shndx,
                                 symbol.st_value + file.read<std::uint64_t>(addend)};
  }
}

}  // namespace

Cubin read_cubin(std::string_view bytes, std::string_view name_for_messages) {
  const ElfFile file(bytes, name_for_messages);
  // nvcc 13.0 stores the architecture in another byte of the flags than earlier versions.
  const bool later = file.header.e_ident[EI_ABIVERSION] >= 8;
  Cubin cubin;
  cubin.architecture = (later ? file.header.e_flags >> 8 : file.header.e_flags) & 0xff;
  std::map<std::string_view, std::string_view> contents;
  for (const Elf64_Shdr& one : file.sections)
    contents.try_emplace(file.name(file.header.e_shstrndx, one.sh_name), file.content(one));
  cubin.lines = contents[".debug_line"];
  cubin.strings = contents[".debug_str"];
  for (const Elf64_Shdr& table : file.sections) {
    const bool patches = table.sh_type == SHT_RELA || table.sh_type == SHT_REL;
    if (patches && std::max<std::uint64_t>(table.sh_info, table.sh_link) < file.sections.size() &&
        file.content(file.sections[table.sh_info]).data() == cubin.lines.data())
      add_relocations(file, table, cubin);
    if (table.sh_type != SHT_SYMTAB) continue;
    const std::uint64_t symbols = file.content(table).size() / sizeof(Elf64_Sym);
    for (std::uint64_t i = 0; i < symbols; ++i) {
      const auto symbol = file.read<Elf64_Sym>(table.sh_offset + i * sizeof(Elf64_Sym));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      const std::string_view name = file.name(table.sh_link, symbol.st_name);
      const auto own = contents.find(".text." + std::string(name));
      cubin.functions.push_back({name,
                                 {symbol.st_shndx, symbol.st_value},
                                 symbol.st_size,
                                 (symbol.st_other & entry) != 0,
                                 own == contents.end() ? std::string_view() : own->second});
    }
  }
  return cubin;
}

}  // namespace roofline
