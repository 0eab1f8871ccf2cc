#include "roofline/import/import.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/import/tables.h"
#include "roofline/inject/selection.h"
#include "roofline/models/model_table.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// Everything that is read for one profile.
struct Parts {
  std::vector<ImportedTable> ncu, rocprof;
  std::optional<Ceilings> roofs;
  RocprofDevice device;
  std::vector<std::string> also_read;  ///< files found beside those named
};

/// Takes a table; false where the text is none.
bool take(const std::string& text, const std::string& file, Parts& parts) {
  const TableKind kind = kind_of(text);
  if (kind == TableKind::none) return false;
  if (kind == TableKind::roofs) {
    parts.roofs = read_rocprof_roofs(text, file);
  } else if (kind == TableKind::device) {
    RocprofDevice device = read_rocprof_device(text, file);
    if (!device.name.empty()) parts.device.name = device.name;
    parts.device.chips.merge(device.chips);
  } else {
    std::ranges::move(read_launches(text, file, kind),
                      std::back_inserter(kind == TableKind::ncu ? parts.ncu : parts.rocprof));
  }
  return true;
}

/// The other tables of the same run that lie beside one of counters.
void take_neighbours(const fs::path& file, std::set<std::string>& read, Parts& parts) {
  const std::string name = file.filename().string();
  const std::size_t end = std::min(name.find("pmc_perf"), name.find("counter_collection.csv"));
  if (end == name.npos) return;
  for (const char* other :
       {"timestamps.csv", "kernel_trace.csv", "roofline.csv", "sysinfo.csv", "agent_info.csv"}) {
    const fs::path neighbour = file.parent_path() / (name.substr(0, end) + other);
    std::error_code error;
    if (!fs::is_regular_file(neighbour, error) || !read.insert(neighbour.string()).second) continue;
    if (take(text_of_table(neighbour.string()), neighbour.string(), parts))
      parts.also_read.push_back(neighbour.filename().string());
  }
}

/// The files of folders, at any depth, as far as they may be tables; any other name as it is.
std::vector<fs::path> files_in(const std::vector<fs::path>& names) {
  constexpr std::size_t most = 1000;
  std::vector<fs::path> files;
  for (const fs::path& name : names) {
    std::error_code error;
    if (!fs::is_directory(name, error)) {
      files.push_back(name);
      continue;
    }
    std::set<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(name))
      if (entry.is_regular_file(error) &&
          (entry.path().extension() == ".csv" || is_ncu_report(entry.path().string())))
        found.insert(entry.path());
    if (found.empty() || found.size() > most)
      refuse_file(name.string(), fmt::format("{} tables (.csv) and reports (.ncu-rep) are in this "
                                             "folder; name those of one run",
                                             found.size()));
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// The table of formulas for AMD's chip, as the files or somebody else name it.
const ModelTable& table_for(const Parts& parts, const std::string& asked) {
  const std::set<std::string>& named = parts.device.chips;
  if (asked.empty() ? named.size() > 1 : !named.empty() && !named.contains(asked))
    throw InputError(fmt::format("the files name {}: tell the chip that counted, as in --chip {}",
                                 fmt::join(named, ", "), *named.begin()));
  const std::string chip = !asked.empty() ? asked : named.empty() ? "gfx90a" : *named.begin();
  const ModelTable* table = table_of_chip(chip);
  if (table == nullptr)
    throw InputError(fmt::format("no formulas are known for counters of {}, but of {}",
                                 visible(chip), chips_with_tables));
  return *table;
}

constexpr const char* no_table =
    "neither a table of Nsight Compute (ncu --csv --page raw) nor one of rocprof, rocprofv3 or "
    "rocprof-compute: there is no header with a column of kernels and a counter that is known "
    "here; "
    "roofline counters --for ncu, or --for rocprof, names those";

Profile rocprof_profile(Parts parts, const std::string& chip) {
  Profile profile;
  profile.source = "rocprof";
  profile.kind = table_for(parts, chip).device;
  profile.device = parts.device.name.empty() ? "AMD GPU" : visible(parts.device.name);
  if (chip.empty() && parts.device.chips.empty())
    profile.device += ", which no file names: read as gfx90a (--chip tells another)";
  ImportedTable table = joined(std::move(parts.rocprof), profile.notes);
  profile.kernels = by_kernel(table, rocprof_counts);
  profile.ceilings = std::move(parts.roofs);
  if (profile.ceilings) {
    profile.ceilings->device = profile.device;
    profile.ceilings->kind = profile.kind;
  }
  if (!parts.also_read.empty())
    profile.notes.push_back(fmt::format("Read beside it: {}.", fmt::join(parts.also_read, ", ")));
  return profile;
}

Profile ncu_profile(Parts parts) {
  Profile profile;
  profile.source = "ncu";
  profile.kind = nvidia_table().device;
  ImportedTable table = joined(std::move(parts.ncu), profile.notes);
  if (table.devices.size() > 1)
    throw InputError(fmt::format(
        "the launches ran on different devices ({}), which have different roofs: import them one "
        "by one",
        fmt::join(table.devices, ", ")));
  if (!table.devices.empty()) profile.device = *table.devices.begin();
  profile.kernels = by_kernel(table, ncu_counts);
  if (std::ranges::any_of(profile.kernels, [](const KernelProfile& kernel) {
        return !metric_value(evaluate(kernel.counters), "cycles");
      }))
    profile.notes.emplace_back(
        "Times are those of the profiled run, whose clock ncu holds at the base clock unless it "
        "was told --clock-control none.");
  return profile;
}

}  // namespace

Profile import_profile(const std::vector<fs::path>& names, const std::string& chip) {
  Parts parts;
  std::set<std::string> read;
  std::vector<std::string> texts;
  for (const fs::path& name : names) {
    if (!read.insert(name.string()).second) refuse_file(name.string(), "named twice");
    const fs::path whole = fs::absolute(name).lexically_normal();
    texts.push_back(
        visible((whole.has_filename() ? whole : whole.parent_path()).filename().string()));
  }
  const std::vector<fs::path> files = files_in(names);
  const bool all_named = files.size() == names.size();
  for (const fs::path& file : files) read.insert(file.string());
  for (const fs::path& file : files) {
    const std::string text = text_of_table(file.string());
    if (take(text, file.string(), parts))
      take_neighbours(file, read, parts);
    else if (all_named)
      refuse_file(file.string(), no_table);
  }
  if (parts.ncu.empty() && std::ranges::all_of(parts.rocprof, &ImportedTable::times_only))
    throw InputError(
        "no table of counters is among the files: name pmc_perf.csv, or counter_collection.csv, "
        "too");
  if (!parts.ncu.empty() && !parts.rocprof.empty())
    throw InputError(
        "tables of Nsight Compute and of rocprof make no common profile: import them one by one");
  if (!chip.empty() && parts.rocprof.empty())
    throw InputError("--chip tells AMD's chip, and these are tables of Nsight Compute");
  Profile profile =
      parts.ncu.empty() ? rocprof_profile(std::move(parts), chip) : ncu_profile(std::move(parts));
  profile.program = fmt::format("{}", fmt::join(texts, ", "));
  profile.created = utc_now();
  // What nobody could read again is refused now.
  return read_profile(facts_json<Profile, nlohmann::json>(profile), profile.program);
}

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
