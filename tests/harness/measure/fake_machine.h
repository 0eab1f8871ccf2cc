// A machine made of files, in place of the kernel's.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/shared.h"
#include "tests/temporary_folder.h"

namespace gpp::test {

/// Two processors, 0 and 2, with load set by a test.
class FakeMachine {
 public:
  FakeMachine() {
    busy_ = 10;
    stolen_ = 4;
    write("proc/self/status", "Name:\tgpp\nCpus_allowed_list:\t0,2\n");
    tell();
  }

  std::filesystem::path root() const { return folder_.path(); }

  void write(const std::filesystem::path& file, const std::string& text) const {
    std::filesystem::create_directories((root() / file).parent_path());
    std::ofstream(root() / file) << text;
  }

  /// Lets seconds pass, in which both processors together spend times on this process, on others,
  /// and for the hypervisor.
  void pass(double seconds, double ours, double others, double stolen = 0) {
    now += seconds;
    own += ours;
    busy_ += ours + others;
    stolen_ += stolen;
    tell();
  }

  double& now = shared<double>();
  double& own = shared<double>();

 private:
  /// Writes ticks of 10 ms. Processor 1 is not ours and always busy.
  void tell() const {
    const auto line = [](const char* name, double busy, double stolen) {
      const auto ticks = [](double seconds) { return std::to_string(std::llround(100 * seconds)); };
      return std::string(name) + " " + ticks(busy / 2) + " 0 " + ticks(busy / 2) + " 7000 3 0 0 " +
             ticks(stolen) + " " + ticks(busy / 2) + " 0\n";
    };
    write("proc/stat", line("cpu ", 500, 0) + line("cpu0", busy_ / 2, stolen_ / 2) +
                           line("cpu1", 100 * now, 0) + line("cpu2", busy_ / 2, stolen_ / 2) +
                           "intr 1 2 3\n");
  }

  TemporaryFolder folder_;
  double& busy_ = shared<double>();
  double& stolen_ = shared<double>();
};

}  // namespace gpp::test
