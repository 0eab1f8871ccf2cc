#include "roofline/base/text.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace roofline {
namespace {

/// The start of the UTF-8 character that contains the byte at this position.
std::size_t character_at(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

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

std::string replaced(std::string_view text, const std::map<char, std::string_view>& words) {
  std::string result;
  for (const char character : text) {
    const auto word = words.find(character);
    result += word == words.end() ? std::string_view(&character, 1) : word->second;
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view mark = "...";
  if (text.size() <= most) return std::string(text);
  return std::string(text.substr(0, character_at(text, most - mark.size()))).append(mark);
}

std::string shortened_inside(std::string_view text, std::size_t most, std::size_t tail) {
  constexpr std::string_view mark = "..";
  if (text.size() <= most) return std::string(text);
  const std::size_t head = character_at(text, most - tail - mark.size());
  const std::size_t last = character_at(text, text.size() - tail);
  return std::string(text.substr(0, head)).append(mark).append(text.substr(last));
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known) {
  return fmt::format("unknown {} '{}'. Known: {}.", kind, name, fmt::join(known, ", "));
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" would be demangled as float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> words(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return words != nullptr ? words.get() : symbol;
}

void refuse_file(std::string_view file, std::string_view what) {
  throw InputError(fmt::format("{}: {}", visible(file), what));
}

std::string visible(std::string_view text) { return shown(text, false); }

std::string visible_lines(std::string_view text) { return shown(text, true); }

}  // namespace roofline
