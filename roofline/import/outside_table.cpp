// Files of other programs as text: whatever encoding and separator they are written in, Nsight
// Compute's reports by way of ncu, and what they are where they are no text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "roofline/base/error.h"
#include "roofline/base/outside.h"
#include "roofline/base/process.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// A table of more bytes is refused: export fewer launches.
constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 28;

/// What a file is that begins so, and what to do with it.
struct Foreign {
  std::string_view begin, what;
};
constexpr std::array foreign = {
    Foreign{"\x1f\x8b", "compressed; unpack it first, with gunzip"},
    Foreign{"\xfd"
            "7zXZ",
            "compressed; unpack it first, with unxz"},
    Foreign{"BZh", "compressed; unpack it first, with bunzip2"},
    Foreign{"PK\x03\x04", "compressed; unpack it first, with unzip"},
    Foreign{"\x28\xb5\x2f\xfd", "compressed; unpack it first, with unzstd"},
    Foreign{"SQLite format 3",
            "a database, of rocprofv3 or of Nsight Systems; have tables written: "
            "rocprofv3 --output-format csv"},
    Foreign{"NVR", "a report of ncu, whose name must end with .ncu-rep"}};

void append_utf8(char32_t point, std::string& text) {
  const auto add = [&text](char32_t byte) { text += static_cast<char>(byte); };
  const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr std::array<char32_t, 4> heads = {0, 0xC0, 0xE0, 0xF0};
  add(heads[static_cast<std::size_t>(more)] | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) add(0x80 | (point >> (6 * i) & 0x3F));
}

/// UTF-8 of UTF-16, whose first byte of two is `high`'s. A half of a pair that stands alone becomes
/// what it is: no column is called so.
std::string from_utf16(std::string_view bytes, std::size_t high) {
  const auto unit = [&](std::size_t at) {
    return static_cast<char32_t>(static_cast<unsigned char>(bytes[at + high]) << 8 |
                                 static_cast<unsigned char>(bytes[at + 1 - high]));
  };
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    char32_t point = unit(at);
    if (point >> 10 == 0x36 && at + 3 < bytes.size() && unit(at + 2) >> 10 == 0x37) {
      point = 0x10000 + ((point & 0x3FF) << 10 | (unit(at + 2) & 0x3FF));
      at += 2;
    }
    append_utf8(point, text);
  }
  return text;
}

/// In UTF-8, without a byte order mark. UTF-16 without one shows by the zeros of its first letters.
std::string decoded(std::string text) {
  const auto begins = [&text](std::string_view bytes) { return text.starts_with(bytes); };
  const bool zeros_first = text.size() > 3 && text[0] == '\0' && text[1] != '\0' && text[2] == '\0';
  const bool zeros_second =
      text.size() > 3 && text[0] != '\0' && text[1] == '\0' && text[3] == '\0';
  if (begins("\xef\xbb\xbf")) text.erase(0, 3);
  if (begins("\xff\xfe")) return from_utf16(std::string_view(text).substr(2), 1);
  if (begins("\xfe\xff")) return from_utf16(std::string_view(text).substr(2), 0);
  return zeros_first ? from_utf16(text, 0) : zeros_second ? from_utf16(text, 1) : std::move(text);
}

constexpr std::chrono::minutes longest_silence{10};  // a report of gigabytes takes minutes

/// The environment variable NCU names ncu; else it is looked up on the PATH and in /usr/local/cuda.
Finished run_ncu(const fs::path& report) {
  std::vector<std::string> arguments = {"ncu",    "--import", report.string(), "--csv",
                                        "--page", "raw",      "--print-units", "base"};
  const char* named = std::getenv("NCU");
  if (named != nullptr && *named != '\0') arguments.front() = named;
  Finished done = run_program(arguments, longest_silence, most_bytes);
  if (done.status != 127 || named != nullptr) return done;
  arguments.front() = "/usr/local/cuda/bin/ncu";
  return run_program(arguments, longest_silence, most_bytes);
}

/// The report as a table, which ncu itself makes of it: the form of reports is not published.
std::string text_of_ncu_report(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) refuse_file(file, "there is no such file");
  // An absolute path is never taken for an option.
  Finished done = run_ncu(fs::absolute(file));
  if (done.status == 127)
    refuse_file(file,
                "ncu is needed to read it and was not found; install Nsight Compute, name it "
                "(NCU=/path/to/ncu), or write a table where ncu is: ncu --import FILE --csv "
                "--page raw --print-units base > FILE.csv");
  if (done.flooded)
    refuse_file(file, fmt::format("ncu made a table of more than {} MB of it; profile fewer "
                                  "launches, or fewer counters",
                                  most_bytes / 1'000'000));
  if (done.silenced) refuse_file(file, "ncu said nothing for 10 minutes and was ended");
  if (done.status != 0)
    refuse_file(file,
                fmt::format("ncu could not read it and ended with status {}: {}", done.status,
                            visible(shortened(trimmed(done.errors + " " + done.output), 300))));
  return std::move(done.output);
}

}  // namespace

bool is_ncu_report(const std::string& file) { return file.ends_with(".ncu-rep"); }

std::string text_of_table(const std::string& file) {
  if (is_ncu_report(file)) return text_of_ncu_report(file);
  std::string text = text_of_outside_file(file, most_bytes);
  for (const Foreign& one : foreign)
    if (text.starts_with(one.begin)) refuse_file(file, one.what);
  text = decoded(std::move(text));
  if (text.find('\0') != std::string::npos)
    refuse_file(file, "not a text; the name of a report of ncu must end with .ncu-rep");
  return text;
}

}  // namespace roofline
