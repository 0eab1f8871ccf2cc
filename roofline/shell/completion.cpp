// Scripts with which shells complete a program's commands, options and their choices. All else is
// completed as a file.
#include <fmt/format.h>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/shell/describe.h"

namespace roofline {
namespace {

std::string escaped(std::string_view text, std::string_view which) {
  std::string with;
  for (const char letter : text) {
    if (which.find(letter) != which.npos) with += '\\';
    with += letter;
  }
  return with;
}

/// In single quotes, as every shell takes it.
std::string in_quotes(std::string_view text) {
  return "'" + replaced(text, {{'\'', "'\\''"}}) + "'";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

// ---------------------------------------------------------------- bash

/// The words that may stand in a command: a line of a `case` over its name. Options are offered to
/// who types a dash; else there would be no place for files.
std::string bash_words(const DescribedCommand& command, const std::string& name) {
  std::vector<std::string> words, options;
  for (const DescribedCommand& below : command.commands) words.push_back(below.name);
  for (const DescribedOption& option : command.options) {
    std::vector<std::string>& list = option.positional ? words : options;
    const std::vector<std::string>& more = option.positional ? option.choices : option.names;
    list.insert(list.end(), more.begin(), more.end());
  }
  return fmt::format("    {}) words={} options={} ;;\n", in_quotes(name), in_quotes(joined(words)),
                     in_quotes(joined(options)));
}

/// The values that may follow each option that takes one: a choice, or a file.
std::string bash_values(const DescribedCommand& command) {
  std::string lines;
  for (const DescribedOption& option : command.options) {
    if (option.positional || !option.takes_value) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names)
      patterns.push_back(in_quotes(command.name + " " + name));
    lines += fmt::format("    {}) words={} ;;\n", fmt::join(patterns, "|"),
                         in_quotes(joined(option.choices)));
  }
  return lines;
}

std::string bash_script(const DescribedCommand& program) {
  std::string values, words = bash_words(program, "");
  for (const DescribedCommand& command : program.commands) {
    values += bash_values(command);
    words += bash_words(command, command.name);
  }
  return fmt::format(R"(# Completion of {0} in bash, written by `{0} completion bash`.
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command='' words='' options='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${{COMP_WORDS[i]}} != -- ]] || return 0
    [[ $command || ${{COMP_WORDS[i]}} == -* ]] || command=${{COMP_WORDS[i]}}
  done
  case "$command $before" in
{1}    *) case "$command" in
{2}    esac ;;
  esac
  [[ $word != -* ]] || words=$options
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _{0} {0}
)",
                     program.name, values, words);
}

// ---------------------------------------------------------------- zsh

/// Words for _arguments: '--device[host or gpu]:value:(host gpu)', and '1:variant:_files'.
std::string zsh_options(const DescribedCommand& command) {
  std::string specs;
  int place = 0;
  for (const DescribedOption& option : command.options) {
    const std::string action =
        option.choices.empty() ? "_files" : "(" + joined(option.choices) + ")";
    const std::string value = option.takes_value ? ":value:" + action : "";
    ++place;
    for (const std::string& name : option.names) {
      const std::string spec =
          option.positional
              ? fmt::format("{}:{}:{}", option.repeats ? "*" : std::to_string(place), name, action)
              : fmt::format("{}[{}]{}", name, escaped(option.description, "\\[]:"), value);
      specs += fmt::format(" \\\n          {}", in_quotes(spec));
    }
  }
  return specs;
}

std::string zsh_script(const DescribedCommand& program) {
  std::string names, cases;
  for (const DescribedCommand& command : program.commands) {
    names += fmt::format("        {}\n", in_quotes(command.name + ":" + command.description));
    cases +=
        fmt::format("        {})\n          _arguments{} ;;\n", command.name, zsh_options(command));
  }
  return fmt::format(R"(#compdef {0}
# Completion of {0} in zsh, written by `{0} completion zsh`.
_{0}() {{
  local state
  local -a commands
  _arguments -C '1: :->command' '*:: :->rest'{1}
  case $state in
    command)
      commands=(
{2}      )
      _describe command commands ;;
    rest)
      case $words[1] in
{3}      esac ;;
  esac
}}
if [ "$funcstack[1]" = _{0} ]; then _{0} "$@"; else compdef _{0} {0}; fi
)",
                     program.name, zsh_options(program), names, cases);
}

// ---------------------------------------------------------------- fish

std::string fish_option(const std::string& program, const std::string& where,
                        const DescribedOption& option) {
  std::string line = fmt::format("complete -c {} -n {}", program, in_quotes(where));
  for (const std::string& name : option.names)
    if (!option.positional)
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.choices.empty())
    line += fmt::format(" -x -a {}", in_quotes(joined(option.choices)));
  else if (option.takes_value)
    line += " -r";
  return fmt::format("{} -d {}\n", line, in_quotes(escaped(option.description, "\\")));
}

std::string fish_script(const DescribedCommand& program) {
  std::string text =
      fmt::format("# Completion of {0} in fish, written by `{0} completion fish`.\n", program.name);
  const std::string first = "__fish_use_subcommand";
  for (const DescribedCommand& command : program.commands)
    text += fmt::format("complete -c {} -f -n {} -a {} -d {}\n", program.name, first, command.name,
                        in_quotes(escaped(command.description, "\\")));
  for (const DescribedOption& option : program.options)
    text += fish_option(program.name, first, option);
  for (const DescribedCommand& command : program.commands)
    for (const DescribedOption& option : command.options)
      if (!option.positional || !option.choices.empty())
        text += fish_option(program.name, "__fish_seen_subcommand_from " + command.name, option);
  return text;
}

}  // namespace

std::string completion_script(const DescribedCommand& program, std::string_view shell) {
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh") return zsh_script(program);
  if (shell == "fish") return fish_script(program);
  throw InputError(
      fmt::format("no completion for the shell '{}'; there is bash, zsh and fish", shell));
}

}  // namespace roofline
