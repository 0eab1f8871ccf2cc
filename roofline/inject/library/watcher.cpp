#include "roofline/inject/library/watcher.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/cuda_driver.h"
#include "roofline/cupti/api.h"

namespace roofline::inject {
namespace {

/// The socket moves to a high file number, because programs that close "all" files close low
/// numbers.
constexpr int high_number = 700;
constexpr timeval patience{30, 0};

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error("the path is too long");
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int low = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (low < 0) throw std::runtime_error("no socket");
  const int high = fcntl(low, F_DUPFD_CLOEXEC, high_number);
  if (high >= 0) close(low);
  const int end = high >= 0 ? high : low;
  if (connect(end, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(end);
    throw std::runtime_error("nobody listens");
  }
  return end;
}

/// The file behind a number, which tells our socket from another file of that number; 0: it is
/// none.
ino_t file_behind(int number) {
  struct stat facts {};
  return fstat(number, &facts) == 0 ? facts.st_ino : 0;
}

std::string receive(int socket) {
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::string packet(limits::packet, '\0');
  ssize_t size = 0;
  do size = recv(socket, packet.data(), packet.size(), 0);
  while (size < 0 && errno == EINTR);
  if (size <= 0) throw std::runtime_error("no task came");
  packet.resize(static_cast<std::size_t>(size));
  return packet;
}

/// The device of the current context, as the driver knows it.
SeenGpu current_gpu() {
  std::array<char, 200> name{};
  CUuuid uuid{};
  int major = 0, minor = 0;
  const CUdevice device = cupti::current_target().device;
  call_cuda_driver("cuDeviceGetName", name.data(), static_cast<int>(name.size()) - 1, device);
  call_cuda_driver("cuDeviceGetAttribute", &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                   device);
  call_cuda_driver("cuDeviceGetAttribute", &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                   device);
  SeenGpu seen{{}, name.data(), device, 10 * major + minor};
  if (call_cuda_driver("cuDeviceGetUuid_v2", &uuid, device) == 0)
    for (const char byte : uuid.bytes)
      seen.key += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  else
    seen.key = fmt::format("{} {}", seen.name, device);
  return seen;
}

}  // namespace

Channel::Channel(const std::string& path)
    : socket_(connect_to(path)),
      file_(file_behind(socket_)),
      process_(getpid()),
      task_(read_text<Task>(receive(socket_), "roofline record")) {}

void Channel::send(const Seen& seen) noexcept {
  if (getpid() != process_) return;
  const std::scoped_lock lock(mutex_);
  // A program that closed all files may use the number for a connection of its own.
  if (file_behind(socket_) != file_) return;
  try {
    const std::string packet = facts_text(seen);
    while (::send(socket_, packet.data(), packet.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
  } catch (...) {  // the program continues unwatched
  }
}

std::string Channel::tell_gpu() {
  const SeenGpu seen = current_gpu();
  {
    const std::scoped_lock lock(mutex_);
    gpu_ = gpus_[seen.number] = seen.key;
  }
  send({.gpu = seen});
  return seen.key;
}

std::string Channel::gpu(int number) {
  const std::scoped_lock lock(mutex_);
  const auto known = gpus_.find(number);
  return known == gpus_.end() ? gpu_ : known->second;
}

Current::Current(CUcontext context)
    : pushed_(call_cuda_driver("cuCtxPushCurrent_v2", context) == 0) {}

Current::~Current() {
  CUcontext context = nullptr;
  if (pushed_) call_cuda_driver("cuCtxPopCurrent_v2", &context);
}

std::string kernel_name(const char* symbol) {
  if (symbol == nullptr || *symbol == '\0') return "a kernel without a name";
  const std::string name = demangled(symbol);
  return name.size() <= limits::name ? name : name.substr(0, limits::name - 3) + "...";
}

}  // namespace roofline::inject
