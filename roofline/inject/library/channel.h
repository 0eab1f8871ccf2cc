// The library's end of the socket to `roofline record`.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "roofline/inject/protocol.h"

namespace roofline::inject {

class Channel {
 public:
  /// Connects and waits for the task. Throws std::runtime_error where nobody answers.
  explicit Channel(const std::string& path);

  const Task& task() const { return task_; }

  /// May be called by any thread. Where nobody listens any more it does nothing; nor does it in a
  /// process that was forked from the one that connected.
  void send(const Seen& seen) noexcept;
  /// The number that stands for a kernel of that name, which is sent at its first use.
  std::int64_t kernel(const std::string& name);

 private:
  void write(const Seen& seen) noexcept;  // with the mutex held

  int socket_ = -1;
  int process_;
  Task task_;
  std::mutex mutex_;
  std::map<std::string, std::int64_t> kernels_;
};

}  // namespace roofline::inject
