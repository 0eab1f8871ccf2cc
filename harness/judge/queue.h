// A folder of submissions, judged one after the other, the oldest first, by one judge or several.
//
// Whoever takes one moves it into the folder `taken`, and into `done` when it was judged. A lock
// beside it tells that its judge still lives: what another left behind is taken again. Put a
// submission there whole: make it elsewhere on the same disk, and move it in.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "roofline/base/file_lock.h"

namespace gpp {

class SubmissionQueue {
 public:
  /// Throws InputError where it is no folder that can be written to.
  explicit SubmissionQueue(std::filesystem::path folder);

  /// A submission that was taken from the queue. Nobody else takes it while this object lives.
  struct Taken {
    std::string name;
    std::filesystem::path path;
    std::unique_ptr<roofline::FileLock> lock;
  };
  /// The next one; empty where none waits. Names that begin with '.', or are very long, do not
  /// count.
  std::optional<Taken> take();
  /// It was judged.
  void finish(const Taken& taken);
  /// The right to measure on the cores of this machine, among the judges of this folder. False
  /// where another has it for longer than so many seconds.
  bool take_host(roofline::FileLock& turn, double seconds) const;

 private:
  std::optional<Taken> locked(const std::string& name) const;

  std::filesystem::path folder_, taken_, done_;
};

}  // namespace gpp
