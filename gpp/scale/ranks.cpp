#include "gpp/scale/ranks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string_view>

#include "gpp/scale/calculation.h"
#include "gpp/scale/partition.h"
#include "roofline/base/error.h"
#include "roofline/base/machine.h"
#include "roofline/base/visible.h"
#include "runtimes/threads.h"

namespace gpp::scale {
namespace {

/// The first rank whose text is not rank 0's; -1 where all are the same.
int odd_one(const std::vector<std::string>& texts) {
  for (std::size_t rank = 1; rank < texts.size(); ++rank)
    if (texts[rank] != texts.front()) return static_cast<int>(rank);
  return -1;
}

/// The hash of this program's file: another build has another. It is not proof against intent, and
/// cheap: a program has a hundred megabytes, and every rank reads them.
std::string hash_of_program() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  if (!file) throw roofline::InputError("gpp cannot read its own file, to compare it among ranks");
  std::string chunk(1 << 20, '\0');
  std::size_t hash = 0;
  do {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    const std::string_view there(chunk.data(), static_cast<std::size_t>(file.gcount()));
    hash = 31 * hash + std::hash<std::string_view>{}(there);
  } while (file);
  return fmt::format("{:016x}", hash);
}

/// This program with the same arguments, in its present environment, instead of this process.
[[noreturn]] void start_anew() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // The program starts by its own path; else ps and top would show the name "exe".
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  execv(program.c_str(), arguments.data());
  throw roofline::InputError(fmt::format("{} cannot be started again: {}",
                                         roofline::visible(program), std::strerror(errno)));
}

}  // namespace

void require_the_same(Communicator& all, const std::vector<std::string>& options) {
  for (const std::string& option : options) {
    const std::vector<std::string> theirs = all.gather(option);
    const int other = odd_one(theirs);
    if (other > 0)
      throw roofline::InputError(fmt::format(
          "rank {} was started with other options than rank 0, {} instead of {}: start all ranks "
          "by one command",
          other, roofline::visible(theirs[static_cast<std::size_t>(other)]),
          roofline::visible(theirs.front())));
  }
  std::string build;
  together(all, [&build] { build = hash_of_program(); });
  const int other_build = odd_one(all.gather(build));
  if (other_build > 0)
    throw roofline::InputError(
        fmt::format("rank {} runs another build of gpp than rank 0: copy one program to all hosts",
                    other_build));
}

int threads_of_a_rank(int own, int all, int ranks, int asked) {
  // Ranks are spread evenly, and those that share cores share all of them.
  const int sharing = std::clamp((ranks * own + all - 1) / all, 1, std::max(1, ranks));
  return std::clamp(own / sharing, 1, std::max(1, asked));
}

void start_with_threads(int cores) {
  const char* const variable = "OMP_NUM_THREADS";
  const int asked = wanted_openmp_threads();
  const int threads =
      cores > 0 ? cores
                : threads_of_a_rank(roofline::available_cores(),
                                    static_cast<int>(roofline::allowed_cpus(getppid()).size()),
                                    ranks_on_this_host(), asked);
  const std::string value = std::to_string(threads);
  const char* const before = std::getenv(variable);
  // Once at most: what is told by the variable already is not told again.
  if (threads == asked || (before != nullptr && before == value)) return;
  setenv(variable, value.c_str(), 1);
  start_anew();
}

int take_cores(Communicator& all, int wanted) {
  const std::vector<int> allowed = roofline::allowed_cpus();
  const std::string mine = fmt::format("{}: {}", roofline::host_name(), fmt::join(allowed, ","));
  const std::vector<std::string> theirs = all.gather(mine);
  const auto sharing = static_cast<int>(std::count(theirs.begin(), theirs.end(), mine));
  const auto before =
      static_cast<int>(std::count(theirs.begin(), theirs.begin() + all.rank(), mine));
  const auto there = static_cast<int>(allowed.size());
  const BandBlock share = block_of(there, before, sharing);
  // More ranks than cores: they take turns on all of them.
  std::vector<int> cpus = allowed;
  if (share.bands > 0)
    cpus.assign(allowed.begin() + share.first, allowed.begin() + share.first + share.bands);
  const int most = share.bands > 0 ? share.bands : 1;
  run_on(cpus);  // before threads are there, which keep what they begin with
  const int threads = openmp_threads();
  together(all, [&] {
    if (wanted > most)
      throw roofline::InputError(
          fmt::format("--cores {}: {} ranks share {} cores here; ask for {} at most, or start "
                      "fewer ranks. mpirun binds ranks to a core each unless --bind-to none",
                      wanted, sharing, there, most));
    if (wanted > 0 && threads != wanted)
      throw roofline::InputError(
          fmt::format("--cores {}: OpenMP starts {} threads: OMP_THREAD_LIMIT and OMP_DYNAMIC must "
                      "leave as many as cores",
                      wanted, threads));
    if (threads > most)
      throw roofline::InputError(
          fmt::format("{} ranks share {} cores here, and each starts {} threads: the launcher does "
                      "not tell how many ranks a host has. Say --cores {}",
                      sharing, there, threads, most));
  });
  if (share.bands > 0) cpus.resize(static_cast<std::size_t>(threads));
  run_on(cpus);
  return threads;
}

int take_device(const Communicator& all, const std::vector<Variant>& catalog) {
  int number = 0;
  for (const Runtime* runtime : runtimes_of(catalog)) {
    const int devices = runtime->devices();
    if (runtime->memory().is_host() || devices < 1) continue;
    number = all.local_rank() % devices;
    runtime->use_device(number);
  }
  return number;
}

void require_one_choice(Communicator& all, const Choice& choice) {
  const std::string mine = fmt::format("{} on a {}", choice.variant->model,
                                       choice.build->kind == "gpu" ? "GPU" : "host");
  const std::vector<std::string> theirs = all.gather(mine);
  const std::vector<std::string> hosts = all.gather(roofline::host_name());
  const int other = odd_one(theirs);
  if (other > 0)
    throw roofline::InputError(fmt::format(
        "rank {} on {} would run {}, rank 0 on {} {}: is there no GPU, or no driver? gpp doctor "
        "tells; --device host runs everywhere",
        other, hosts[static_cast<std::size_t>(other)], theirs[static_cast<std::size_t>(other)],
        hosts.front(), theirs.front()));
}

void require_gpus_of_their_own(Communicator& all, const Build& build) {
  std::string place;
  if (build.kind == "gpu") {
    const std::string bus = build.runtime->device_place();
    place = fmt::format(
        "{}: {}", roofline::host_name(),
        bus.empty() ? fmt::format("{}", all.local_rank() % std::max(1, build.runtime->devices()))
                    : bus);
  }
  std::map<std::string, int> owners;
  const std::vector<std::string> places = all.gather(place);
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    if (places[rank].empty()) continue;
    const auto [owner, alone] = owners.emplace(places[rank], static_cast<int>(rank));
    if (!alone)
      throw roofline::InputError(fmt::format(
          "ranks {} and {} would share one GPU ({}): start as many ranks on a host as it "
          "has GPUs, or run on its cores with --device host",
          owner->second, rank, roofline::visible(places[rank])));
  }
}

}  // namespace gpp::scale
