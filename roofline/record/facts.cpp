#include "roofline/record/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "roofline/metrics.h"

namespace roofline {

void fields(Fields& field, SliceCount& slice) {
  field("part", slice.part, short_text, "of the whole: 13 of 1385 G'");
  field("scale", slice.scale, bounds::scale,
        "FP64 instructions of the whole per one of the slice, both counted by hardware; 0 where "
        "that is not known, and FP64 operations are missing");
  field("counters", slice.counters, OrNull{bounds::count}, "raw, of the slice");
}

void fields(Fields& field, KernelCounts& kernel) {
  field("name", kernel.name, any_text, "whole, as the compiler wrote it");
  field("launches", kernel.launches, Whole{1, bounds::large}, "in one run");
  field("counters", kernel.counters, OrNull{bounds::count}, "raw, sums over the launches");
}

void fields(Fields& field, Ceiling& ceiling) {
  field("name", ceiling.name, a_name);
  field("label", ceiling.label, short_text, "for people");
  field("kind", ceiling.kind, Choice{{"compute", "bandwidth"}});
  field("measured", ceiling.measured, bounds::roof,
        "FLOP/s or B/s; of fp64_div and fp64_div_scalar divisions/s");
  field("theoretical", ceiling.theoretical, bounds::roof, "null: cannot be known");
  field("clock_mhz", ceiling.clock_mhz, bounds::clock_mhz, "0: not known");
  field("definition", ceiling.definition, any_text, "what was run");
  std::vector<std::array<double, 2>> sweep;
  for (const SweepPoint& point : ceiling.sweep) sweep.push_back({point.bytes, point.rate});
  field("sweep", sweep, bounds::sweep, "[[working set in bytes, B/s], ...]");
  if (!field.reads()) return;
  for (const auto& [bytes, rate] : sweep) ceiling.sweep.push_back({bytes, rate});
}

void date_field(Fields& field, std::string& created, const char* meaning) {
  field("created", created, short_text, meaning);
  if (field.reads() && created.find_first_not_of("0123456789-:.+TZ") != std::string::npos)
    field.refuse("created", "not a date and time such as 2025-01-31T12:00:00Z");
}

void fields(Fields& field, LaunchCost& launch) {
  field("seconds", launch.seconds, bounds::launch_seconds, "median");
  field("low", launch.low, bounds::launch_seconds, "a quarter of the runs took less");
  field("high", launch.high, bounds::launch_seconds, "a quarter of the runs took more");
  field("definition", launch.definition, any_text, "what was run");
  if (field.reads() && (launch.low > launch.seconds || launch.seconds > launch.high))
    field.refuse("seconds", "not between low and high");
}

void missing_field(Fields& field, Key key, std::vector<Missing>& missing, const char* meaning) {
  std::map<std::string, std::string> reasons;
  for (const Missing& one : missing) reasons[one.name] = one.reason;
  field(key, reasons, any_text, meaning);
  if (!field.reads()) return;
  missing.clear();
  for (const auto& [name, reason] : reasons) missing.push_back({name, reason});
}

void fields(Fields& field, Ceilings& ceilings) {
  field("device", ceilings.device, short_text);
  field("driver", ceilings.driver, any_text);
  date_field(field, ceilings.created, "");
  field("seconds", ceilings.seconds, bounds::seconds, "that measuring took");
  field("list", ceilings.list, List<NoRule>{{}, bounds::ceilings});
  missing_field(field, may_lack("missing"), ceilings.missing,
                "ceilings that the device does not have, and why");
  field("launch", ceilings.launch, NoRule{}, "of an empty kernel, one of many back to back");
}

void ceilings_field(Fields& field, std::vector<Ceilings>& ceilings) {
  std::map<std::string, Ceilings> kinds;
  for (const Ceilings& one : ceilings) kinds[one.kind] = one;
  field("ceilings", kinds, NoRule{}, "of each kind of device that ran something");
  if (!field.reads()) return;
  ceilings.clear();
  for (auto& [kind, one] : kinds) {
    const auto known = {"host", "gpu", "amd", "gfx94x", "gfx950"};
    if (std::ranges::find(known, kind) == known.end())
      field.refuse("ceilings", fmt::format("'{}' is no kind of device", kind));
    one.kind = kind;
    ceilings.push_back(std::move(one));
  }
}

void fields(Fields& field, InstructionMix& mix) {
  field("scalar", mix.scalar, Whole{}, "floating-point instructions on one number");
  field("packed_128", mix.packed_128, Whole{}, "on vectors of 128 bits");
  field("packed_256", mix.packed_256, Whole{}, "of 256 bits");
  field("packed_512", mix.packed_512, Whole{}, "of 512 bits");
  field("divisions", mix.divisions, Whole{}, "among them");
  field("square_roots", mix.square_roots, Whole{}, "among them");
  std::vector<std::string> calls(mix.calls.begin(), mix.calls.end());
  field("calls", calls, List<Text>{short_text, bounds::ceilings}, "functions of libraries");
  field("reason", mix.reason, any_text, "why nothing is known; empty where something is");
  if (field.reads()) mix.calls = {calls.begin(), calls.end()};
}

void fields(Fields& field, Counted& counted) {
  field("counters", counted.counters, OrNull{bounds::count}, "raw, by the hardware's own names");
  field.group("counting", [&] {
    field("source", counted.source, Choice{{"", "cupti", "analytic"}},
          "who counted; empty: nobody");
    field("reason", counted.reason, any_text, "why hardware did not count; empty where it did");
    field("passes", counted.passes, Whole{}, "runs that it took");
    field(may_lack("seconds"), counted.seconds, bounds::seconds, "that counting by hardware took");
    field("slice", counted.slice, NoRule{},
          "the part of the input on which counters kept by software (sm__sass_*) counted; "
          "among the result's counters they stand multiplied by scale");
    missing_field(field, "missing", counted.missing, "what was not counted, and why");
    field("defects", counted.defects, any_text, "what makes the counters doubtful");
  });
  Metrics given;
  if (counted.source == CountedBy::cupti) given = evaluate(counted.counters);
  Metrics stated = counted.metrics;
  std::erase_if(stated, [&](const auto& one) {
    return given.contains(one.first) || one.first == "division_time";
  });
  field(may_lack("metrics"), stated, OrNull{bounds::metric},
        "those that the counters of a GPU do not give: stated");
  if (field.reads()) {
    counted.metrics = std::move(given);
    counted.metrics.merge(stated);
  }
  field(if_any("kernels"), counted.kernels, NoRule{}, "of a GPU, where they were counted apart");
}

}  // namespace roofline
