#include "roofline/machine_code/cubin.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "roofline/base/text.h"

namespace roofline {
namespace {

static_assert(std::endian::native == std::endian::little);

/// NVIDIA sets this bit of st_other for a kernel.
constexpr unsigned char entry = 0x10;

/// Reads the header, after refusing what is no cubin.
Elf64_Ehdr header_of(CubinBytes file) {
  if (file.rest().starts_with("\x50\xed\x55\xba"))
    file.refuse("a fatbinary, not a cubin: take its cubins out with cuobjdump --extract-elf all");
  constexpr std::string_view beginning = ELFMAG "\2\1";  // of 64-bit little-endian files
  const bool is_elf = file.rest().starts_with(beginning);
  const auto header = is_elf ? file.read<Elf64_Ehdr>() : Elf64_Ehdr{};
  if (header.e_machine != EM_CUDA)
    file.refuse("not a cubin, because it is no 64-bit little-endian ELF file for GPUs of NVIDIA");
  if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum)
    file.refuse("no table of sections that can be read");
  return header;
}

CubinBytes content(const CubinBytes& file, const Elf64_Shdr& section) {
  return file.part(section.sh_offset, section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
}

/// The name at that place in a section of names.
std::string_view name_at(const CubinBytes& file, const std::vector<Elf64_Shdr>& sections,
                         std::uint64_t section, std::uint64_t at) {
  if (section >= sections.size()) file.refuse("symbols without names");
  CubinBytes names = content(file, sections[section]);
  names.take(at);
  return names.text();
}

/// The relocations of one section of `patched`. nvcc 13.0 writes them with addends for sm_90 and
/// later; before, an addend is in the patched bytes.
void add_relocations(const CubinBytes& file, const Elf64_Shdr& section, const Elf64_Shdr& patched,
                     const Elf64_Shdr& symbols, Cubin& cubin) {
  const bool has_addend = section.sh_type == SHT_RELA;
  for (CubinBytes all = content(file, section); !all.at_end();) {
    const auto [offset, info] = all.read<Elf64_Rel>();
    const auto symbol =
        file.part(symbols.sh_offset + ELF64_R_SYM(info) * sizeof(Elf64_Sym), sizeof(Elf64_Sym))
            .read<Elf64_Sym>();
    const std::uint64_t place = patched.sh_offset + offset;
    const auto addend = has_addend ? all.read<std::uint64_t>()
                                   : file.part(place, sizeof(place)).read<std::uint64_t>();
    cubin.relocations[place] = {symbol.st_shndx, symbol.st_value + addend};
  }
}

}  // namespace

void CubinBytes::refuse(std::string_view what) const {
  throw InputError(fmt::format(
      "{}: byte {}: {}; make the file anew with nvcc -cubin -lineinfo, or copy it again",
      visible(name_), at_, what));
}

CubinBytes CubinBytes::part(std::uint64_t begin, std::uint64_t size) const {
  if (begin > all_.size() || size > all_.size() - begin)
    refuse(fmt::format("cut off: {} bytes should be from byte {} on", size, begin));
  CubinBytes some = *this;
  some.at_ = begin;
  some.end_ = begin + size;
  return some;
}

std::string_view CubinBytes::take(std::uint64_t bytes) {
  if (bytes > end_ - at_) refuse(fmt::format("cut off: {} bytes should follow", bytes));
  at_ += bytes;
  return all_.substr(at_ - bytes, bytes);
}

CubinBytes CubinBytes::next(std::uint64_t bytes) {
  const std::size_t begin = at_;
  take(bytes);
  return part(begin, bytes);
}

std::uint64_t CubinBytes::number(bool has_sign) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = read<std::uint8_t>();
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    const bool negative = has_sign && (byte & 0x40) != 0 && shift + 7 < 64;
    return negative ? value | ~std::uint64_t{0} << (shift + 7) : value;
  }
  refuse("a number of more than 64 bits");
}

std::string_view CubinBytes::text() {
  constexpr std::size_t longest = 1 << 16;
  const std::size_t end = rest().substr(0, longest).find('\0');
  if (end == std::string_view::npos) refuse("a text without an end");
  return take(end + 1).substr(0, end);
}

Cubin read_cubin(std::string_view bytes, std::string_view name_for_messages) {
  const CubinBytes file(bytes, name_for_messages);
  const Elf64_Ehdr header = header_of(file);
  std::vector<Elf64_Shdr> sections;
  for (CubinBytes all = file.part(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr));
       !all.at_end();)
    sections.push_back(all.read<Elf64_Shdr>());
  std::map<std::string, CubinBytes, std::less<>> contents;
  for (const Elf64_Shdr& one : sections)
    contents.emplace(name_at(file, sections, header.e_shstrndx, one.sh_name), content(file, one));
  const auto called = [&](std::string_view name) {
    const auto found = contents.find(name);
    return found == contents.end() ? file.part(0, 0) : found->second;
  };
  // nvcc 13.0 stores the architecture in another byte of the flags than earlier versions.
  const bool later = header.e_ident[EI_ABIVERSION] >= 8;
  Cubin cubin{(later ? header.e_flags >> 8 : header.e_flags) & 0xff,
              {},
              called(".debug_line"),
              called(".debug_str"),
              {}};
  for (const Elf64_Shdr& table : sections) {
    const bool patches = table.sh_type == SHT_RELA || table.sh_type == SHT_REL;
    if (patches && std::max<std::uint64_t>(table.sh_info, table.sh_link) < sections.size() &&
        !cubin.lines.at_end() && sections[table.sh_info].sh_offset == cubin.lines.at())
      add_relocations(file, table, sections[table.sh_info], sections[table.sh_link], cubin);
    if (table.sh_type != SHT_SYMTAB) continue;
    for (CubinBytes all = content(file, table); !all.at_end();) {
      const auto symbol = all.read<Elf64_Sym>();
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      const std::string_view name = name_at(file, sections, table.sh_link, symbol.st_name);
      cubin.functions.push_back({name,
                                 {symbol.st_shndx, symbol.st_value},
                                 symbol.st_size,
                                 (symbol.st_other & entry) != 0,
                                 called(".text." + std::string(name)).rest()});
    }
  }
  return cubin;
}

namespace {

/// An instruction that counts as FP16 operations, for a range of architectures; later ones use the
/// number for another instruction.
struct Encoding {
  unsigned operation;  ///< lowest nine bits; the three above select a constant operand
  unsigned first, last;
  bool fused;
};

// These undocumented codes are the ones that nvcc 13.0 writes for sm_75 to sm_120.
constexpr unsigned newest = ~0U;
constexpr Encoding encodings[] = {{0x030, 75, newest, false},  // HADD2
                                  {0x031, 75, newest, true},   // HFMA2
                                  {0x032, 75, newest, false},  // HMUL2
                                  {0x035, 80, 99, true}};      // HFMA2.MMA

// HFMA2 loads a constant if its third operand is in the instruction word, both factors are the
// register RZ, the first one is negated (which keeps the constant's sign), and it does not
// saturate, round or select halves.
constexpr std::uint64_t form = 0xe00, third_in_word = 0x400;
constexpr std::uint64_t first_factor = 0xff000000, first_is_zero = 0xff000000;
constexpr std::uint64_t second_and_modifiers = (std::uint64_t{1} << 41) - 1,
                        second_is_zero = 0x1ff;  // above are scheduler bits

}  // namespace

HalfUse half_use(std::uint64_t low, std::uint64_t high, unsigned architecture) {
  const auto known = std::ranges::find_if(encodings, [&](const Encoding& one) {
    return (low & 0x1ff) == one.operation && architecture >= one.first && architecture <= one.last;
  });
  if (known == std::ranges::end(encodings)) return HalfUse::none;
  const bool loads = known->fused && (low & form) == third_in_word &&
                     (low & first_factor) == first_is_zero &&
                     (high & second_and_modifiers) == second_is_zero;
  return loads ? HalfUse::constants : HalfUse::arithmetic;
}

void HalfPrecision::read(const Cubin& cubin) {
  HalfUse called = HalfUse::none;
  const auto use_in = [&cubin](std::string_view code) {
    constexpr std::size_t instruction = 2 * sizeof(std::uint64_t);
    HalfUse use = HalfUse::none;
    for (; code.size() >= instruction; code.remove_prefix(instruction)) {
      std::uint64_t halves[2];
      std::memcpy(halves, code.data(), instruction);
      use = std::max(use, half_use(halves[0], halves[1], cubin.architecture));
    }
    return use;
  };
  for (const CodeFunction& function : cubin.functions)
    if (!function.kernel) called = std::max(called, use_in(function.code));
  for (const CodeFunction& function : cubin.functions) {
    if (!function.kernel) continue;
    HalfUse& known = kernels_[demangled(std::string(function.name))];
    known = std::max({known, called, use_in(function.code)});
  }
}

std::optional<double> HalfPrecision::constants(const std::vector<std::string>& kernels,
                                               double fused) const {
  if (fused == 0) return 0;
  const bool load = std::ranges::all_of(kernels, [this](const std::string& name) {
    const auto known = kernels_.find(name);
    return known != kernels_.end() && known->second != HalfUse::arithmetic;
  });
  return load && !kernels.empty() ? std::optional(fused) : std::nullopt;
}

}  // namespace roofline
