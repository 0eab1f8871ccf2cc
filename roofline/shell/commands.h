// The commands `completion` and `manual`, which any program with commands can have.
#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace roofline {

/// Adds both; each with what it does when it is chosen: the exit status. They write texts for
/// shells and for `man` to standard output.
std::vector<std::pair<CLI::App*, std::function<int()>>> add_shell_commands(CLI::App& program);

}  // namespace roofline
