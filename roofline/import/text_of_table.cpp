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
    const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    constexpr std::array<char32_t, 4> heads = {0, 0xC0, 0xE0, 0xF0};
    text += static_cast<char>(heads[static_cast<std::size_t>(more)] | point >> (6 * more));
    for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
  }
  return text;
}

/// In UTF-8, without a byte order mark. UTF-16 without one shows by the zeros of its first letters.
std::string decoded(std::string text) {
  const auto zero = [&text](std::size_t at) { return text.size() > 3 && text[at] == '\0'; };
  if (text.starts_with("\xef\xbb\xbf")) return text.substr(3);
  if (text.starts_with("\xff\xfe")) return from_utf16(text.substr(2), 1);
  if (text.starts_with("\xfe\xff")) return from_utf16(text.substr(2), 0);
  if (zero(0) && !zero(1) && zero(2)) return from_utf16(text, 0);
  if (!zero(0) && zero(1) && zero(3)) return from_utf16(text, 1);
  return text;
}

constexpr std::chrono::minutes longest_silence{10};  // a report of gigabytes takes minutes

/// The environment variable NCU names ncu; else it is looked up on the PATH and in /usr/local/cuda.
Finished run_ncu(const fs::path& report) {
  const auto run = [&report](const char* ncu) {
    return run_program(
        {ncu, "--import", report.string(), "--csv", "--page", "raw", "--print-units", "base"},
        longest_silence, most_bytes);
  };
  const char* const named = std::getenv("NCU");
  if (named != nullptr && *named != '\0') return run(named);
  Finished done = run("ncu");
  return done.status == 127 ? run("/usr/local/cuda/bin/ncu") : done;
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
  if (done.flooded || done.silenced)
    refuse_file(file,
                "ncu was ended, because it made a table of more than 268 MB or said nothing for 10 "
                "minutes; profile fewer launches, or fewer counters");
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
  const std::string text = decoded(text_of_outside_file(file, most_bytes));
  if (text.find('\0') != std::string::npos || text.starts_with("NVR"))
    refuse_file(file,
                "not a text: unpack what is compressed; end the name of a report of ncu with "
                ".ncu-rep; have tables written instead of a database: rocprofv3 --output-format "
                "csv");
  return text;
}

}  // namespace roofline
