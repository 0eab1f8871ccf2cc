#include "roofline/shell/commands.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <string>

#include "roofline/shell/describe.h"

namespace roofline {

std::vector<std::pair<CLI::App*, std::function<int()>>> add_shell_commands(CLI::App& program) {
  const std::string name = program.get_name();
  CLI::App* completion = program.add_subcommand(
      "completion", "To type less: what completes commands and options in your shell");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "Whose script is printed")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->footer(
      fmt::format("Examples:\n"
                  "  {0} completion bash > ~/.local/share/bash-completion/completions/{0}\n"
                  "  {0} completion zsh > FOLDER/_{0}      a folder of fpath\n"
                  "  {0} completion fish > ~/.config/fish/completions/{0}.fish",
                  name));
  CLI::App* manual = program.add_subcommand("manual", "To read all of --help at once: for man");
  manual->footer(fmt::format("Examples:\n  {0} manual | man -l -\n  {0} manual > {0}.1", name));
  for (CLI::App* command : {completion, manual}) command->group("Set up");
  return {{completion,
           [&program, shell] {
             fmt::print("{}", completion_script(describe(program), *shell));
             return 0;
           }},
          {manual, [&program] {
             fmt::print("{}", manual_page(describe(program)));
             return 0;
           }}};
}

}  // namespace roofline
