// The fake kernels' machine code: two instructions on lines 2 and 3 of one.cu in the folder
// FAKE_CUDA_SOURCES; kernels called "bare" have no lines, and "parent" launches kernels itself.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace fake {

inline std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, value >>= 8) text += static_cast<char>(value);
  return text;
}

/// Lines in DWARF 2, with nvcc's line_base -5, line_range 14 and opcode_base 10.
inline std::string lines_of_one_file() {
  const char* const folder = std::getenv("FAKE_CUDA_SOURCES");
  const std::string header = std::string("\1\1\xfb\xe\xa\0\1\1\1\1\0\0\0\1", 14) +
                             (folder == nullptr ? "/a" : folder) +
                             std::string("\0\0one.cu\0\1\1\1\0", 13);
  const std::string row = "\3\1\1\2\x10";  // the next line, for 16 bytes
  const std::string program =
      std::string("\0\x9\2", 3) + little(0, 8) + row + row + std::string("\0\1\1", 3);
  const std::string unit = little(2, 2) + little(header.size(), 4) + header + program;
  return little(unit.size(), 4) + unit;
}

inline std::string cubin_of(const std::string& kernel) {
  std::string names(1, '\0'), symbols(24, '\0'), section_names(1, '\0'), file(64, '\0'),
      headers(64, '\0');
  std::vector<std::string> functions = {kernel};
  if (kernel == "parent") functions.emplace_back("__cudaCDP2LaunchDeviceV2");
  for (const std::string& name : functions) {
    symbols += little(names.size(), 4) + little(name == "parent" ? 0x1002 : 2, 2) + little(1, 2) +
               little(0, 8) + little(0x20, 8);
    names += name + '\0';
  }
  const auto section = [&](const std::string& name, int type, const std::string& content, int link,
                           int info) {
    headers += little(section_names.size(), 4) + little(type, 4) + little(0, 16) +
               little(file.size(), 8) + little(content.size(), 8) + little(link, 4) +
               little(info, 4) + little(0, 16);
    section_names += name + '\0';
    file += content;
  };
  const std::string lines = lines_of_one_file();
  section(".symtab", 2, symbols, 2, 0);
  section(".strtab", 3, names, 0, 0);
  section(kernel.find("bare") != kernel.npos ? ".other" : ".debug_line", 1, lines, 0, 0);
  const std::size_t address = lines.find(std::string("\0\x9\2", 3)) + 3;
  section(".rela.debug_line", 4, little(address, 8) + little(2, 4) + little(1, 4) + little(0, 8), 1,
          3);
  section(".shstrtab", 3, section_names + ".shstrtab" + '\0', 0, 0);
  std::string start(1, '\x7f');
  start += std::string("ELF\2\1\1\x41\x8\0\0\0\0\0\0\0", 15);
  start += little(2, 2) + little(190, 2) + little(1, 4) + little(0, 16) + little(file.size(), 8) +
           little(0, 4) + little(64, 2) + little(0, 4) + little(64, 2) + little(6, 2) +
           little(5, 2);
  return start + file.substr(64) + headers;
}

}  // namespace fake
