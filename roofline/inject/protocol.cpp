#include "roofline/inject/protocol.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>

#include "roofline/base/machine.h"

namespace roofline::inject {
namespace {

struct RankVariables {
  const char *rank, *ranks, *of_host;
};

constexpr std::array<RankVariables, 3> launchers = {
    RankVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    RankVariables{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    RankVariables{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"}};

}  // namespace

void fields(Fields& field, Task& task) {
  field("counters", task.counters, any_text);
  field("sign", task.further.sign, any_text);
  field("harmless", task.further.harmless, any_text);
  field("further", task.further.counters, any_text);
  field("kernel", task.selection.kernel, as_it_is);
  field("nvtx", task.selection.nvtx, as_it_is);
  field("from_start", task.selection.from_start);
  field("first", task.selection.first, Whole{0, std::numeric_limits<std::int64_t>::max()});
  field("last", task.selection.last, Whole{0, std::numeric_limits<std::int64_t>::max()});
  field("only_rank", task.rank, Whole{-1, limits::ranks - 1});
  field("lines", task.lines, Choice{{"samples", "instructions"}});
  field("period", task.period, Whole{0, 31});
}

void fields(Fields& field, SeenGpu& gpu) {
  field("key", gpu.key, short_text);
  field("name", gpu.name, short_text);
  field("number", gpu.number, Whole{});
  field("compute_capability", gpu.compute_capability, Whole{});
}

void fields(Fields& field, KernelTally& tally) {
  field("launches", tally.launches, Whole{1, bounds::large});
  field("seconds", tally.seconds, bounds::seconds);
  field("counters", tally.counters, OrNull{bounds::count});
  field("forms", tally.forms);
  field("more_forms", tally.more_forms);
}

void fields(Fields& field, SeenLaunches& launched) {
  field("kernel", launched.kernel, any_text);
  field("gpu", launched.gpu, short_text);
  field("ranges", launched.ranges);
  field("tally", launched.tally);
}

void fields(Fields& field, Seen& seen) {
  field("gpu", seen.gpu);
  field("launched", seen.launched);
  field("lines", seen.lines);
  field(may_lack("launches"), seen.launches, any_size);
  field(may_lack("rank"), seen.rank, Whole{-1, limits::ranks - 1});
  field(may_lack("refused"), seen.refused, any_text);
  field(may_lack("note"), seen.note, any_text);
}

void KernelTally::add(const FormLaunches& form, std::size_t room) {
  const auto known = std::ranges::find(forms, form.form, &FormLaunches::form);
  if (known != forms.end()) {
    known->launches = saturating_sum(known->launches, form.launches);
    known->seconds += form.seconds;
  } else if (room == 0 || forms.size() >= limits::forms) {
    more_forms = true;
  } else {
    forms.push_back(form);
  }
}

void KernelTally::add(const KernelTally& more, std::size_t room) {
  launches = saturating_sum(launches, more.launches);
  seconds += more.seconds;
  for (const auto& [counter, value] : more.counters) counters[counter] += value;
  more_forms = more_forms || more.more_forms;
  for (const FormLaunches& form : more.forms) add(form, room);
}

std::optional<int> rank_number(std::string_view text) {
  constexpr int most = 10'000'000;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number >= 0 && number < most ? std::optional(number) : std::nullopt;
}

std::optional<Rank> rank_told_by(const std::function<const char*(const char*)>& variable) {
  const auto number_in = [&variable](const char* name) {
    const char* text = variable(name);
    return text == nullptr ? std::nullopt : rank_number(text);
  };
  for (const RankVariables& launcher : launchers) {
    const std::optional<int> rank = number_in(launcher.rank);
    if (rank && number_in(launcher.ranks).value_or(1) > 1)
      return Rank{*rank, number_in(launcher.of_host).value_or(0) == 0};
  }
  return std::nullopt;
}

std::string folder_of_rank(const std::string& folder, int rank) {
  return (std::filesystem::path(folder) / ("rank-" + std::to_string(rank))).string();
}

}  // namespace roofline::inject
