// The commands of the program `roofline`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roofline/inject/record.h"

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

// ---- Common code of commands that start a program with the injected library (starting.cpp)

/// A command that runs `action`. `words` are the program with its arguments; if empty, these begin
/// with the first word that is not an option. They are stored in `arguments`, which lives as long
/// as `action`. Without any, InputError is thrown.
ToolCommand for_a_program(CLI::App& command, std::vector<std::string>& arguments,
                          std::vector<std::string> words, std::function<int()> action);

/// Adds --kernel and --wait.
void add_watching_options(CLI::App& command, std::string& kernel, double& longest_wait);

/// Prints to standard error, because standard output belongs to the program.
void say(const std::string& text);

/// Says how a counted run, whose output is hidden, ended otherwise than the shown one.
void say_other_end(const inject::Tally& shown, const inject::Tally& counted);

/// The library that is injected into programs. Throws InputError if it is missing.
std::string library_file();

/// The bus address of the first GPU; may be empty. Throws InputError with the reason if counting is
/// impossible. `kept` names the data that need no permission.
std::string check_machine(const std::string& kept);

/// The reason why a run has nothing to watch; else empty.
std::string nothing_launched(const inject::Tally& run);

}  // namespace roofline
