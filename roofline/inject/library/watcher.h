// Watchers follow the launches of a program, by time or by counters, and tell `roofline record` of
// them.
#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"
#include "roofline/inject/protocol.h"
#include "roofline/inject/selection.h"

namespace roofline::inject {

/// A launch as CUPTI describes it.
struct Launch {
  CUcontext context = nullptr;
  std::string kernel;             ///< whole name for people; empty when it is over
  std::uint32_t correlation = 0;  ///< CUPTI's number of it
  CUstream stream = nullptr;
  bool per_thread = false;  ///< whether no stream means the thread's own
  std::array<std::int64_t, 3> grid = {}, block = {};
};

/// Facts about a launch that are known before it runs.
struct LaunchMark {
  std::int64_t range = 0;  ///< that it is in
  std::int64_t number =
      0;  ///< among the launches of its kernel, where launches are told one by one
};

/// The library's end of the socket to `roofline record`.
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
  /// Numbers a launch that was chosen. The ranges around it are sent where they are new.
  LaunchMark mark(const Launch& launch, const std::vector<RangeName>& around);

 private:
  void write(const Seen& seen) noexcept;  // with the mutex held

  int socket_ = -1;
  std::uint64_t file_ = 0;  // what this number stood for, before the program could take it
  int process_;
  Task task_;
  std::mutex mutex_;
  std::map<std::string, std::int64_t> kernels_;
  std::map<std::string, std::int64_t> launches_;  // of each kernel
  RangeTree ranges_;
};

/// Each function may throw; then nothing is watched any more.
class Watcher {
 public:
  virtual ~Watcher() = default;
  /// Before and after a launch call. Between the two it may not be asked about another launch of
  /// the same thread. `ran`: whether the driver took it.
  virtual void before(const Launch& launch) = 0;
  virtual void after(const Launch& launch, bool ran) = 0;
  /// A CUDA graph is about to be launched: its kernels run without a call of their own.
  virtual void graph_launches(CUcontext /*context*/) {}
  /// The device has done all that the program waited for.
  virtual void synchronized() = 0;
  /// Kernels of the context are about to be unloaded.
  virtual void module_ends(CUcontext context) = 0;
  virtual void context_ends(CUcontext context) = 0;
  /// Machine code is there; `fresh`: it was loaded just now. The calling thread may be in any of
  /// the functions above.
  virtual void code_loaded(const CUpti_ResourceData& /*module*/, bool /*fresh*/) {}
  /// The program ends; CUDA may be half gone.
  virtual void program_ends() = 0;
};

/// Makes a context current while it lives: the thread that calls may not be the context's own.
class Current {
 public:
  explicit Current(CUcontext context);
  ~Current();
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  bool pushed_ = false;
};

/// Watchers that take times, that charge samples or counts to source lines, and that count what the
/// channel's task names.
std::unique_ptr<Watcher> timing(const cupti::Functions& functions, Channel& channel,
                                Chooser& chooser);
std::unique_ptr<Watcher> lines(const cupti::Functions& functions, Channel& channel,
                               Chooser& chooser);
std::unique_ptr<Watcher> counting(const cupti::Functions& functions, Channel& channel,
                                  Chooser& chooser);

/// The name of a kernel as people write it, at most `limits::name` bytes.
std::string kernel_name(const char* symbol);

/// The device of the current context, as the driver knows it.
SeenDevice current_device();

}  // namespace roofline::inject
