// The manual page, in the language of troff with the macros of man(7).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "roofline/base/text.h"
#include "roofline/shell/describe.h"

namespace roofline {
namespace {

/// A text as troff shows it letter by letter. A line that begins with a dot would be a request.
std::string as_roff(std::string_view text) {
  const std::string plain = replaced(text, {{'\\', "\\e"},
                                            {'-', "\\-"},
                                            {'\'', "\\(aq"},
                                            {'`', "\\(ga"},
                                            {'^', "\\(ha"},
                                            {'~', "\\(ti"}});
  std::string shown;
  for (const char letter : plain) {
    if (letter == '.' && (shown.empty() || shown.back() == '\n')) shown += "\\&";
    shown += letter;
  }
  return shown;
}

/// An entry: its name in bold, and the text below it.
std::string roff_item(std::string_view name, std::string_view rest, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", as_roff(name), as_roff(rest), as_roff(text));
}

/// `group`: whose heading is there already.
std::string roff_options(const DescribedCommand& command, std::string group = "") {
  std::string text;
  for (const DescribedOption& option : command.options) {
    if (option.group != group) text += fmt::format(".SS {}\n", as_roff(group = option.group));
    text += roff_item(fmt::format("{}", fmt::join(option.names, ", ")), option.value,
                      option.description);
  }
  return text;
}

/// Lines that stay as they are.
std::string roff_footer(const std::string& footer) {
  return footer.empty() ? "" : fmt::format(".PP\n.nf\n{}\n.fi\n", as_roff(trimmed(footer)));
}

}  // namespace

std::string manual_page(const DescribedCommand& program) {
  std::string title = program.name;
  std::ranges::transform(title, title.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  std::string page = fmt::format(
      ".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n.SH "
      "OPTIONS\n",
      title, as_roff(program.version), program.name, as_roff(program.description),
      as_roff(program.usage));
  page += roff_options(program, "Options") + ".SH COMMANDS\n";
  std::string group;
  for (const DescribedCommand& command : program.commands) {
    if (command.group != group) page += fmt::format(".SS {}\n", as_roff(group = command.group));
    page += roff_item(command.name, "", command.description);
  }
  page += roff_footer(program.footer);
  for (const DescribedCommand& command : program.commands)
    page += fmt::format(".SH {} {}\n{}\n.PP\n{}\n{}{}", program.name, command.name,
                        as_roff(command.description), as_roff(command.usage), roff_options(command),
                        roff_footer(command.footer));
  return page;
}

}  // namespace roofline
