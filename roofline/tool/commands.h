// The commands of the program `roofline`.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace roofline {

/// A command, and the function that runs it and returns the exit status.
struct ToolCommand {
  CLI::App* app;
  std::function<int()> run;
};

ToolCommand add_ceilings(CLI::App& program);
ToolCommand add_counters(CLI::App& program);
ToolCommand add_import(CLI::App& program);
/// `words` are the program and its arguments, if they follow --.
ToolCommand add_record(CLI::App& program, std::vector<std::string> words);
/// Adds the command `lines`; `words` are those of add_record().
ToolCommand add_lines(CLI::App& program, std::vector<std::string> words);
ToolCommand add_show(CLI::App& program);
ToolCommand add_report(CLI::App& program);
ToolCommand add_compare(CLI::App& program);
ToolCommand add_verify(CLI::App& program);

}  // namespace roofline
