#include "roofline/base/visible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "roofline/base/error.h"

namespace roofline {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< length in bytes; 0: invalid UTF-8
};

/// The first character of a non-empty text. Overlong forms and surrogates are invalid.
Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
  return {code, bytes};
}

/// True for characters that are invisible or change how others are displayed.
bool acts(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0xAD || code == 0x61C || code == 0x180E ||
         within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) ||
         code == 0xFEFF || within(0xFFF9, 0xFFFB) || within(0xE0000, 0xE0FFF);
}

std::string written_out(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  if (code < 0x80) return fmt::format("\\x{:02x}", code);
  return code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    if (character.bytes == 0)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (acts(character.code) && !(keep_lines && character.code == '\n'))
      result += written_out(character.code);
    else
      result += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

void refuse_file(std::string_view file, std::string_view what) {
  throw InputError(fmt::format("{}: {}", visible(file), what));
}

std::string visible(std::string_view text) { return shown(text, false); }

std::string visible_lines(std::string_view text) { return shown(text, true); }

}  // namespace roofline
