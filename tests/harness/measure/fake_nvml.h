#pragma once

#include <map>
#include <vector>

struct FakeNvml {
  bool refuses = false;  ///< as it does where the user has no permission
  std::vector<int> processes;
  std::map<int, int> used;    ///< percent of the multiprocessors' time, by process
  double age_of_samples = 0;  ///< seconds
  unsigned long long reasons = 0;
};
