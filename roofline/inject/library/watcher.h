// Watchers follow a program's launches, with times or counters, and report to `roofline record`.
#pragma once

#include <cuda.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "roofline/cupti/api.h"
#include "roofline/inject/protocol.h"
#include "roofline/inject/selection.h"

namespace roofline::inject {

/// A launch as CUPTI describes it.
struct Launch {
  CUcontext context = nullptr;
  std::string kernel;             ///< demangled name; empty when it is over
  std::uint32_t correlation = 0;  ///< CUPTI's correlation number of the launch
};

/// The library's end of the socket to `roofline record`.
class Channel {
 public:
  /// Connects and waits for the task. Throws std::runtime_error without an answer.
  explicit Channel(const std::string& path);

  const Task& task() const { return task_; }

  /// Any thread may call this. It does nothing without a listener, or in a process forked from the
  /// one that connected.
  void send(const Seen& seen) noexcept;
  /// Sends the device of the current context and returns its key.
  std::string tell_gpu();
  /// The key of the device with this number, or of the last one that was told.
  std::string gpu(int number);

 private:
  const int socket_;
  const ino_t file_;
  const int process_;
  const Task task_;
  std::mutex mutex_;
  std::map<int, std::string> gpus_;
  std::string gpu_;  // the last one
};

/// A watcher of launches. Each function may throw; then watching ends.
class Watcher {
 public:
  Watcher(Channel& channel, Chooser& chooser) : channel_(channel), chooser_(chooser) {}
  virtual ~Watcher() = default;
  /// Called before and after a launch call; calls of one thread do not nest. `ran` is true if the
  /// driver accepted the launch.
  virtual void before(const Launch& launch) = 0;
  virtual void after(const Launch& launch, bool ran) = 0;
  /// A CUDA graph will be launched; its kernels run without calls of their own.
  virtual void graph_launches(CUcontext context) = 0;
  /// The device has finished everything that the program waited for.
  virtual void synchronized() = 0;
  /// Kernels of the context will be unloaded.
  virtual void module_ends(CUcontext context) = 0;
  virtual void context_ends(CUcontext context) = 0;
  /// Machine code was loaded; `fresh` means just now. The calling thread may be inside any function
  /// above.
  virtual void code_loaded(const CUpti_ResourceData& /*module*/, bool /*fresh*/) {}
  /// The program ends; CUDA may be partly shut down.
  virtual void program_ends() = 0;

 protected:
  /// Sends this, with the launches since the last time.
  void tell(Seen seen) {
    seen.launches = launches_.exchange(0);
    channel_.send(seen);
  }
  /// Sends a note the first time.
  void tell_once(bool& told, const char* note) {
    if (!std::exchange(told, true)) tell({.note = note});
  }

  Channel& channel_;
  Chooser& chooser_;
  std::mutex mutex_;                       // of all members
  std::atomic<std::int64_t> launches_{0};  // not told yet, selected or not
};

/// Makes a context current during its lifetime, for threads that have another one.
class Current {
 public:
  explicit Current(CUcontext context);
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  bool pushed_ = false;
};

/// Makes the watchers: for times, for samples or counts by source line, and for the counters of the
/// channel's task.
std::unique_ptr<Watcher> timing(Channel& channel, Chooser& chooser);
std::unique_ptr<Watcher> lines(Channel& channel, Chooser& chooser);
std::unique_ptr<Watcher> counting(Channel& channel, Chooser& chooser);

/// The demangled name of a kernel, at most `limits::name` bytes.
std::string kernel_name(const char* symbol);

}  // namespace roofline::inject
