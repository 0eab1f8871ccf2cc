// The interface of a studied kernel: all that the harness asks of it.
//
// A kernel is a value: its names, its inputs, its variants, and functions that obtain an input,
// judge an answer and tell what they know. gpp/study/kernel.cpp is the first, examples/ holds
// others.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// A JSON object that copies share until one of them changes. Who only passes it on needs no more
/// of nlohmann's headers than their names, which saves seconds for each file.
class JsonObject {
 public:
  JsonObject() = default;  ///< empty
  JsonObject(const Json& object);
  operator const Json&() const;
  bool empty() const;
  bool contains(const char* key) const;
  const Json& operator[](const char* key) const;  ///< of a key that there is
  Json& operator[](const char* key);              ///< makes the key where there is none

 private:
  std::shared_ptr<Json> object_;  // null where it is empty
};

// ---- Inputs -------------------------------------------------------------------------------------

/// The values of --input, --preset and --seed. With neither file nor preset: the kernel's default.
struct SourceRequest {
  std::filesystem::path file;
  std::string preset;
  std::uint64_t seed = 1;
  /// Inputs of more pieces of work may come without their reference, which takes its time: answers
  /// on them cannot be judged, and pass no check. 0: every input has its reference.
  std::int64_t most_judged = 0;
};

/// An input that a kernel can make.
struct PresetName {
  std::string name;
  std::string description;  ///< one line, for people
};

/// An input as the record keeps it.
struct InputRecord {
  std::string path;  ///< of the file, or "preset medium, seed 1"
  std::string sha256;
  long long terms = 0;    ///< pieces of work, which speed counts: Kernel::work
  JsonObject dimensions;  ///< by name, as the kernel calls them

  /// A dimension; 0 where there is none of that name.
  long long dimension(const char* name) const;
};

/// The reference that every answer is judged by.
struct ReferenceRecord {
  JsonObject values;          ///< as the kernel writes and reads them
  double seconds = 0;         ///< to compute it, now or in the run that kept it
  bool kept = false;          ///< it was read from where an earlier run kept it
  std::string not_kept = {};  ///< why this run could not keep it; empty otherwise; not recorded
  /// The difference from a reference that the input carries, in words; empty where there is none.
  std::string disagreement = {};
};

// ---- Answers ------------------------------------------------------------------------------------

/// The verdict on one answer.
struct Check {
  double max_relative_error = 0;  ///< infinity where a number is NaN, infinite, or wrongly not 0
  double tolerance = 0;
  bool passed = false;
  std::string reason;  ///< empty when passed, else the worst number and what is wrong with it
};

/// An input in the memory where variants run.
class Placement {
 public:
  virtual ~Placement() = default;
  /// Makes it another problem in the same memory, so that an answer kept from before is wrong.
  /// Seed 0 makes it the problem itself again.
  virtual void vary(std::uint64_t seed) = 0;
  /// Makes it another problem of the same sizes and work in the same memory, no term of which is
  /// what it was, from a secret number: nothing kept from another run helps. It has no reference:
  /// one of the next two gives it what is due. False: this kernel can only vary its problem.
  virtual bool draw_anew(std::uint64_t /*secret*/) { return false; }
  /// The last answer, of a variant that is trusted (KernelInputs::trusted), is what is due.
  virtual void trust_last_answer() {}
  /// Computes the reference of the problem that was drawn.
  virtual void compute_reference() {}
  /// Calls a build of the variant and keeps its answer.
  virtual void run(const Variant& variant, const Call& call) = 0;
  /// Judges the last answer. The tolerance is inclusive.
  virtual Check check(double tolerance) = 0;
  /// The last answer as the record keeps it.
  virtual JsonObject answer() const = 0;
  /// Puts back what a variant wrote where it may only read. Returns the name of the first such
  /// array; empty where all is well.
  virtual std::string repair() = 0;
};

/// The work of a variant according to its source, on one input.
struct SourceCount {
  roofline::Metrics metrics;  ///< operations by precision and compulsory bytes; empty: not known
  std::string unknown = {};   ///< why not, where the metrics are empty
  /// What only a host's roofline asks for: l1_bytes, as the loops load and store, and divisions.
  roofline::Metrics on_host = {};
};

/// One input of a kernel, in host memory, with its reference.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual const InputRecord& input() const = 0;
  virtual const ReferenceRecord& reference() const = 0;
  /// Copies it to the runtime's memory; it outlives the placement. Throws std::runtime_error where
  /// the device has too little memory, saying how much is needed.
  virtual std::unique_ptr<Placement> place(const Runtime& runtime) const = 0;
  /// Counted from the variant's source and this input.
  virtual SourceCount count(const Variant& variant) = 0;
  /// Seconds of preparation that this variant alone needs, and that its times leave out.
  virtual double preparation_seconds(const Variant& variant) const = 0;
  /// A part of at most `terms` pieces of work, on which a variant does the same for each piece;
  /// nullptr where the whole is no larger. `part` gets its description, for people: "13 of 1385
  /// G'".
  virtual std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const = 0;
};

/// An input that `gpp check` runs a variant on.
struct CheckInput {
  std::string name;
  std::string meaning;  ///< what it holds, or what is awkward about it, for people
  std::string hint;     ///< where a variant that fails on it should be looked at; may be empty
  std::function<std::unique_ptr<Subject>()> make;  ///< throws as Kernel::obtain does
};

/// An answer that is its first numbers, four at most: {"first": [...]}.
JsonObject first_numbers(std::span<const double> numbers);
/// Reads such an answer; empty where the record has none.
JsonObject read_first_numbers(const roofline::JsonPlace& check);
std::string describe_first_numbers(const StudyRecord& study, const Result& result);

// ---- Facts about results ------------------------------------------------------------------------

/// The least operations of any variant, by which a time can be impossible.
struct LeastWork {
  double operations = 0;           ///< 0: nothing is known, so nothing is impossible
  std::string precision = "fp64";  ///< whose roofs limit it
  std::string why;  ///< for people: "... triples need ... FP64 operations in any form"
};

/// A column of the summary that only this kernel has.
struct KernelColumn {
  std::string title;
  std::function<std::string(const Result&)> cell;
};

/// A published time of a step.
struct PublishedStep {
  std::string version;           ///< "v7"
  std::string step;              ///< as it is called there: "divs"
  double seconds = 0;            ///< all kernels
  std::optional<int> registers;  ///< per thread, where it is told
  std::string note;
  roofline::Metrics profiled = {};  ///< what a profiler said of it, as far as it was published
};

/// A profiler's numbers for one line of a published step.
struct PublishedLine {
  std::string version;  ///< "v8"
  std::string role;     ///< of the kernel's guide (harness/record/guide.h): "cutoff"
  int line = 0;
  std::string source;  ///< its text, in the language it was published in
  std::uint64_t samples = 0;
  std::uint64_t not_issued = 0;         ///< samples while nothing was issued
  std::uint64_t warp_instructions = 0;  ///< executed
  std::string stalls_of;  ///< "samples" or "not_issued": of which the reasons are; empty: not told
  std::map<std::string, std::uint64_t> stalls;  ///< samples by reason, as far as they are told
};

/// Published times to set beside.
struct Published {
  std::string device;  ///< heads a column: "V100"
  std::string title;   ///< of a ladder: "V100, OpenACC, gpp214 (SC19)"
  std::string legend;  ///< of that column
  std::string source;  ///< where it was published
  double terms = 0;    ///< of the input it was measured with
  std::vector<PublishedStep> steps;
  std::vector<PublishedLine> lines = {};  ///< in the order of the steps
  std::string lines_label = {};           ///< whose these are, short: "SC19"

  const PublishedStep* find(std::string_view id) const;
  /// Time of the first step over that of the step; empty for steps it does not have.
  std::optional<double> speedup(std::string_view id) const;
};

/// A step of a published ladder, and the variant that is this step.
struct LadderStep {
  std::string label;      ///< as its source calls it: "gpp6"
  std::string variant;    ///< its id in the catalog
  std::string change;     ///< against the step that it changes, in a few words
  std::string over = {};  ///< that step's label; empty: the one before
  // Published numbers of the step; empty where none were published.
  std::optional<double> seconds = {};          ///< all kernels
  std::optional<double> gain = {};             ///< over the step that it changes
  std::optional<double> speedup = {};          ///< over the first step
  std::optional<double> percent_of_peak = {};  ///< of the FP64 peak with FMA
  std::string told = {};                       ///< in words
  std::string ours = {};  ///< what the variant takes for granted that the source does not tell
};

/// An order of steps, from a baseline on: a published one, or one of ours without numbers, source
/// and device. A variant may be a step of several.
struct PublishedLadder {
  std::string name;    ///< what --ladder takes: "sc20"
  std::string title;   ///< for people
  std::string source;  ///< author and year, as docs/sources.md lists it
  std::string device;  ///< where the published numbers were measured: "V100"
  std::vector<LadderStep> steps;

  bool published() const { return !source.empty(); }
  /// The step that this one changes; nullptr of the first.
  const LadderStep* changed_by(const LadderStep& step) const;
};

/// A file with a kernel's lessons (harness/teach/lessons.h).
struct LessonFile {
  std::string_view path;  ///< in the repository
  std::string_view text;
};

// ---- The kernel ---------------------------------------------------------------------------------

/// Does a command; returns the exit status.
using Action = std::function<int()>;
using Command = std::pair<const CLI::App*, Action>;
using AddCommand = Command (*)(CLI::App& program);

/// The inputs that a kernel can make or read.
struct KernelInputs {
  std::vector<PresetName> presets;     ///< the first is the default
  std::string default_input;           ///< for help texts: "the bundled real silicon input"
  std::string quick_preset = "small";  ///< on which two cores run all variants within seconds
  /// Loads or makes an input and computes its reference, with progress on a terminal. Throws
  /// InputError, before it allocates where memory does not suffice.
  std::function<std::unique_ptr<Subject>(const SourceRequest& request)> obtain;
  /// The step whose answers problems that were drawn anew are judged by; empty: none are.
  std::string trusted;
  /// All that a variant should be right on: bundled inputs, small presets, awkward ones. Names
  /// differ.
  std::function<std::vector<CheckInput>()> check_inputs;
};

/// The part of a record that only this kernel knows. Readers check their keys, throw InputError on
/// bad values, and return what the record keeps.
struct KernelRecord {
  JsonObject (*read_dimensions)(const roofline::JsonPlace& input) = nullptr;
  JsonObject (*read_reference)(const roofline::JsonPlace& reference) = nullptr;  ///< null: none
  JsonObject (*read_answer)(const roofline::JsonPlace& check) = read_first_numbers;
  JsonObject no_answer;  ///< what the record holds where a variant gave none
  /// Refuses numbers of a record that cannot all be true; may be null.
  void (*refuse_contradictions)(const roofline::JsonPlace& root,
                                const StudyRecord& study) = nullptr;
};

/// Texts for people. Each function may be null, or give "".
struct KernelTexts {
  std::string (*describe_input)(const InputRecord& input) = nullptr;
  std::string (*describe_reference)(const ReferenceRecord& reference) = nullptr;
  std::string (*describe_answer)(const StudyRecord& study,
                                 const Result& result) = describe_first_numbers;
  std::string (*remarks)(const StudyRecord& study) = nullptr;
  std::vector<KernelColumn> columns = {};
  std::string columns_legend = {};
};

/// Lessons, and what was published. Each function may be null.
struct KernelSources {
  std::vector<LessonFile> (*lessons)() = nullptr;
  LessonFile (*guide)() = nullptr;  ///< harness/record/guide.h
  /// What the kernel computes and why, for people who do not know its field: Markdown
  /// (harness/teach/markdown_text.h).
  LessonFile (*page)() = nullptr;
  const Published& (*published)() = nullptr;
  const std::vector<PublishedLadder>& (*ladders)() = nullptr;
  // Where the numbers of the lessons are from, in headings; each may be empty.
  std::string published_by = {};   ///< a name of docs/sources.md, short: "SC19"
  std::string quoted_record = {};  ///< a GPU's study, in the repository: "results/h200/gpp214"
  std::string quoted_host = {};    ///< the same of a host: "results/xeon-2-cores"
};

/// A kernel needs its names, a catalog, `obtain`, `read_dimensions` and a tolerance; all else has a
/// default. examples/made_kernel.h makes most of these from a table of sizes.
struct Kernel : KernelInputs, KernelRecord, KernelTexts, KernelSources {
  std::string name;      ///< what --kernel takes: "gpp"
  std::string title;     ///< for people: "Sigma-GPP"
  std::string sentence;  ///< what it computes
  std::string work;      ///< what speed counts, in the plural: "terms"
  std::string folder;    ///< its folders, one per model, hold the variants: "variants"
  std::string forms;     ///< holds arithmetic that variants share: "gpp/forms"; empty: none
  const std::vector<Variant>& (*catalog)() = nullptr;
  /// The largest relative error that passes by default.
  double (*tolerance)(std::string_view step) = nullptr;
  /// May be null: then no time is impossible.
  LeastWork (*least_work)(const InputRecord& input, const Result& result) = nullptr;
  std::vector<AddCommand> commands = {};  ///< that only this kernel has
};

/// All kernels of the program, the first the default. The program defines it, from
/// cmake/kernels.cpp.in.
const std::vector<const Kernel*>& kernels();

/// Parts of the tree that are built once somebody asks for them, so that the first build is short
/// (GPP_EXTRAS=OFF in cmake/Options.cmake).
struct LeftOutOfBuild {
  std::vector<std::string> kernels;  ///< their names
  std::string reason;                ///< Variant::reason of the variants among it
};

/// The parts that this program leaves out. The program defines it, from cmake/kernels.cpp.in.
const LeftOutOfBuild& left_out();

/// Somebody asked for something that is left out. Who catches it may build it and begin again.
class AskedForLeftOut : public std::runtime_error {
 public:
  /// `what`: "the kernel nbody", "gpp scale".
  explicit AskedForLeftOut(std::string what);
  const std::string& what_for() const { return what_for_; }

 private:
  std::string what_for_;
};

/// Throws AskedForLeftOut where it is the name of a kernel that is left out.
void require_kernel_is_built(std::string_view name);

/// The kernel of that name; nullptr where there is none.
const Kernel* find_kernel(std::string_view name);

/// The kernel of that name. Throws InputError with the names there are, and AskedForLeftOut.
const Kernel& kernel_called(const std::string& name);

/// "gpp", "stream", ...: the names of all kernels, also of those left out.
std::vector<std::string> kernel_names();

/// "SC20: BerkeleyGW on Summit, eight kernels (Yang 2021)".
std::string title_and_source(const PublishedLadder& ladder);

/// The kernel's ladders; most kernels have none.
const std::vector<PublishedLadder>& ladders_of(const Kernel& kernel);

/// The ladder of that name; nullptr where the kernel has none.
const PublishedLadder* find_ladder(const Kernel& kernel, std::string_view name);

/// The ladder of that name. Throws InputError with the names there are.
const PublishedLadder& ladder_called(const Kernel& kernel, std::string_view name);

/// Whether the variant is a step of ladders alone, and of no default study: it has no number.
bool is_of_ladders_alone(const Kernel& kernel, std::string_view id);

}  // namespace gpp
