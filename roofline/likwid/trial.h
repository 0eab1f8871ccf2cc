// Whether LIKWID works here, found out in a process of its own: it may print, hang, or end the
// process that it runs in.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "roofline/likwid/library.h"

namespace roofline::likwid {

struct Trial {
  std::string failure;  ///< why nothing can be counted, with LIKWID's own words; empty: it can
  std::map<std::string, std::string> lacking;  ///< by group: why it cannot be counted
};

/// Starts and stops every group once. Takes `limit` seconds at most.
Trial try_out(const Library& library, const std::vector<int>& cpus,
              const std::vector<std::string>& groups, double limit = 10);

/// What keeps counters from a program on this machine, and the remedy, as far as its files tell.
/// `root` is where its files are.
std::string remedy(const std::filesystem::path& root = "/");

}  // namespace roofline::likwid
