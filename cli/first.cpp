// build/gpp-first is the `gpp study` of a fresh clone. It is linked before the rest of the program
// is compiled (cmake/First.cmake). It measures, records and prints as build/gpp does, from the same
// object files. This file replaces the functions for charts and reports; scripts/study has
// build/gpp draw these from the record later.

#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "harness/measure/worker.h"
#include "harness/program/build_tree.h"
#include "harness/report/write_study.h"
#include "harness/view/brief.h"
#include "runtimes/threads.h"

namespace gpp {

std::vector<AddCommand> all_commands() { return {add_study}; }

/// Prints the record's path for scripts/study.
roofline::WrittenCharts write_study(ResultsFolder& folder, const Measured& measured) {
  write_record_of(folder, measured);
  std::ofstream(own_build_tree().value().folder / "first_study")
      << std::filesystem::absolute(folder.working()).string();
  return {"Its charts and its report follow when build/gpp is there", false};
}

// This program cannot do --details and --lines; scripts/study runs build/gpp for them.
std::string in_full(const StudyRecord& study, bool colours) { return brief(study, colours); }

}  // namespace gpp

int main(int argc, char** argv) {
  if (gpp::work_if_asked(argc, argv)) return 0;
  gpp::free_first_thread();
  return gpp::run_command_line(argc, argv);
}
