// Who keeps all ranks waiting. Calls of MPI may wait for ever: for a rank that is stopped, or that
// never calls MPI_Init.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace gpp::scale {

/// "another rank did not come for 20 s while starting: rank 1 (sleep, process 71) has not called
/// MPI_Init". Ranks of other hosts are not seen.
std::string not_come(double seconds, const std::string& doing);

/// While it lives, a call may wait that long. Then this process says who did not come, and ends;
/// its launcher ends the others. The first rank that is there speaks.
class Deadline {
 public:
  Deadline(double seconds, std::string doing);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  void watch(double seconds, const std::string& doing);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace gpp::scale
