#include "roofline/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace roofline {
namespace {

/// A pipe whose ends the started program does not inherit, but for the one it is given.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe could be opened");
  }
  ~Pipe() {
    close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

/// The process, or -1 where it could not be started.
pid_t start(const std::vector<std::string>& arguments, const Pipe& output, const Pipe& errors) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.writing(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.writing(), STDERR_FILENO);
  pid_t process = -1;
  const int error = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? process : -1;
}

/// Appends what is there to read; false at the end of the stream.
bool read_some(int from, std::string& text) {
  std::array<char, 4096> buffer;
  const ssize_t count = read(from, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both streams as they come: neither can fill up while the other is waited for.
void listen(const Pipe& output, const Pipe& errors, Finished& finished) {
  std::array<pollfd, 2> streams = {pollfd{output.reading(), POLLIN, 0},
                                   pollfd{errors.reading(), POLLIN, 0}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (poll(streams.data(), streams.size(), -1) < 0 && errno != EINTR) return;
    if (streams[0].revents != 0 && !read_some(streams[0].fd, finished.output)) streams[0].fd = -1;
    if (streams[1].revents != 0 && !read_some(streams[1].fd, finished.errors)) streams[1].fd = -1;
  }
}

}  // namespace

Finished run_program(const std::vector<std::string>& arguments) {
  Pipe output;
  Pipe errors;
  Finished finished;
  const pid_t process = start(arguments, output, errors);
  if (process < 0) return {127, "", ""};
  output.close_writing();
  errors.close_writing();
  listen(output, errors, finished);

  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  finished.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return finished;
}

}  // namespace roofline
