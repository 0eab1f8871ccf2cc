// A CUDA program that follows its arguments, one after another:
//
//   launch=k3*5   five launches of a kernel called k3       sync, init
//   graph=a,b     one launch of a graph of two kernels      capture=1, capture=0
//   say=, cry=    text for standard output and error        read: how long the standard input is
//   push=, pop, start=, end, profiler=1, profiler=0         marks
//   context=1, destroy=1                                    another context, and its end
//   push-in=d:r, pop-in=d   a range in a domain of NVTX
//   unload        the module of the kernels so far
//   threads=4     the rest in each of four threads          spawn: the rest in a process of its own
//   exit=7, _exit=7, signal=11, exit-on-signal              ends
//   note=FILE     one line more in FILE                     endless=k: launches for ever
//   endless-in-run=2:FILE   the same, where FILE has as many lines by now
//   ranks=4       the rest in each of four ranks, as mpirun starts them; there launches=k as often
//                 as the number of the rank and one; gpus=2 on one of two; meet=FILE waits for all
//   fork, orphan, close-files, hear, garbage, connections=9       troubles; see below
//
// It is linked with the fake driver and independent of roofline, except for the last line.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tests/roofline/fake_cuda/fake.h"

namespace {

using Words = std::vector<std::string>;

void launch(const std::string& what) {
  const std::size_t star = what.rfind('*');
  const int count = star == std::string::npos ? 1 : std::stoi(what.substr(star + 1));
  const std::string name = what.substr(0, star);
  for (int i = 0; i < count; ++i) fake_launch(name == "nameless" ? nullptr : name.c_str());
}

void launch_for_ever(const std::string& kernel) {
  for (;;) {
    fake_launch(kernel.c_str());
    cuCtxSynchronize();
    usleep(1000);
  }
}

void note(const std::string& file) { std::ofstream(file, std::ios::app) << getpid() << "\n"; }

int lines_in(const std::string& file) {
  std::ifstream stream(file);
  return static_cast<int>(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'));
}

void launch_for_ever_in_run(const std::string& what) {
  if (lines_in(what.substr(what.find(':') + 1)) == std::stoi(what)) launch_for_ever("k1");
}

int number_in(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::stoi(text);
}

void launch_by_rank(const std::string& kernel) {
  launch(kernel + "*" + std::to_string(number_in("PMI_RANK") + 1));
}

void choose_gpu(const std::string& gpus) { fake_context(number_in("PMI_RANK") % std::stoi(gpus)); }

/// A barrier like MPI's; each run of the program finds the lines of earlier ones.
void meet(const std::string& file) {
  const int ranks = number_in("PMI_SIZE");
  static int met = lines_in(file) / ranks;
  note(file);
  ++met;
  while (lines_in(file) < met * ranks) usleep(1000);
}

void read_input(const std::string&) {
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  std::printf("read %zu\n", text.size());
  for (std::size_t i = 0; i < text.size(); ++i) fake_launch("byte");
}

/// Starts a detached process that keeps none of our streams. After its first launch the file
/// exists.
void leave_behind(const std::string& file) {
  if (fork() != 0) {
    while (access(file.c_str(), F_OK) != 0) usleep(1000);
    return;
  }
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(stream);
  execl("/proc/self/exe", "orphan", "launch=k1", "sync", ("note=" + file).c_str(), "endless=k1",
        nullptr);
  _exit(1);
}

/// Closes all files, and gives their numbers to a connection of its own.
int own_end = -1;
void close_files(const std::string&) {
  closefrom(3);
  int ends[2];
  socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends);
  for (int number = 600; number < 900; ++number) dup2(ends[0], number);
  own_end = ends[1];
}

void hear(const std::string&) {
  char word[1];
  std::printf("%s\n", recv(own_end, word, sizeof word, MSG_DONTWAIT) < 0 ? "silence" : "a word");
}

/// A connection to the listener behind ROOFLINE_SOCKET, after its first message.
class Line {
 public:
  Line() {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const char* path = std::getenv("ROOFLINE_SOCKET");
    std::strncpy(address.sun_path, path == nullptr ? "" : path, sizeof address.sun_path - 1);
    const timeval patience{5, 0};
    setsockopt(end_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    connect(end_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    wait();
  }
  ~Line() { close(end_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void send(const std::string& text) const { ::send(end_, text.data(), text.size(), MSG_NOSIGNAL); }
  /// Waits until the other end sends something or disconnects.
  void wait() const {
    char word[1];
    recv(end_, word, sizeof word, 0);
  }

 private:
  const int end_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
};

void send_garbage(const std::string&) {
  for (const std::string& text : {std::string("\xff\x1b[2J"), std::string(100'000, '['),
                                  std::string(R"({"launched": {"kernel": "k"}})")}) {
    const Line line;
    line.send(text);
    line.wait();
  }
}

/// Opens this many connections until the program ends.
void connect_often(const std::string& count) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  static std::deque<Line> lines;
  for (int i = 0; i < std::stoi(count); ++i) lines.emplace_back();
}

std::uint64_t started = 0;

const std::map<std::string, std::function<void(const std::string&)>>& verbs() {
  static const std::map<std::string, std::function<void(const std::string&)>> all = {
      {"init", [](const std::string&) { cuInit(0); }},
      {"launch", launch},
      {"graph", [](const std::string& names) { fake_launch_graph(names.c_str()); }},
      {"capture", [](const std::string& on) { fake_capture(on == "1"); }},
      {"sync", [](const std::string&) { cuCtxSynchronize(); }},
      {"say", [](const std::string& text) { std::printf("%s\n", text.c_str()); }},
      {"cry", [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }},
      {"read", read_input},
      {"push", [](const std::string& name) { fake_push(name.c_str()); }},
      {"pop", [](const std::string&) { fake_pop(); }},
      {"push-in",
       [](const std::string& what) {
         const std::size_t colon = what.find(':');
         fake_push_in(what.substr(0, colon).c_str(), what.substr(colon + 1).c_str());
       }},
      {"pop-in", [](const std::string& domain) { fake_pop_in(domain.c_str()); }},
      {"start", [](const std::string& name) { started = fake_start(name.c_str()); }},
      {"end", [](const std::string&) { fake_end(started); }},
      {"profiler", [](const std::string& on) { fake_profiler(on == "1"); }},
      {"context", [](const std::string& number) { fake_context(std::stoi(number)); }},
      {"destroy", [](const std::string& number) { fake_destroy_context(std::stoi(number)); }},
      {"unload", [](const std::string&) { fake_unload(); }},
      {"exit", [](const std::string& status) { std::exit(std::stoi(status)); }},
      {"_exit", [](const std::string& status) { _exit(std::stoi(status)); }},
      {"signal", [](const std::string& number) { std::raise(std::stoi(number)); }},
      {"exit-on-signal",
       [](const std::string&) { std::signal(SIGINT, [](int) { std::exit(0); }); }},
      {"note", note},
      {"launches", launch_by_rank},
      {"gpus", choose_gpu},
      {"meet", meet},
      {"endless", launch_for_ever},
      {"endless-in-run", launch_for_ever_in_run},
      {"fork", [](const std::string&) { fake_fork(); }},
      {"orphan", leave_behind},
      {"close-files", close_files},
      {"hear", hear},
      {"garbage", send_garbage},
      {"connections", connect_often}};
  return all;
}

pid_t start(const Words& words) {
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> arguments = {const_cast<char*>("child")};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
  _exit(1);
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int start_ranks(int count, const Words& words) {
  std::vector<pid_t> ranks;
  setenv("PMI_SIZE", std::to_string(count).c_str(), 1);
  for (int rank = 0; rank < count; ++rank) {
    setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
    ranks.push_back(start(words));
  }
  int status = 0;
  for (const pid_t rank : ranks) status = std::max(status, status_of(rank));
  return status;
}

int run(const Words& words);

int run_threads(int count, const Words& words) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&words] { run(words); });
  for (std::thread& thread : threads) thread.join();
  return 0;
}

int run(const Words& words) {
  for (auto word = words.begin(); word != words.end(); ++word) {
    const std::size_t sign = word->find('=');
    const std::string verb = word->substr(0, sign);
    const std::string value = sign == std::string::npos ? "" : word->substr(sign + 1);
    const Words rest(word + 1, words.end());
    if (verb == "spawn") return status_of(start(rest));
    if (verb == "ranks") return start_ranks(std::stoi(value), rest);
    if (verb == "threads") return run_threads(std::stoi(value), rest);
    verbs().at(verb)(value);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run(Words(argv + 1, argv + argc)); }
