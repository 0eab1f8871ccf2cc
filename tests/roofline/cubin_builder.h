// Small cubins, written byte by byte, valid or damaged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

inline std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value);
  return text;
}

inline std::string uleb(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  return text + static_cast<char>(value);
}

inline std::string sleb(int value) {
  std::string text;
  for (; value < -64 || value > 63; value >>= 7) text += static_cast<char>(value | 0x80);
  return text + static_cast<char>(value & 0x7f);
}

inline std::string zero_ended(std::string_view text) { return std::string(text) + '\0'; }

/// The opcodes of a line table, with nvcc's line_base -5, line_range 14 and opcode_base 10.
namespace line {
inline std::string extended(int opcode, const std::string& operands) {
  return little(0, 1) + uleb(operands.size() + 1) + static_cast<char>(opcode) + operands;
}
inline std::string address(std::uint64_t in_place = 0) { return extended(2, little(in_place, 8)); }
inline std::string end() { return extended(1, ""); }
inline std::string copy() { return "\1"; }
inline std::string advance(std::uint64_t bytes) { return little(2, 1) + uleb(bytes); }
inline std::string lines(int lines) { return little(3, 1) + sleb(lines); }
inline std::string file(std::uint64_t number) { return little(4, 1) + uleb(number); }
inline std::string column(std::uint64_t number) { return little(5, 1) + uleb(number); }
inline std::string const_add() { return "\x8"; }
inline std::string fixed_advance(int bytes) { return little(9, 1) + little(bytes, 2); }
inline std::string special(int bytes, int lines) {
  return std::string(1, static_cast<char>(10 + 14 * bytes + lines + 5));
}
inline std::string call(std::uint64_t caller, std::uint64_t name) {
  return extended(0x90, uleb(caller) + uleb(name));
}
}  // namespace line

/// One unit of .debug_line, with the folders /a (by default) and b and the files /a/one.cu,
/// b/two.h, three.h and /four.h.
struct UnitBuilder {
  int version = 2;
  std::string program;
  int line_range = 14, opcode_base = 10;
  std::string folder = "/a";

  std::string header() const {
    std::string text = little(1, 1);
    if (version >= 4) text += little(1, 1);
    text += little(1, 1) + little(0xfb, 1) + little(line_range, 1) + little(opcode_base, 1);
    if (opcode_base > 0) text += std::string("\0\1\1\1\1\0\0\0\1", 9);
    text += zero_ended(folder) + zero_ended("b") + little(0, 1);
    const std::vector<std::pair<const char*, int>> files = {
        {"one.cu", 1}, {"two.h", 2}, {"three.h", 0}, {"/four.h", 1}};
    for (const auto& [name, folder] : files) text += zero_ended(name) + uleb(folder) + "\1\1";
    // The end of the file list, and padding like nvcc's; executed as opcodes it would count lines.
    return text + little(0, 1) + "\3\x21\3\x21";
  }
  std::string bytes() const {
    const std::string head = header();
    const std::string rest = little(version, 2) + little(head.size(), 4) + head + program;
    return little(rest.size(), 4) + rest;
  }
};

struct CubinBuilder {
  struct Symbol {
    std::string name;
    std::uint64_t value = 0, size = 0;
    int section = 7;
    int kind = 2;  // the default is a function
  };
  struct Relocation {
    std::uint64_t offset = 0;  // the unit's offset in .debug_line
    int symbol = 1;
    std::uint64_t addend = 0;
  };

  std::string lines;  // content of .debug_line
  std::string strings;
  std::vector<Symbol> symbols = {{"kernel", 0, 0x100}};
  std::vector<Relocation> relocations;
  bool addends = true;  // .rela, else .rel

  /// Adds a unit of lines, with addresses relocated to the first symbol.
  CubinBuilder& add(const UnitBuilder& unit) {
    const std::string text = unit.bytes();
    const std::string_view set_address("\0\x9\2", 3);
    for (std::size_t at = text.find(set_address); at != text.npos;
         at = text.find(set_address, at + 1))
      relocations.push_back({lines.size() + at + set_address.size(), 1, 0});
    lines += text;
    return *this;
  }

  std::string bytes() const {
    std::string names(1, '\0'), table(24, '\0'), patches, patched = lines;
    for (const Symbol& one : symbols) {
      table += little(names.size(), 4) + little(one.kind, 2) + little(one.section, 2) +
               little(one.value, 8) + little(one.size, 8);
      names += zero_ended(one.name);
    }
    for (const Relocation& one : relocations) {
      patches += little(one.offset, 8) + little(2, 4) + little(one.symbol, 4);
      if (addends)
        patches += little(one.addend, 8);
      else
        patched.replace(one.offset, 8, little(one.addend, 8));
    }
    std::string section_names(1, '\0'), file(64, '\0'), headers(64, '\0');
    const auto section = [&](const char* name, int type, const std::string& content, int link,
                             int info) {
      headers += little(section_names.size(), 4) + little(type, 4) + little(0, 16) +
                 little(file.size(), 8) + little(content.size(), 8) + little(link, 4) +
                 little(info, 4) + little(0, 16);
      section_names += zero_ended(name);
      file += content;
    };
    section(".symtab", 2, table, 2, 0);
    section(".strtab", 3, names, 0, 0);
    section(".debug_line.other", 1, "no lines", 0, 0);
    section(lines.empty() ? ".debug_lines" : ".debug_line", 1, patched, 0, 0);
    section(".debug_str", 1, strings, 0, 0);
    section(addends ? ".rela.debug_line" : ".rel.debug_line", addends ? 4 : 9, patches, 1, 4);
    section(".text.kernel", 1, std::string(16, 'k'), 0, 0);
    section_names += zero_ended(".shstrtab");
    headers += little(section_names.size() - 10, 4) + little(3, 4) + little(0, 16) +
               little(file.size(), 8) + little(section_names.size(), 8) + little(0, 24);
    file += section_names;
    std::string start =
        "\x7f"
        "ELF";
    start += std::string("\2\1\1\x41\x8", 5) + little(0, 7) + little(2, 2) + little(190, 2) +
             little(1, 4) + little(0, 16) + little(file.size(), 8) + little(0, 4) + little(64, 2) +
             little(0, 4) + little(64, 2) + little(9, 2) + little(8, 2);
    return start + file.substr(64) + headers;
  }
};

}  // namespace roofline
