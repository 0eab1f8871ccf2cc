// Compares `gpp lines` with Nsight Compute, line by line: executed instructions and positions of
// warps.
//
//   ncu --profile-from-start off --cache-control none --section SourceCounters -o v12
//   build/tests/harness/one_call v12 ncu -i v12.ncu-rep --page source --print-source sass --csv >
//   v12.csv cuobjdump -xelf v12_real_poles build/gpp gpp lines v12 --json > v12.json
//   lines_against_ncu v12.json v12.csv variants/cuda/v12_real_poles.cu *.cubin
//
// Nsight Compute reports machine instructions. They are assigned to lines here as in `gpp lines`,
// so that both refer to the same lines.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/measure/lines.h"
#include "harness/program/source_files.h"
#include "harness/record/record_json.h"
#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/base/json_place.h"
#include "roofline/base/text.h"
#include "roofline/machine_code/cubin.h"

namespace gpp {
namespace {

using roofline::Events;
using roofline::InstructionEvidence;
using roofline::LineEvidence;

/// The allowed difference of sample shares, in percentage points.
constexpr double most_points = 2;

/// A name in the form of both programs: "gpp::cuda::tiles<true>" for "void
/// gpp::cuda::<unnamed>::tiles<true>(T1 *)".
std::string plain_name(std::string name) {
  for (const char* scope : {"(anonymous namespace)::", "<unnamed>::"})
    for (std::size_t at = name.find(scope); at != name.npos; at = name.find(scope))
      name.erase(at, std::string_view(scope).size());
  for (const auto& [theirs, ours] :
       {std::pair("(int)", ""), {"(bool)1", "true"}, {"(bool)0", "false"}})
    for (std::size_t at = name.find(theirs); at != name.npos; at = name.find(theirs))
      name.replace(at, std::string_view(theirs).size(), ours);
  name.resize(std::min(name.size(), name.find('(')));
  std::erase(name, ' ');
  return name.starts_with("void") ? name.substr(4) : name;
}

/// Maps Nsight Compute's short names to CUPTI's stall reasons.
std::string reason_of(const std::string& column) {
  static const std::map<std::string, std::string> names = {
      {"dispatch", "dispatch_stall"}, {"imc", "imc_miss"},
      {"lg", "lg_throttle"},          {"long_sb", "long_scoreboard"},
      {"math", "math_pipe_throttle"}, {"mio", "mio_throttle"},
      {"no_inst", "no_instructions"}, {"short_sb", "short_scoreboard"},
      {"tex", "tex_throttle"}};
  const auto found = names.find(column);
  return found == names.end() ? column : found->second;
}

std::uint64_t number_in(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The instructions by plain name and offset, summed over launches of a kernel.
using Profile = std::map<std::string, std::map<std::uint64_t, InstructionEvidence>>;

void add_row(const std::vector<std::string>& heads, const std::vector<std::string>& cells,
             InstructionEvidence& evidence) {
  for (std::size_t i = 0; i < std::min(heads.size(), cells.size()); ++i) {
    const std::uint64_t number = number_in(cells[i]);
    if (number == 0) continue;
    if (heads[i] == "Instructions Executed") evidence.counts["warp_instructions"] += number;
    if (heads[i] == "Thread Instructions Executed")
      evidence.counts["thread_instructions"] += number;
    if (heads[i].starts_with("stall_") && heads[i].find('(') == std::string::npos)
      evidence.stalls[reason_of(heads[i].substr(6))] += number;
  }
}

/// One launch in the file.
struct LaunchTable {
  std::string kernel;
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;

  bool operator==(const LaunchTable&) const = default;
};

/// Nsight Compute writes a template launch twice. Two launches never have equal samples at every
/// instruction.
std::vector<LaunchTable> read_launches(const std::string& text, const std::string& file) {
  std::vector<LaunchTable> launches;
  for (roofline::CsvReader reader(text, file); !reader.at_end();) {
    std::vector<std::string> cells = reader.row().cells;
    if (cells.size() > 1 && cells[0] == "Kernel Name") {
      if (launches.size() > 1 && launches.back() == launches[launches.size() - 2])
        launches.pop_back();
      launches.push_back({plain_name(cells[1]), {}, {}});
    } else if (!cells.empty() && !launches.empty()) {
      if (cells[0] == "Address")
        launches.back().heads = std::move(cells);
      else if (cells[0].starts_with("0x"))
        launches.back().rows.push_back(std::move(cells));
    }
  }
  if (launches.size() > 1 && launches.back() == launches[launches.size() - 2]) launches.pop_back();
  return launches;
}

Profile read_profile(const std::string& text, const std::string& file) {
  const auto address_of = [](const std::vector<std::string>& row) {
    std::uint64_t address = 0;
    std::from_chars(row[0].data() + 2, row[0].data() + row[0].size(), address, 16);
    return address;
  };
  Profile profile;
  for (const LaunchTable& launch : read_launches(text, file))
    for (const std::vector<std::string>& row : launch.rows)
      add_row(launch.heads, row,
              profile[launch.kernel][address_of(row) - address_of(launch.rows.front())]);
  return profile;
}

/// The cubins, and the symbol of each kernel by plain name.
struct Code {
  roofline::Cubins cubins;
  std::map<std::string, std::pair<std::uint64_t, std::string>> kernels;
};

Code read_code(const std::vector<std::string>& files) {
  Code code;
  for (const std::string& file : files) {
    const std::uint64_t number = code.cubins.size() + 1;
    const std::string& bytes = code.cubins.emplace(number, text_of(file)).first->second;
    for (const roofline::CodeFunction& one : roofline::read_cubin(bytes, file).functions)
      code.kernels.try_emplace(plain_name(roofline::demangled(std::string(one.name))), number,
                               std::string(one.name));
  }
  return code;
}

std::vector<LineEvidence> lines_of_profile(const Profile& profile, const Code& code,
                                           const std::string& variant) {
  std::vector<InstructionEvidence> all;
  for (const auto& [kernel, instructions] : profile) {
    const auto found = code.kernels.find(kernel);
    if (found == code.kernels.end())
      throw roofline::InputError("no cubin has the kernel " + kernel);
    for (const auto& [offset, evidence] : instructions)
      all.push_back(
          {found->second.first, found->second.second, offset, evidence.stalls, evidence.counts});
  }
  std::vector<std::string> lost;
  std::vector<LineEvidence> lines = roofline::lines_of(
      all, code.cubins,
      [&variant](const std::string& file) { return repository_path(file) == variant; }, lost);
  for (const std::string& text : lost) fmt::print(stderr, "lost: {}\n", text);
  for (LineEvidence& line : lines) {
    line.place.file = repository_path(line.place.file);
    if (line.called_from) line.called_from->file = repository_path(line.called_from->file);
  }
  return roofline::merged(lines, {});
}

std::string name_of(const LineEvidence& line) {
  std::string name = fmt::format("{}:{}", line.place.file, line.place.line);
  if (line.called_from)
    name += fmt::format(" from {}:{}", line.called_from->file, line.called_from->line);
  return name;
}

/// Sums by line, ignoring names of functions.
std::map<std::string, LineEvidence> by_line(const std::vector<LineEvidence>& lines) {
  std::map<std::string, LineEvidence> sums;
  for (const LineEvidence& line : lines) {
    LineEvidence& sum = sums[name_of(line)];
    roofline::add_events(sum.stalls, line.stalls);
    roofline::add_events(sum.counts, line.counts);
  }
  return sums;
}

double all_samples(const std::map<std::string, LineEvidence>& lines) {
  double sum = 0;
  for (const auto& [name, line] : lines) sum += static_cast<double>(line.samples());
  return sum;
}

/// The largest difference in a reason's share of all samples.
double farthest(const LineEvidence& ours, double our_samples, const LineEvidence& theirs,
                double their_samples) {
  std::set<std::string> reasons;
  for (const Events* events : {&ours.stalls, &theirs.stalls})
    for (const auto& [reason, samples] : *events) reasons.insert(reason);
  double most = 0;
  for (const std::string& reason : reasons)
    most = std::max(
        most,
        100 * std::abs(static_cast<double>(roofline::events_of(ours.stalls, reason)) / our_samples -
                       static_cast<double>(roofline::events_of(theirs.stalls, reason)) /
                           their_samples));
  return most;
}

int compare(const std::vector<std::string>& arguments) {
  const nlohmann::json json = nlohmann::json::parse(text_of(arguments[0]));
  const std::map<std::string, LineEvidence> ours =
      by_line(roofline::read_facts<LinesRecord>(roofline::JsonPlace(json, "", arguments[0])).lines);
  const std::string text = text_of(arguments[1]);
  const std::map<std::string, LineEvidence> theirs =
      by_line(lines_of_profile(read_profile(text, arguments[1]),
                               read_code({arguments.begin() + 3, arguments.end()}), arguments[2]));
  const double our_samples = all_samples(ours), their_samples = all_samples(theirs);
  std::set<std::string> names;
  for (const auto* side : {&ours, &theirs})
    for (const auto& [name, line] : *side) names.insert(name);
  int other_counts = 0, other_shares = 0;
  fmt::print("line,warp instructions,ncu,samples (%),ncu (%),farthest reason (points)\n");
  for (const std::string& name : names) {
    const LineEvidence none;
    const LineEvidence& one = ours.contains(name) ? ours.at(name) : none;
    const LineEvidence& two = theirs.contains(name) ? theirs.at(name) : none;
    const std::uint64_t count = roofline::events_of(one.counts, "warp_instructions");
    const std::uint64_t told = roofline::events_of(two.counts, "warp_instructions");
    const double apart = farthest(one, our_samples, two, their_samples);
    other_counts += count != told;
    other_shares += apart > most_points;
    fmt::print("{},{},{},{:.2f},{:.2f},{:.2f}\n", name, count, told,
               100 * static_cast<double>(one.samples()) / our_samples,
               100 * static_cast<double>(two.samples()) / their_samples, apart);
  }
  fmt::print(stderr,
             "{} lines: {} executed another number of instructions, {} differ by more than "
             "{:g} points in a reason; {:g} samples, and {:g} of Nsight Compute\n",
             names.size(), other_counts, other_shares, most_points, our_samples, their_samples);
  return other_counts + other_shares == 0 ? 0 : 1;
}

}  // namespace
}  // namespace gpp

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: lines_against_ncu LINES.json NCU.csv VARIANT CUBIN...\n");
    return 2;
  }
  try {
    return gpp::compare({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "lines_against_ncu: {}\n", error.what());
    return 2;
  }
}
