// Before a program is started with the library inside: what its commands share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "roofline/inject/tally.h"
#include "roofline/tool/commands.h"

namespace roofline {

/// The command, done by `action`. Its program and arguments are `words`; where there are none, they
/// begin with the first word that is no option. `arguments` gets them, and lives as long as
/// `action`.
ToolCommand for_a_program(CLI::App& command, std::vector<std::string>& arguments,
                          std::vector<std::string> words, std::function<int()> action);

/// Speaks to the user on standard error: standard output is the program's own.
void say(const std::string& text);

/// The library that is put into programs. Throws InputError where it is missing.
std::string library_file();

/// The place on the bus of the first GPU; may be empty. Throws InputError with the reason where
/// nothing can be counted here. `kept`: what needs no right.
std::string check_machine(const std::string& kept);

/// A new folder's name: this one, or with a number where it is there already.
std::string free_folder(const std::string& name, bool replace);

/// Throws InputError where the folder cannot be made or written, or has the file.
void check_folder(const std::string& folder, const std::string& file, bool replace);

/// Says why there is nothing to watch in a run; empty where there is something.
std::string nothing_launched(const inject::Tally& run);

}  // namespace roofline
