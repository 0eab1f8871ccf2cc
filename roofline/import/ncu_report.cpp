// Nsight Compute's own files. Their form is not published: ncu itself makes a table of one.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "roofline/base/error.h"
#include "roofline/base/process.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes longest_silence{10};  // a report of gigabytes takes minutes

Finished run_ncu(const fs::path& report, std::size_t most_bytes) {
  std::vector<std::string> arguments = {"ncu",    "--import", report.string(), "--csv",
                                        "--page", "raw",      "--print-units", "base"};
  const char* named = std::getenv("NCU");
  if (named != nullptr && *named != '\0') arguments.front() = named;
  Finished done = run_program(arguments, longest_silence, most_bytes);
  if (done.status != 127 || named != nullptr) return done;
  arguments.front() = "/usr/local/cuda/bin/ncu";
  return run_program(arguments, longest_silence, most_bytes);
}

}  // namespace

bool is_ncu_report(const std::string& file) { return file.ends_with(".ncu-rep"); }

std::string text_of_ncu_report(const std::string& file, std::size_t most_bytes) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) refuse_file(file, "there is no such file");
  // An absolute path is never taken for an option.
  Finished done = run_ncu(fs::absolute(file), most_bytes);
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

}  // namespace roofline
