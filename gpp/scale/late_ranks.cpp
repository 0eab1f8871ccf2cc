#include "gpp/scale/late_ranks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

namespace gpp::scale {
namespace {

namespace fs = std::filesystem;

/// Variables by which launchers tell each rank its number and the identity of the start.
constexpr std::array rank_variables = {"PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
constexpr std::array start_variables = {"PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEP_ID"};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The variables of an environment, as /proc shows it, that have these names.
template <class Names>
std::string values_in(const std::string& environment, const Names& names) {
  std::string values;
  for (const char* name : names) {
    const std::string begin = fmt::format("{}{}=", '\0', name);
    const std::size_t at = environment.find(begin);
    if (at == std::string::npos) continue;
    const std::size_t value = at + begin.size();
    values += environment.substr(value, environment.find('\0', value) - value) + " ";
  }
  return values;
}

std::string environment_of(const std::string& process) {
  return text_of(fmt::format("/proc/{}/environ", process)).insert(0, 1, '\0');
}

std::string own_environment() {
  std::string text(1, '\0');
  for (char** entry = environ; *entry != nullptr; ++entry) text.append(*entry).push_back('\0');
  return text;
}

/// The number of a rank, or -1.
int rank_in(const std::string& environment) {
  const std::string text = values_in(environment, rank_variables);
  return text.empty() || text[0] < '0' || text[0] > '9' ? -1 : std::atoi(text.c_str());
}

/// Why a process cannot have come; empty where it may have.
std::string lateness(const std::string& process) {
  const std::string stat = text_of(fmt::format("/proc/{}/stat", process));  // "71 (sleep) S ..."
  const std::size_t begin = stat.find('('), end = stat.rfind(") ");
  if (begin == std::string::npos || end == std::string::npos || end + 2 >= stat.size()) return {};
  const char state = stat[end + 2];
  const bool stopped = state == 'T' || state == 't';
  if (!stopped &&
      text_of(fmt::format("/proc/{}/maps", process)).find("libgpp_mpi.so") != std::string::npos)
    return {};
  return fmt::format("({}, process {}) {}", stat.substr(begin + 1, end - begin - 1), process,
                     stopped ? "is stopped" : "has not called MPI_Init");
}

/// Ranks of this start on this host, each with why it cannot have come.
std::map<int, std::string> ranks_here() {
  const std::string start = values_in(own_environment(), start_variables);
  std::map<int, std::string> ranks;
  std::error_code error;
  if (start.empty()) return ranks;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string process = entry.path().filename().string();
    if (process.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string environment = environment_of(process);
    const int rank = rank_in(environment);
    if (rank < 0 || values_in(environment, start_variables) != start) continue;
    const std::string why = lateness(process);
    const auto [place, first] = ranks.emplace(rank, why);
    if (!first && why.empty()) place->second = why;  // a script, and the program that it started
  }
  return ranks;
}

}  // namespace

std::string not_come(double seconds, const std::string& doing) {
  std::vector<std::string> late;
  for (const auto& [rank, why] : ranks_here())
    if (!why.empty()) late.push_back(fmt::format("rank {} {}", rank, why));
  if (late.empty())
    late = {
        "none of this host is stopped or late; one hangs, or look at other hosts and the network"};
  return fmt::format("another rank did not come for {:.0f} s while {}: {}", seconds, doing,
                     fmt::join(late, "; "));
}

Deadline::Deadline(double seconds, std::string doing)
    : thread_([this, seconds, doing = std::move(doing)] { watch(seconds, doing); }) {}

Deadline::~Deadline() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Deadline::watch(double seconds, const std::string& doing) {
  // Launchers end all ranks when one has ended, so that the others need not say the same.
  const int rank = std::max(0, rank_in(own_environment()));
  const auto most = std::chrono::duration<double>(seconds + 2 * std::min(rank, 3));
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, most, [this] { return over_; })) return;
  fmt::print(stderr, "gpp: rank {}: {}. End it, and start all ranks by one command\n", rank,
             not_come(seconds, doing));
  std::fflush(stderr);
  _exit(1);
}

}  // namespace gpp::scale
