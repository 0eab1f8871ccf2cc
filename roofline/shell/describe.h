// What --help says of a program, as data: the texts for shells and for `man` are made of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace roofline {

struct DescribedOption {
  std::vector<std::string> names;    ///< {"-o", "--output"}; a positional has one without dashes
  std::string value;                 ///< what follows them: " TEXT REQUIRED"; empty for flags
  std::vector<std::string> choices;  ///< the words that it may be; empty: any
  std::string group;
  std::string description;
  bool positional = false;
  bool takes_value = false;
  bool repeats = false;  ///< takes any number of values
};

struct DescribedCommand {
  std::string name;   ///< "gpp", or "run" of a command in it
  std::string usage;  ///< "gpp run [OPTIONS] variant"
  std::string group;
  std::string description;
  std::string footer;
  std::string version;                     ///< "gpp 0.2.0"; of the program alone
  std::vector<DescribedOption> options;    ///< group by group, positionals first
  std::vector<DescribedCommand> commands;  ///< group by group
};

/// All that --help shows of the program and of its commands.
DescribedCommand describe(const CLI::App& program);

/// A script for "bash", "zsh" or "fish" that completes commands, options and their choices.
std::string completion_script(const DescribedCommand& program, std::string_view shell);

std::string manual_page(const DescribedCommand& program);

}  // namespace roofline
