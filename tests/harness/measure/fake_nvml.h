#pragma once

#include <map>
#include <vector>

struct FakeNvml {
  bool refuses = false;  ///< true refuses as without permission
  std::vector<int> processes;
  std::map<int, int> used;    ///< percentage of multiprocessors' time by process
  double age_of_samples = 0;  ///< age in seconds
  unsigned long long reasons = 0;
  double joules = 1234.5;
  double watts = 0;           ///< increases the energy counter over time
  double update_seconds = 0;  ///< seconds between updates; 0: none
};
