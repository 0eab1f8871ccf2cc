#include "roofline/shell/describe.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace roofline {
namespace {

/// The words of a value that may be nothing else: "TEXT:{host,gpu}", or "auto|off".
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t begin = type.find('{'), end = type.find('}');
  if (begin != type.npos && end != type.npos && begin < end)
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
  if (type.find('|') == type.npos) return {};
  return CLI::detail::split(type, '|');
}

DescribedOption describe_option(const CLI::Option& option) {
  const CLI::Formatter form;
  DescribedOption one;
  one.positional = option.get_positional();
  if (one.positional) {
    one.names = {option.get_name(true, false)};
    one.group = "Positionals";
  } else {
    for (const std::string& name : option.get_snames()) one.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) one.names.push_back("--" + name);
    one.group = option.get_group();
  }
  one.value = form.make_option_opts(&option);
  one.takes_value = option.get_expected_max() > 0 && option.get_type_size() > 0;
  one.repeats = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  if (one.takes_value) one.choices = choices_of(option.get_type_name());
  one.description = option.get_description();
  return one;
}

/// Groups in the order in which the first of each came, as --help shows them.
template <class Described>
void order_by_group(std::vector<Described>& list) {
  std::vector<std::string> groups;
  for (const Described& one : list) groups.push_back(one.group);
  const auto place = [&](const Described& one) { return std::ranges::find(groups, one.group); };
  std::ranges::stable_sort(list, [&](const Described& one, const Described& other) {
    return place(one) < place(other);
  });
}

DescribedCommand describe_command(const CLI::App& app, const std::string& above) {
  DescribedCommand all;
  all.name = app.get_name();
  all.group = app.get_group();
  all.description = app.get_description();
  all.footer = app.get_footer();
  const std::string whole = above + all.name;
  all.usage = whole + " [OPTIONS]";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    all.options.push_back(describe_option(*option));
    if (option->get_positional()) all.usage += " " + CLI::Formatter().make_option_usage(option);
  }
  std::ranges::stable_partition(all.options, &DescribedOption::positional);
  order_by_group(all.options);
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty())
      all.commands.push_back(describe_command(*command, whole + " "));
  order_by_group(all.commands);
  if (!all.commands.empty()) all.usage += " COMMAND";
  return all;
}

}  // namespace

DescribedCommand describe(const CLI::App& program) {
  DescribedCommand all = describe_command(program, "");
  all.version = program.version();
  return all;
}

}  // namespace roofline
