// The interface of a studied kernel, with everything that the harness needs.
//
// A kernel is a value: names, inputs, variants, and functions that obtain an input, judge an answer
// and describe results. gpp/study/kernel.cpp is the first one; examples/ has others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/program/embedded.h"
#include "harness/variant.h"
#include "roofline/metrics.h"

namespace CLI {
class App;
}
namespace roofline {
class JsonPlace;
}

namespace gpp {

using Json = nlohmann::ordered_json;
struct StudyRecord;
struct Result;

/// An object, or null for an empty one.
using JsonObject = Json;

// ---- Inputs -------------------------------------------------------------------------------------

/// The values of --input, --preset and --seed; without file or preset, the kernel's default.
struct SourceRequest {
  std::filesystem::path file;
  std::string preset;
  std::uint64_t seed = 1;
  /// Larger inputs (in pieces of work) may come without a reference, which takes time to compute;
  /// answers on them cannot be checked. 0: every input has its reference.
  std::int64_t most_judged = 0;
};

/// A named input that a kernel can make.
struct PresetName {
  std::string name;
  std::string description;  ///< a description of one line
};

/// The preset of every kernel on which two cores run all variants within seconds.
inline constexpr const char* quick_preset = "small";

/// The record of an input.
struct InputRecord {
  std::string path;  ///< path of the file, or "preset medium, seed 1"
  std::string sha256;
  long long terms = 0;    ///< pieces of work, which speed refers to: Kernel::work
  JsonObject dimensions;  ///< dimensions by the kernel's own names

  /// Returns a dimension; 0 for an unknown name.
  long long dimension(const char* name) const;
};

/// The reference by which every answer is judged.
struct ReferenceRecord {
  JsonObject values;          ///< in the kernel's own format
  double seconds = 0;         ///< time to compute it, now or in an earlier run
  bool kept = false;          ///< an earlier run computed and stored it
  std::string not_kept = {};  ///< reason why this run could not store it, else ""; not recorded
  /// The difference from the input's own reference, in words; empty if there is none.
  std::string disagreement = {};
};

// ---- Answers ------------------------------------------------------------------------------------

/// The verdict on one answer.
struct Check {
  double max_relative_error = 0;  ///< infinity if a number is NaN, infinite, or wrongly not 0
  double tolerance = 0;
  bool passed = false;
  std::string reason;  ///< empty if passed, else the worst number and its error
};

/// An input in the memory where variants run.
class Placement {
 public:
  virtual ~Placement() = default;
  /// Changes the problem in place, so that answers kept from earlier runs are wrong. Seed 0
  /// restores the original problem.
  virtual void vary(std::uint64_t seed) = 0;
  /// Changes the problem in place to one of equal size and work that differs in every term and
  /// depends on a secret, so that kept results are useless. One of the next two functions provides
  /// its reference. Returns false if this kernel can only vary its problem.
  virtual bool draw_anew(std::uint64_t /*secret*/) { return false; }
  /// Uses the last answer, from a trusted variant (KernelInputs::trusted), as the expected one.
  virtual void trust_last_answer() {}
  /// Computes the reference of the drawn problem.
  virtual void compute_reference() {}
  /// Calls a build of the variant and keeps its answer.
  virtual void run(const Variant& variant, const Call& call) = 0;
  /// Judges the last answer. The tolerance is inclusive.
  virtual Check check(double tolerance) = 0;
  /// The last answer in the record's format.
  virtual JsonObject answer() const = 0;
  /// Restores read-only arrays that a variant wrote to. Returns the name of the first one, or "".
  virtual std::string repair() = 0;
};

/// The work of a variant on one input, computed from its source.
struct SourceCount {
  roofline::Metrics metrics;  ///< operations by precision, compulsory bytes; empty: unknown
  std::string unknown = {};   ///< the reason if the metrics are empty
  /// For a host's roofline only: l1_bytes, as the loops load and store, and divisions.
  roofline::Metrics on_host = {};
};

/// One input of a kernel in host memory, with its reference.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual const InputRecord& input() const = 0;
  virtual const ReferenceRecord& reference() const = 0;
  /// Copies the input to the runtime's memory; it must outlive the placement. Throws
  /// std::runtime_error with the needed size if the device has too little memory.
  virtual std::unique_ptr<Placement> place(const Runtime& runtime) const = 0;
  /// The work according to the variant's source and this input.
  virtual SourceCount count(const Variant& variant) = 0;
  /// The seconds of preparation that only this variant needs; its times do not include them.
  virtual double preparation_seconds(const Variant& variant) const = 0;
  /// Makes a part of at most `terms` pieces of work, with the same work per piece; nullptr if the
  /// whole is no larger. `part` gets its description: "13 of 1385 G'".
  virtual std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const = 0;
};

/// An input of `gpp check`.
struct CheckInput {
  std::string name;
  std::string meaning;  ///< its content or its awkward feature, for people
  std::function<std::unique_ptr<Subject>()> make;  ///< throws the errors of Kernel::obtain
};

/// An answer as its first numbers, at most four: {"first": [...]}.
JsonObject first_numbers(std::span<const double> numbers);
/// Reads an answer's first numbers; empty if the record has none.
JsonObject read_first_numbers(const roofline::JsonPlace& check);

// ---- Facts about results ------------------------------------------------------------------------

/// The fewest operations that any variant needs. They show which times are impossible.
struct LeastWork {
  double operations = 0;           ///< 0: unknown, so every time is possible
  std::string precision = "fp64";  ///< precision of the roofs that limit it
  std::string why;  ///< explanation: "... triples need ... FP64 operations in any form"
};

/// A column of the summary that is specific to this kernel.
struct KernelColumn {
  std::string title;
  std::string legend;
  std::string (*cell)(const Result& result);
};

/// A published time of a step.
struct PublishedStep {
  std::string version;  ///< "v7"
  double seconds = 0;   ///< seconds of all kernels together
};

/// A profiler's values for one line of a published step.
struct PublishedLine {
  std::string version;  ///< "v8"
  int line = 0;
  std::string source;  ///< the line's text in its published language
  std::uint64_t samples = 0;
  std::uint64_t not_issued = 0;  ///< samples without an issued instruction
  std::string stalls_of;  ///< total of the reasons: "samples" or "not_issued"; empty: unknown
  std::map<std::string, std::uint64_t> stalls;  ///< samples by stall reason, as published
};

/// Published times for comparison.
struct Published {
  std::string device;  ///< title of its column: "V100"
  std::string title;   ///< title of its ladder: "V100, OpenACC, gpp214 (SC19)"
  std::string legend;  ///< legend of that published column
  std::string source;  ///< where it was published
  double terms = 0;    ///< terms of the input used there
  std::vector<PublishedStep> steps;
  std::vector<PublishedLine> lines = {};  ///< lines sorted by step
  std::string lines_label = {};           ///< short name of their source: "SC19"

  const PublishedStep* find(std::string_view id) const;
  /// The first step's time over this step's time; empty for unknown steps.
  std::optional<double> speedup(std::string_view id) const;
};

/// A step of a published ladder, and the corresponding variant.
struct LadderStep {
  std::string label;      ///< its published name: "gpp6"
  std::string variant;    ///< id of the variant in the catalog
  std::string change;     ///< a short description of its change to the earlier step
  std::string over = {};  ///< label of the step that it changes; empty: the previous one
  // Published numbers of the step; empty if there are none.
  std::optional<double> seconds = {};          ///< seconds of all kernels together
  std::optional<double> gain = {};             ///< speedup over the step that it changes
  std::optional<double> speedup = {};          ///< speedup over the first step
  std::optional<double> percent_of_peak = {};  ///< percentage of the FP64 peak with FMA
  std::string told = {};                       ///< what the publication says
  std::string ours = {};  ///< assumptions of the variant that the source does not state
};

/// A sequence of steps from a baseline on: a published one, or one of ours without published
/// numbers, source and device. A variant may belong to several.
struct PublishedLadder {
  std::string name;    ///< argument of --ladder: "sc20"
  std::string title;   ///< title for people
  std::string source;  ///< author and year, as in docs/sources.md
  std::string device;  ///< device of the published numbers: "V100"
  std::vector<LadderStep> steps;

  bool published() const { return !source.empty(); }
  /// The step that the given step changes; nullptr for the first.
  const LadderStep* changed_by(const LadderStep& step) const;
};

// ---- The kernel ---------------------------------------------------------------------------------

/// Runs a command and returns its exit status.
using Action = std::function<int()>;
using Command = std::pair<const CLI::App*, Action>;
using AddCommand = Command (*)(CLI::App& program);

/// The catalog and what else the build knows of a kernel. cmake/catalog.cpp.in defines the function
/// built() of each kernel, which returns it.
struct KernelBuilt {
  const std::vector<Variant>& (*catalog)() = nullptr;
  const std::vector<Recipe>& (*recipes)() = nullptr;
  std::span<const embedded::File> sources = {};  ///< the variants' sources and what they inline
  std::span<const embedded::File> lessons = {};  ///< see harness/teach/lessons.h
};

/// A kernel must define its names, what the build knows, `obtain`, `read_dimensions` and tolerance;
/// the rest has defaults, and each text and function may be empty. examples/made_kernel.h makes
/// most of these from a table of sizes.
struct Kernel : KernelBuilt {
  std::string name;      ///< also of its program: "gpp"
  std::string title;     ///< title for people: "Sigma-GPP"
  std::string sentence;  ///< one sentence about what it computes
  std::string work;      ///< plural name of a piece of work: "terms"
  std::string folder;    ///< folder with one subfolder of variants per model: "variants"
  std::string forms;     ///< folder of arithmetic that variants share: "gpp/forms"

  // Inputs and verdicts.
  std::vector<PresetName> presets;  ///< the first one is the default; one is the quick_preset
  std::string default_input;        ///< text for the help: "the bundled real silicon input"
  /// Loads or makes an input and computes its reference, with progress on a terminal. Throws
  /// InputError; too little memory is noticed before any allocation.
  std::function<std::unique_ptr<Subject>(const SourceRequest& request)> obtain;
  /// Returns all inputs that a variant should handle: bundled ones, small presets, awkward ones.
  /// Names are unique.
  std::function<std::vector<CheckInput>()> check_inputs;
  /// The step whose answers judge newly drawn problems; empty: problems are not drawn.
  std::string trusted;
  /// The largest relative error that passes by default.
  double (*tolerance)(std::string_view step) = nullptr;
  /// Without it every time is possible.
  LeastWork (*least_work)(const InputRecord& input, const Result& result) = nullptr;

  // Its own part of a record. Readers check keys, throw InputError on bad values, and return the
  // values for the record.
  JsonObject (*read_dimensions)(const roofline::JsonPlace& input) = nullptr;
  JsonObject (*read_reference)(const roofline::JsonPlace& reference) = nullptr;
  JsonObject (*read_answer)(const roofline::JsonPlace& check) = read_first_numbers;
  /// Refuses contradictory numbers in a record.
  void (*refuse_contradictions)(const roofline::JsonPlace& root,
                                const StudyRecord& study) = nullptr;

  // For people.
  std::string (*describe_input)(const InputRecord& input) = nullptr;
  std::string (*describe_reference)(const ReferenceRecord& reference) = nullptr;
  std::vector<KernelColumn> columns = {};
  std::vector<AddCommand> commands = {};  ///< commands of this kernel only
  embedded::File (*guide)() = nullptr;    ///< see harness/record/advice.h
  /// An explanation of the kernel and its purpose for people outside the field, in Markdown
  /// (harness/teach/markdown_text.h).
  embedded::File (*page)() = nullptr;
  const Published& (*published)() = nullptr;
  const std::vector<PublishedLadder>& (*ladders)() = nullptr;
};

/// The kernels that the program knows, its own first. Programs have one; tests have more.
const std::vector<const Kernel*>& kernels();
/// Makes a kernel known, which must live as long as the program.
void know(const Kernel& kernel);

/// The name of this program, which is that of its kernel: "gpp".
const std::string& program_name();

/// The kernel with this name, or nullptr.
const Kernel* find_kernel(std::string_view name);

/// Tells which program shows the records of a kernel that this program lacks.
std::string shown_elsewhere(std::string_view kernel);

/// The kernel with this name. Throws InputError with shown_elsewhere().
const Kernel& kernel_called(std::string_view name);

/// Returns "SC20: BerkeleyGW on Summit, eight kernels (Yang 2021)", for example.
std::string title_and_source(const PublishedLadder& ladder);

/// The kernel's ladders; most kernels have none.
const std::vector<PublishedLadder>& ladders_of(const Kernel& kernel);

/// The ladder with this name, or nullptr.
const PublishedLadder* find_ladder(const Kernel& kernel, std::string_view name);

/// The ladder with this name. Throws InputError with the known names.
const PublishedLadder& ladder_called(const Kernel& kernel, std::string_view name);

/// True if the variant has no number: it belongs only to ladders, not to default studies.
bool is_of_ladders_alone(const Kernel& kernel, std::string_view id);

}  // namespace gpp
