#pragma once

#include <map>
#include <vector>

struct FakeNvml {
  bool refuses = false;  ///< as it does where the user has no permission
  std::vector<int> processes;
  std::map<int, int> used;    ///< percent of the multiprocessors' time, by process
  double age_of_samples = 0;  ///< seconds
  unsigned long long reasons = 0;
  double joules = 1234.5;
  double watts = 0;           ///< by which the counter of energy moves on, with the clock
  double update_seconds = 0;  ///< between two moves; 0: none
};
