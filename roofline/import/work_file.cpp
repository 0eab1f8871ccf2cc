#include "roofline/import/work_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "roofline/base/outside.h"
#include "roofline/base/text.h"
#include "roofline/models/table_text.h"

namespace roofline {
namespace {

constexpr std::uintmax_t most_work_file_bytes = std::uintmax_t{64} << 10;
constexpr std::size_t longest_formula = 2000, longest_expression = 500;

/// The variables of a launch that formulas may use, with their values.
Counters variables_of(const LaunchForm& form) {
  Counters values = {{"blocks", form.blocks()},
                     {"threads", form.blocks() * static_cast<double>(form.threads_of_block())},
                     {"launches", 1}};
  for (std::size_t side = 0; side < 3; ++side) {
    values[std::string("g") + "xyz"[side]] = static_cast<double>(form.grid[side]);
    values[std::string("b") + "xyz"[side]] = static_cast<double>(form.block[side]);
  }
  return values;
}

/// Keys of any kind of device: which one a profile is of is not known when a file is read.
std::vector<std::string> keys_of_all_tables() {
  std::set<std::string> keys;
  for (const ModelTable* table : all_tables()) {
    if (table == &host_table()) continue;
    for (const Model& model : table->models) keys.insert(work_key(model.name));
    for (const Level& level : table->levels)
      if (!level.traffic.empty()) keys.insert(level.name);
  }
  return {keys.begin(), keys.end()};
}

/// Repetitions and references back make some expressions take the memory, or for ever.
bool is_harmless(std::string_view expression) {
  for (std::size_t i = 0; i + 1 < expression.size(); ++i) {
    const char next = expression[i + 1];
    if (expression[i] == '{' && (is_digit(next) || next == ',')) return false;
    if (expression[i] == '\\' && is_digit(next)) return false;
  }
  return expression.size() <= longest_expression;
}

Formula formula_in(const TableBlock& block, const TableField& field) {
  if (field.value.size() > longest_formula)
    block.refuse(field.line, fmt::format("longer than {} characters", longest_formula));
  Formula formula = block.formula(field);
  for (const std::string& name : formula.names())
    if (!variables_of({}).contains(name))
      block.refuse(field.line,
                   fmt::format("unknown name '{}'; there are gx, gy, gz, bx, by, bz, blocks, "
                               "threads and launches",
                               name));
  return formula;
}

std::shared_ptr<inject::Chooser> chooser_of(const TableBlock& block) {
  if (!is_harmless(block.name))
    block.refuse(block.line, fmt::format("an expression of at most {} characters, without "
                                         "repetitions such as {{3}} and references such as \\1",
                                         longest_expression));
  try {
    inject::Selection selection;
    selection.kernel = block.name;
    return std::make_shared<inject::Chooser>(selection);
  } catch (const InputError& error) {
    block.refuse(block.line, error.what());
  }
}

}  // namespace

WorkFile::WorkFile(std::string_view text, const std::string& source) : source_(visible(source)) {
  for (const TableBlock& block : read_blocks(text, source_, {{"kernel", keys_of_all_tables()}})) {
    Entry& entry = entries_.emplace_back(Entry{block.name, chooser_of(block), {}});
    if (block.fields.empty()) block.refuse(block.line, "neither operations nor bytes follow it");
    for (const TableField& field : block.fields)
      entry.amounts.push_back(
          {field.key, fmt::format("{}:{}", block.file, field.line), formula_in(block, field)});
  }
  if (entries_.empty()) throw InputError(source_ + ": no block 'kernel EXPRESSION' in it");
}

void WorkFile::state(const Entry& entry, KernelProfile& kernel) const {
  StatedWork work{source_};
  std::vector<FormLaunches> forms = kernel.forms;
  const bool told = !forms.empty();
  if (!told) forms.push_back({{}, kernel.launches, 0});
  std::erase_if(kernel.missing, [](const Missing& one) { return one.name.ends_with(by_formula); });
  const auto left_out = std::ranges::find(kernel.missing, "forms", &Missing::name);
  const std::string no_forms = left_out == kernel.missing.end() ? "" : left_out->reason;
  double all = 0;
  for (const FormLaunches& one : forms) all += static_cast<double>(one.launches);
  for (const Amount& amount : entry.amounts) {
    double sum = 0;
    std::string why = no_forms;
    for (const FormLaunches& one : forms) {
      Counters values = told ? variables_of(one.form) : Counters();
      values["launches"] = static_cast<double>(kernel.launches);
      const double value = amount.formula.evaluate(values).value_or(-1);
      sum += value * static_cast<double>(one.launches);
      if (value < 0 && why.empty())
        why = told ? fmt::format("no finite number of 0 or more for grid {}, block {}",
                                 fmt::join(one.form.grid, "x"), fmt::join(one.form.block, "x"))
                   : "this profile does not tell how it was launched";
    }
    sum *= static_cast<double>(kernel.launches) / all;
    if (why.empty() && !bounds::count.hold(sum)) why = "its sum over all launches is too large";
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
  std::vector<std::string> unused;
  for (const Entry& entry : entries_) unused.push_back(entry.expression);
  for (KernelProfile& kernel : profile.kernels) {
    const auto entry = std::ranges::find_if(
        entries_, [&kernel](const Entry& one) { return one.chooser->suits(kernel.name); });
    if (entry == entries_.end()) continue;
    std::erase(unused, entry->expression);
    state(*entry, kernel);
  }
  derive(profile);
  return unused;
}

WorkFile work_file(const std::string& name) {
  return WorkFile(text_of_outside_file(name, most_work_file_bytes), name);
}

}  // namespace roofline
