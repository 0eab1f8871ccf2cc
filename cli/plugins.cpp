#include "cli/plugins.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/measure/options.h"
#include "harness/plugin/plugin.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {

bool names_plugin(const std::string& name, const Kernel& kernel) {
  if (name.find('/') != std::string::npos || name.ends_with(".cpp") || name.ends_with(".cu"))
    return true;
  std::error_code error;
  return std::filesystem::is_directory(name, error) &&
         std::ranges::none_of(kernel.catalog(), [&name](const Variant& variant) {
           return variant.id == name || variant.step == name;
         });
}

void adopt_plugin(std::string& name, const Wanted& wanted, const BuildChoice& choice) {
  if (!names_plugin(name, *wanted.kernel)) return;
  const PluginSource source = plugin_in(name, *wanted.kernel, wanted.kind);
  rebuild_if_headers_changed(files_of(source), choice);
  roofline::ProgressLine progress;
  progress.show("compiling " + source.shown);
  const BuiltPlugin built = build_plugin(source);
  progress.clear();
  if (!built.from_cache)
    fmt::print(stderr, "{}gpp: {} compiled in {}\n", roofline::visible_lines(built.messages),
               source.shown, roofline::describe_seconds(built.seconds));
  adopt(source, built.library);
  name = source.name;
}

void adopt_plugins(std::vector<std::string>& names, const Wanted& wanted,
                   const BuildChoice& choice) {
  for (std::string& name : names) adopt_plugin(name, wanted, choice);
}

}  // namespace gpp
