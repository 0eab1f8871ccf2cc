#include "tests/roofline/recorded.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/roofline/fake_cuda/counts.h"

namespace roofline::test {
namespace {

/// generous: only a hang takes longer
constexpr std::chrono::seconds patience{120};

bool comes_true(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace

Running::Running(const Words& command, const std::filesystem::path& folder)
    : number_(folder / "tool") {
  Words words = {"sh", "-c", "echo $$ > \"$0\"; exec \"$@\"", number_.string()};
  words.insert(words.end(), command.begin(), command.end());
  done_ = std::async(std::launch::async, [words] { return run_program(words, patience); });
}

void Running::signal(int number) const {
  EXPECT_TRUE(comes_true([this] { return gpp::test::file_text(number_).ends_with('\n'); }));
  kill(std::stoi(gpp::test::file_text(number_)), number);
}

Finished Running::wait() {
  Finished done = done_.get();
  EXPECT_FALSE(done.silenced) << "it hangs";
  return done;
}
Words Recorded::tool(const Words& arguments) const {
  const std::string fakes = FAKE_CUDA_FOLDER;
  std::filesystem::create_directory(folder_ / "tmp");
  Words words = {"env",
                 "--default-signal=INT",  // some shells ignore SIGINT
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
    return name == facts.npos || facts[name + 2] == 'Z';  // the process may be a zombie
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
