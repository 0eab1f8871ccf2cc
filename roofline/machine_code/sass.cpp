#include "roofline/machine_code/sass.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdint>

#include "roofline/base/process.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

constexpr std::uint64_t bytes_each = 16;
constexpr std::size_t most_instructions = 20'000;  // of a function: a record holds no more
constexpr std::size_t longest_instruction = 300;
constexpr std::size_t most_text = std::size_t{256} << 20;
constexpr std::chrono::seconds patience{60};  // without a word, for a large cubin
constexpr std::string_view section = ".text.";

/// "/*0010*/  IMAD R4, R0, R1, R2 ;"
void add_instruction(std::string_view line, std::vector<std::string>& function) {
  constexpr std::string_view begin = "/*", end = "*/";
  const std::size_t close = line.find(end);
  if (!line.starts_with(begin) || close == line.npos) return;
  std::uint64_t offset = 0;
  const char* const last = line.data() + close;
  const auto [stop, error] = std::from_chars(line.data() + begin.size(), last, offset, 16);
  if (error != std::errc() || stop != last || offset / bytes_each >= most_instructions) return;
  const std::string_view rest = line.substr(close + end.size());
  const std::string_view words = trimmed(rest.substr(0, rest.find(';')));
  if (words.empty()) return;
  if (function.size() <= offset / bytes_each) function.resize(offset / bytes_each + 1);
  function[offset / bytes_each] = shortened(words, longest_instruction);
}

}  // namespace

Sass parse_nvdisasm(std::string_view text) {
  Sass sass;
  std::vector<std::string>* function = nullptr;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    if (line.starts_with(section) && line.ends_with(':'))
      function = &sass[std::string(line.substr(section.size(), line.size() - section.size() - 1))];
    else if (line.starts_with(".section"))
      function = nullptr;
    else if (function != nullptr)
      add_instruction(line, *function);
  }
  return sass;
}

Sass sass_in(const std::filesystem::path& cubin, std::string& problem) {
  constexpr int not_started = 127;
  Finished done;
  for (const char* program : {"nvdisasm", "/usr/local/cuda/bin/nvdisasm"}) {
    done = run_program({program, "-c", cubin.string()}, patience, most_text);
    if (done.status != not_started) break;
  }
  if (done.status == not_started)
    problem = "the text of machine code: nvdisasm of the CUDA Toolkit is not on the PATH";
  else if (done.silenced || done.flooded)
    problem = "the text of machine code: nvdisasm takes too long, or writes too much";
  else if (done.status != 0)
    problem = fmt::format("the text of machine code: nvdisasm ended with {}: {}", done.status,
                          visible(shortened(trimmed(done.errors), longest_instruction)));
  return done.status == 0 ? parse_nvdisasm(done.output) : Sass();
}

}  // namespace roofline
