#include "tests/roofline/recorded.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/roofline/fake_cuda/counts.h"

namespace roofline::test {
namespace {

using nlohmann::json;

/// Generous: nothing takes that long, unless it hangs.
constexpr std::chrono::seconds patience{120};

bool comes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Not all shells that tests run in leave the signal as it is.
void restore_interrupts(posix_spawnattr_t& attributes) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &set);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
}

}  // namespace

Running::Running(const Words& command, const std::filesystem::path& folder) : folder_(folder) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr int how = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (folder / "out").c_str(), how, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder / "err").c_str(), how, 0600);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  restore_interrupts(attributes);
  EXPECT_EQ(posix_spawnp(&process_, arguments[0], &actions, &attributes, arguments.data(), environ),
            0);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
}

Running::~Running() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Running::signal(int number) const { kill(process_, number); }

Finished Running::wait() {
  int status = 0;
  const bool ended = comes_true([&] { return waitpid(process_, &status, WNOHANG) == process_; });
  EXPECT_TRUE(ended) << "it hangs";
  if (ended) process_ = -1;
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
          gpp::test::file_text(folder_ / "out"), gpp::test::file_text(folder_ / "err")};
}

Words Recorded::tool(const Words& arguments) const {
  const std::string fakes = FAKE_CUDA_FOLDER;
  std::filesystem::create_directory(folder_ / "tmp");
  Words words = {"env",
                 "-C",
                 folder().string(),
                 "TMPDIR=" + file("tmp"),
                 "LD_LIBRARY_PATH=" + fakes,
                 "CUPTI_PATH=" + std::filesystem::path(fakes).parent_path().string()};
  words.insert(words.end(), environment.begin(), environment.end());
  words.emplace_back(ROOFLINE_TOOL);
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Words Recorded::command(const Words& options, const Words& program) const {
  Words words = tool({"record", "--roofs", "v100"});
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

Finished Recorded::record(const Words& options, const Words& program) const {
  const Finished done = run_program(command(options, program));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp")) << "a socket is left behind";
  return done;
}

Finished Recorded::run(const Words& words, const Words& options) const {
  Words program = {FAKE_PROGRAM};
  program.insert(program.end(), words.begin(), words.end());
  return record(options, program);
}

json Recorded::profile(const std::string& record) const {
  const std::string text = gpp::test::file_text(folder_ / record / "profile.json");
  const json profile = json::parse(text, nullptr, false);
  EXPECT_TRUE(profile.is_object()) << "no profile: " << text;
  return profile;
}

std::vector<std::string> Recorded::lines(const std::string& name) const {
  std::ifstream file(folder_ / name);
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);) all.push_back(line);
  return all;
}

bool Recorded::wait_for_lines(const std::string& name, std::size_t count) const {
  return comes_true([&] { return lines(name).size() >= count; });
}

bool comes_to_its_end(const std::string& process) {
  return comes_true([&process] {
    const std::string facts =
        gpp::test::file_text("/proc/" + process + "/stat");  // "123 (name) S ..."
    const std::size_t name = facts.rfind(") ");
    return name == facts.npos || facts[name + 2] == 'Z';  // perhaps nobody waits for it
  });
}

json kernel_in(const json& profile, const std::string& name) {
  for (const json& kernel : profile.value("kernels", json::array()))
    if (kernel["name"] == name) return kernel;
  return nullptr;
}

bool notes(const json& place, const std::string& text) {
  for (const json& note : place.value("notes", json::array()))
    if (note.get<std::string>().find(text) != std::string::npos) return true;
  return false;
}

void expect_exact(const json& profile, const std::string& name, int launches) {
  const json kernel = kernel_in(profile, name);
  ASSERT_FALSE(kernel.is_null()) << name << " is not in\n" << profile.dump(1);
  EXPECT_EQ(kernel["launches"], launches) << name;
  const double seconds = 1e-9 * launches * static_cast<double>(fake::nanoseconds_of(name));
  EXPECT_NEAR(kernel["seconds"].get<double>(), seconds, 1e-9 * seconds) << name;
  for (const auto& [counter, value] : fake::counters())
    EXPECT_EQ(kernel["counters"].value(counter, -1.0), launches * fake::count_of(name, counter))
        << counter << " of " << name;
}

}  // namespace roofline::test
