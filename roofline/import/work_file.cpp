#include "roofline/import/work_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "roofline/base/error.h"
#include "roofline/base/outside.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

constexpr std::uintmax_t most_work_file_bytes = std::uintmax_t{64} << 10;
constexpr std::size_t longest_formula = 2000, longest_expression = 500;

/// Variables of a launch that formulas may use.
const std::vector<std::string>& launch_names() {
  static const std::vector<std::string> names = {"gx", "gy",     "gz",      "bx",      "by",
                                                 "bz", "blocks", "threads", "launches"};
  return names;
}

void add_form(const LaunchForm& form, Counters& values) {
  for (std::size_t i = 0; i < 3; ++i) {
    values[launch_names()[i]] = static_cast<double>(form.grid[i]);
    values[launch_names()[3 + i]] = static_cast<double>(form.block[i]);
  }
  values["blocks"] = form.blocks();
  values["threads"] = form.blocks() * static_cast<double>(form.threads_of_block());
}

/// Keys of any kind of device: which one a profile is of is not known when a file is read.
const std::vector<std::string>& keys_of_all_tables() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> keys;
    const auto add = [&keys](const std::string& key) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    };
    for (const ModelTable* table : all_tables()) {
      if (table == &host_table()) continue;
      for (const Model& model : table->models) add(work_key(model.name));
      for (const Level& level : table->levels)
        if (!level.traffic.empty()) add(level.name);
    }
    return keys;
  }();
  return all;
}

/// Repetitions and references back make some expressions take the memory, or for ever.
bool is_harmless(std::string_view expression) {
  if (expression.size() > longest_expression) return false;
  for (std::size_t i = 0; i + 1 < expression.size(); ++i) {
    const char next = expression[i + 1];
    const bool digit = next >= '0' && next <= '9';
    if (expression[i] == '{' && (digit || next == ',')) return false;
    if (expression[i] == '\\' && digit) return false;
  }
  return true;
}

std::string form_text(const LaunchForm& form) {
  return fmt::format("grid {}, block {}", fmt::join(form.grid, "x"), fmt::join(form.block, "x"));
}

}  // namespace

WorkFile::WorkFile(std::string_view text, const std::string& source) : source_(visible(source)) {
  const std::vector<BlockKind> kinds = {{"constant", {"value"}}, {"kernel", keys_of_all_tables()}};
  for (const TableBlock& block : read_blocks(text, source_, kinds))
    block.kind == "constant" ? read_constant(block) : read_kernel(block);
  if (entries_.empty()) throw InputError(source_ + ": no block 'kernel EXPRESSION' in it");
}

Formula WorkFile::formula_in(const TableBlock& block, const TableField& field,
                             bool of_launch) const {
  if (field.value.size() > longest_formula)
    block.refuse(field.line, fmt::format("longer than {} characters", longest_formula));
  Formula formula = block.formula(field);
  std::vector<std::string> known = of_launch ? launch_names() : std::vector<std::string>();
  for (const auto& [constant, value] : constants_) known.push_back(constant);
  for (const std::string& name : formula.names())
    if (std::ranges::find(known, name) == known.end())
      block.refuse(field.line, unknown_name("name", name, known));
  return formula;
}

void WorkFile::read_constant(const TableBlock& block) {
  std::vector<std::string> names;
  try {
    names = Formula(block.name).names();
  } catch (const FormulaError&) {
  }
  const bool taken = std::ranges::find(launch_names(), block.name) != launch_names().end();
  if (taken || names != std::vector{block.name})
    block.refuse(block.line, fmt::format("'{}' is {}", visible(block.name),
                                         taken ? "told by each launch" : "no name of letters"));
  block.text("value");
  const TableField& field = *block.find("value");
  const auto value = formula_in(block, field, false).evaluate(constants_);
  if (!value) block.refuse(field.line, "its value is not finite: too large, or divided by 0");
  constants_[block.name] = *value;
}

void WorkFile::read_kernel(const TableBlock& block) {
  if (!is_harmless(block.name))
    block.refuse(block.line, fmt::format("an expression of at most {} characters, without "
                                         "repetitions such as {{3}} and references such as \\1",
                                         longest_expression));
  Entry entry{block.name, nullptr, {}};
  try {
    inject::Selection selection;
    selection.kernel = block.name;
    entry.chooser = std::make_shared<inject::Chooser>(selection);
  } catch (const InputError& error) {
    block.refuse(block.line, error.what());
  }
  if (block.fields.empty()) block.refuse(block.line, "neither operations nor bytes follow it");
  for (const TableField& field : block.fields)
    entry.amounts.push_back(
        {field.key, fmt::format("{}:{}", block.file, field.line), formula_in(block, field, true)});
  entries_.push_back(std::move(entry));
}

void WorkFile::state(const Entry& entry, KernelProfile& kernel) const {
  StatedWork work{source_};
  std::vector<FormLaunches> forms = kernel.forms;
  const bool told = !forms.empty();
  if (!told) forms.push_back({{}, kernel.launches, 0});
  std::erase_if(kernel.missing, [](const Missing& one) { return one.name.ends_with(by_formula); });
  double all = 0;
  for (const FormLaunches& one : forms) all += static_cast<double>(one.launches);
  for (const Amount& amount : entry.amounts) {
    double sum = 0;
    std::string why;
    for (const FormLaunches& one : forms) {
      Counters values = constants_;
      values["launches"] = static_cast<double>(kernel.launches);
      if (told) add_form(one.form, values);
      const auto value = amount.formula.evaluate(values);
      sum += value.value_or(0) * static_cast<double>(one.launches);
      if (!value && !told)
        why = "this profile does not tell how it was launched";
      else if (!value || *value < 0)
        why = fmt::format("no finite number of 0 or more for {}", form_text(one.form));
    }
    sum *= static_cast<double>(kernel.launches) / all;
    if (why.empty() && !bounds::count.hold(sum)) why = "its sum over all launches is too large";
    if (const auto more = std::ranges::find(kernel.missing, "forms", &Missing::name);
        more != kernel.missing.end())
      why = more->reason;
    if (why.empty())
      work.amounts[amount.key] = sum;
    else
      kernel.missing.push_back(
          {fmt::format("{} {}", amount.key, by_formula), amount.place + ": " + why});
  }
  kernel.stated.reset();
  if (!work.amounts.empty()) kernel.stated = std::move(work);
}

std::vector<std::string> WorkFile::state(Profile& profile) const {
  std::vector<bool> used(entries_.size());
  for (KernelProfile& kernel : profile.kernels) {
    const auto entry = std::ranges::find_if(
        entries_, [&kernel](const Entry& one) { return one.chooser->suits(kernel.name); });
    if (entry == entries_.end()) continue;
    used[static_cast<std::size_t>(entry - entries_.begin())] = true;
    state(*entry, kernel);
  }
  derive(profile);
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (!used[i]) unused.push_back(entries_[i].expression);
  return unused;
}

WorkFile work_file(const std::string& name) {
  return WorkFile(text_of_outside_file(name, most_work_file_bytes), name);
}

}  // namespace roofline
