// LIKWID's counters: set up for a list of CPUs, and read group by group.
//
// LIKWID writes to the terminal and may end its process where it finds no counters. try_out()
// (trial.h) therefore does all of this in a process of its own first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "roofline/counters.h"
#include "roofline/likwid/library.h"
#include "roofline/recorder.h"

namespace roofline::likwid {

/// Throws away what is written to standard output and standard error while it lives.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int output_ = -1, errors_ = -1;
};

/// The groups that formulas ask for: of "L2.L2_data_volume_GBytes" it is L2. Each once.
std::vector<std::string> groups_of(const std::vector<std::string>& counters);

/// The counter as formulas name it: group, point, LIKWID's name with an underscore for all that no
/// name may hold. "L3" and "L3 data volume [GBytes]" make "L3.L3_data_volume_GBytes".
std::string counter_name(const std::string& group, const std::string& name);

/// Only one at a time. Texts of LIKWID are not held back: see Silence.
class Session {
 public:
  /// Throws RecorderError: what failed, with its result.
  Session(const Library& library, std::vector<int> cpus);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Programs the counters of a group and starts them. Throws RecorderError where the processor or
  /// LIKWID lacks it.
  void start(const std::string& group);
  /// Stops them and reads all the group has, as sums over the CPUs; its time is
  /// "GROUP.seconds". What cannot be a count is missing: negative, or no finite number.
  Recording stop();

 private:
  int id_of(const std::string& group);
  void add(Recording& recording, const std::string& name, const std::vector<double>& values) const;

  const Library& library_;
  std::vector<int> cpus_;
  std::map<std::string, int> groups_;
  std::string group_;  ///< the one that counts
};

}  // namespace roofline::likwid
