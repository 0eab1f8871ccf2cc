#include "examples/stream/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <regex>

#include "harness/program/embedded.h"
#include "harness/program/source_files.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/nearest.h"
#include "roofline/base/parallel.h"
#include "roofline/base/units.h"

namespace gpp {
namespace embedded {
std::span<const File> stream_lessons();  // examples/stream/lesson.md
}

namespace stream {
namespace {

// ---- Inputs -------------------------------------------------------------------------------------

struct Preset {
  const char* name;
  const char* description;
  long long n;
  int lanes;
};

/// The first is the default: the size of the benchmark runs in Lu and Wolfe 2022.
constexpr std::array<Preset, 4> presets = {
    Preset{"full", "134217728 elements, as published; takes 5 GB of memory", 134'217'728, 262'144},
    Preset{"medium", "33554432 elements, beyond most caches", 33'554'432, 262'144},
    Preset{"small", "1048576 elements", 1'048'576, 8'192},
    Preset{"tiny", "65537 elements, for tests", 65'537, 1'000}};

/// Views begin up to so many elements behind the start of the arrays: no two runs see the same.
constexpr long long most_shift = 32'768;
constexpr long long shift_step = 64;  // keeps whole lines of 256 bytes, so that no access changes

/// Well mixed bits of a number (SplitMix64: Steele et al. 2014).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// Calls body(first, last) for pieces of 0..n-1 on all cores.
template <class Body>
void for_pieces(long long n, const Body& body) {
  constexpr long long piece = 1 << 16;
  roofline::parallel_for(static_cast<int>((n + piece - 1) / piece),
                         [&](int i) { body(i * piece, std::min(n, (i + 1) * piece)); });
}

/// The arrays of an input, `most_shift` elements longer than the problem.
struct HostArrays {
  std::vector<float> a, b;
  std::vector<double> a_double;

  HostArrays(long long n, std::uint64_t seed)
      : a(static_cast<std::size_t>(n)), b(a.size()), a_double(a.size()) {
    for_pieces(n, [&](long long first, long long last) {
      for (long long i = first; i < last; ++i) {
        const std::uint64_t bits = mixed(seed ^ mixed(static_cast<std::uint64_t>(i)));
        const auto place = static_cast<std::size_t>(i);
        a[place] = (bits & 1) != 0 ? 1.0F : -1.0F;
        b[place] = 0.5F + std::ldexp(static_cast<float>(bits >> 41), -24);  // 23 bits
        a_double[place] = a[place];
      }
    });
  }
};

// ---- Answers ------------------------------------------------------------------------------------

/// The right results of a step, from its definition.
struct Expected {
  const HostArrays& arrays;
  long long n;
  int lanes;
  long long shift;

  double a(long long i) const { return arrays.a[static_cast<std::size_t>(i + shift)]; }
  float b(long long i) const { return arrays.b[static_cast<std::size_t>(i + shift)]; }

  /// -x at the end of the lanes first..first+count-1. All numbers are whole, so the order of
  /// rounding does not matter.
  std::vector<double> chains(long long first, long long count, int fmas) const {
    std::vector<double> x(static_cast<std::size_t>(count), start);
    for (long long row = first; row < n; row += lanes)
      for (long long lane = 0; lane < std::min(count, n - row); ++lane) {
        double& sum = x[static_cast<std::size_t>(lane)];
        if (a(row + lane) > 0)
          sum += 1.0 * fmas * summand;
        else if (fmas % 2 != 0)
          sum = summand - sum;  // twice is as good as not at all
      }
    for (double& sum : x) sum = -sum;
    return x;
  }

  std::vector<double> elements(long long first, long long count, Computation what) const {
    std::vector<double> values;
    for (long long i = first; i < first + count; ++i) values.push_back(element(what, i));
    return values;
  }

  double element(Computation what, long long i) const {
    if (what == Computation::add) return static_cast<float>(a(i)) + b(i);
    if (what == Computation::mul) return factor * b(i);
    return b(i) + factor * static_cast<float>(a(i));
  }
};

/// The cost that the variant's source states; empty where it states none.
std::optional<ElementCost> cost_of(const Variant& variant) {
  const auto line = operations_line(variant);
  return line ? parse_cost(*line) : std::nullopt;
}

/// Keeps the worst of the numbers compared.
class Judge {
 public:
  explicit Judge(double tolerance) { check_.tolerance = tolerance; }

  void look_at(long long place, double computed, double due) {
    const double scale = std::abs(due);
    const double error = std::isfinite(computed) ? std::abs(computed - due) / std::max(scale, 1e-30)
                                                 : std::numeric_limits<double>::infinity();
    if (error <= check_.max_relative_error) return;
    check_.max_relative_error = error;
    if (error <= check_.tolerance) return;
    check_.reason =
        fmt::format("element {} of the result: {:.9g} instead of {:.9g}", place, computed, due);
  }

  Check verdict() {
    check_.passed = check_.reason.empty();
    return check_;
  }

 private:
  Check check_;
};

/// The one with the largest error; the first of several.
Check worst(const std::vector<Check>& checks) {
  return *std::max_element(checks.begin(), checks.end(), [](const Check& a, const Check& b) {
    return a.max_relative_error < b.max_relative_error;
  });
}

class StreamSubject;

class StreamPlacement : public Placement {
 public:
  StreamPlacement(const StreamSubject& subject, const Runtime& runtime);

  void vary(std::uint64_t seed) override {
    seed_ = seed;
    const auto places = static_cast<std::uint64_t>(most_shift / shift_step);
    shift_ = seed == 0 ? 0 : shift_step * static_cast<long long>(mixed(seed) % places);
  }
  void run(const Variant& variant, const Call& call) override;
  Check check(double tolerance) override;
  Json answer() const override;
  std::string repair() override { return arrays_.repair(); }

 private:
  Arrays view() const;
  bool in_double() const { return cost_.precision == "fp64"; }
  /// Numbers that the last variant gave: one of each lane, or of each element.
  long long results() const;
  template <class Real>
  std::vector<Real> read(const Real* from, long long first, long long count) const;
  Check compare(long long first, long long count, double tolerance) const;

  const StreamSubject& subject_;
  const DeviceMemory& memory_;
  PlacedArrays arrays_;
  Arrays whole_;
  ElementCost cost_;  // of the last variant, and what that is
  Computation what_ = Computation::add;
  std::uint64_t seed_ = 0;
  long long shift_ = 0;
};

class StreamSubject : public Subject {
 public:
  StreamSubject(std::string label, long long elements, int side_by_side, std::uint64_t seed)
      : n(elements), lanes(side_by_side), arrays(elements + most_shift, seed), seed_(seed) {
    input_.path = std::move(label);
    input_.sha256 = fmt::format("stream-{}-{}-{}", n, lanes, seed);
    input_.terms = n;
    input_.dimensions = {{"elements", n}, {"lanes", lanes}};
  }

  const InputRecord& input() const override { return input_; }
  const ReferenceRecord& reference() const override { return reference_; }

  std::unique_ptr<Placement> place(const Runtime& runtime) const override {
    const long long bytes = (n + most_shift) * 16 + n * 4 + lanes * 8LL;
    require_device_memory(bytes, runtime.free_bytes());
    return std::make_unique<StreamPlacement>(*this, runtime);
  }

  SourceCount count(const Variant& variant) override {
    const auto cost = cost_of(variant);
    if (!cost)
      return {{},
              fmt::format("{} has no line such as '// Operations: 2 fp32 per element; 12 bytes.'",
                          variant.source)};
    const auto elements = static_cast<double>(n);
    return {{{cost->precision + "_flop", cost->operations * elements},
             {"dram_bytes", cost->bytes * elements}}};
  }

  double preparation_seconds(const Variant& /*variant*/) const override { return 0; }

  /// The kernels are short: every counter can count the whole.
  std::unique_ptr<Subject> slice(std::int64_t terms, std::string& part) const override {
    if (n <= terms) return nullptr;
    part = fmt::format("{} of {} elements", terms, n);
    return std::make_unique<StreamSubject>(
        part, terms, static_cast<int>(std::min<long long>(lanes, terms)), seed_);
  }

  const long long n;
  const int lanes;
  const HostArrays arrays;

 private:
  std::uint64_t seed_;
  InputRecord input_;
  ReferenceRecord reference_;
};

StreamPlacement::StreamPlacement(const StreamSubject& subject, const Runtime& runtime)
    : subject_(subject), memory_(runtime.memory()), arrays_(memory_) {
  const auto add = [this](const char* name, const auto& values) {
    using Element = typename std::decay_t<decltype(values)>::value_type;
    return static_cast<const Element*>(
        arrays_.add(name, values.data(), values.size() * sizeof(Element)));
  };
  whole_.n = subject.n;
  whole_.lanes = subject.lanes;
  whole_.a = add("a", subject.arrays.a);
  whole_.b = add("b", subject.arrays.b);
  whole_.a_double = add("a_double", subject.arrays.a_double);
  whole_.c =
      static_cast<float*>(arrays_.add_output(static_cast<std::size_t>(subject.n) * sizeof(float)));
  whole_.c_double = static_cast<double*>(
      arrays_.add_output(static_cast<std::size_t>(subject.lanes) * sizeof(double)));
}

Arrays StreamPlacement::view() const {
  Arrays arrays = whole_;
  arrays.a += shift_;
  arrays.b += shift_;
  arrays.a_double += shift_;
  return arrays;
}

void StreamPlacement::run(const Variant& variant, const Call& call) {
  const Arrays arrays = view();
  call(&arrays, nullptr);
  const auto cost = cost_of(variant);
  const auto what = cost ? computation_of(*cost) : std::nullopt;
  if (!what)
    throw std::runtime_error(fmt::format(
        "{} has no line '// Operations: ...' that tells what it computes", variant.source));
  cost_ = *cost;
  what_ = *what;
}

long long StreamPlacement::results() const {
  return what_ == Computation::chain ? subject_.lanes : subject_.n;
}

template <class Real>
std::vector<Real> StreamPlacement::read(const Real* from, long long first, long long count) const {
  std::vector<Real> values(static_cast<std::size_t>(count));
  memory_.read(values.data(), from + first, values.size() * sizeof(Real));
  return values;
}

/// The results first..first+count-1 of the last step.
Check StreamPlacement::compare(long long first, long long count, double tolerance) const {
  const Expected due{subject_.arrays, subject_.n, subject_.lanes, shift_};
  const int fmas = static_cast<int>(cost_.operations) / 2;
  const auto singles = in_double() ? std::vector<float>() : read(whole_.c, first, count);
  const auto doubles = in_double() ? read(whole_.c_double, first, count) : std::vector<double>();
  constexpr long long piece = 4096;
  std::vector<Check> checks(static_cast<std::size_t>((count + piece - 1) / piece));
  roofline::parallel_for(static_cast<int>(checks.size()), [&](int i) {
    const long long begin = i * piece;
    const long long length = std::min(piece, count - begin);
    const std::vector<double> right = what_ == Computation::chain
                                          ? due.chains(first + begin, length, fmas)
                                          : due.elements(first + begin, length, what_);
    Judge judge(tolerance);
    for (std::size_t k = 0; k < right.size(); ++k) {
      const auto place = static_cast<std::size_t>(begin) + k;
      const double computed = in_double() ? doubles[place] : singles[place];
      judge.look_at(first + static_cast<long long>(place), computed, right[k]);
    }
    checks[static_cast<std::size_t>(i)] = judge.verdict();
  });
  return worst(checks);
}

/// The problem itself is compared as a whole; where it was varied, pieces of it that the seed
/// picks.
Check StreamPlacement::check(double tolerance) {
  constexpr long long piece = 1024;
  constexpr int pieces = 64;
  const long long all = results();
  if (seed_ == 0 || all <= piece * pieces) return compare(0, all, tolerance);
  std::mt19937_64 engine(seed_);
  std::vector<Check> checks;
  for (int i = 0; i < pieces; ++i)
    checks.push_back(
        compare(static_cast<long long>(engine() % static_cast<std::uint64_t>(all - piece)), piece,
                tolerance));
  return worst(checks);
}

/// The first results, for people.
Json StreamPlacement::answer() const {
  Json first = Json::array();
  const long long count = std::min<long long>(4, results());
  if (in_double())
    for (const double value : read(whole_.c_double, 0, count))
      first.push_back(roofline::json_number(value));
  else
    for (const float value : read(whole_.c, 0, count))
      first.push_back(roofline::json_number(value));
  return {{"first", first}};
}

// ---- For harness/kernel.h -----------------------------------------------------------------------

std::unique_ptr<Subject> obtain(const SourceRequest& request) {
  if (!request.file.empty())
    throw roofline::InputError("--input: the stream kernels read no files; choose a --preset");
  const std::string name = request.preset.empty() ? presets.front().name : request.preset;
  std::vector<std::string> names;
  for (const Preset& preset : presets) {
    if (name == preset.name)
      return make_subject(fmt::format("preset {}, seed {}", name, request.seed), preset.n,
                          preset.lanes, request.seed);
    names.emplace_back(preset.name);
  }
  throw roofline::InputError("--preset: " + roofline::unknown_name("preset", name, names));
}

/// Odd sizes: one element, fewer elements than lanes of a block, a last row that is not full.
std::vector<std::unique_ptr<Subject>> decoys() {
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const auto& [n, lanes] : {std::pair{1LL, 1}, {1003LL, 37}, {70'001LL, 1'029}})
    subjects.push_back(make_subject("decoy", n, lanes, 7));
  return subjects;
}

/// Sizes that no schedule likes.
std::vector<CheckInput> check_inputs() {
  struct Size {
    const char* name;
    const char* meaning;
    const char* hint;
    long long n;
    int lanes;
  };
  constexpr std::array<Size, 7> sizes = {
      Size{"one_element", "one element, one lane", "a loop that always does several steps", 1, 1},
      Size{"one_lane", "1003 elements, one lane", "lanes beyond the last", 1003, 1},
      Size{"as_many_lanes", "257 elements, each in a lane of its own", "the first row is the last",
           257, 257},
      Size{"seven", "7 elements: less than a vector", "the remainder after whole vectors", 7, 3},
      Size{"odd", "1003 elements in 37 lanes: a last row that is not full",
           "lanes that have no element in the last row", 1003, 37},
      Size{"many_rows", "70001 elements in 1029 lanes", "the remainder of blocks", 70'001, 1'029},
      Size{"whole_blocks", "65536 elements in 1024 lanes: nothing is left over",
           "the remainder after whole blocks: it may be empty", 65'536, 1'024}};
  std::vector<CheckInput> inputs;
  for (const Size& size : sizes)
    inputs.push_back({size.name, size.meaning, size.hint,
                      [size] { return make_subject(size.name, size.n, size.lanes, 7); }});
  for (const char* preset : {"tiny", "small"})
    inputs.push_back({preset, std::string("preset ") + preset, "", [preset] {
                        return obtain({{}, preset, 1});
                      }});
  return inputs;
}

Json read_dimensions(const roofline::JsonPlace& input) {
  return {{"elements", input["elements"].integer(1, roofline::bounds::large)},
          {"lanes", input["lanes"].small_integer(1, std::numeric_limits<int>::max())}};
}

Json read_answer(const roofline::JsonPlace& check) {
  if (!check.has("first")) return Json::object();
  Json first = Json::array();
  for (const roofline::JsonPlace& value : check["first"].elements(4))
    first.push_back(roofline::json_number(value.real_or_null(roofline::bounds::finite)));
  return {{"first", first}};
}

void refuse_contradictions(const roofline::JsonPlace& root, const StudyRecord& study) {
  if (study.input.dimension("elements") != study.input.terms)
    root["input"]["terms"].refuse(fmt::format("{} contradicts {} elements", study.input.terms,
                                              study.input.dimension("elements")));
}

LeastWork least_work(const InputRecord& input, const Result& result) {
  for (const Variant& variant : catalog()) {
    if (variant.step != result.step || variant.model != result.model) continue;
    const auto cost = cost_of(variant);
    if (!cost) return {};
    const double operations = cost->operations * static_cast<double>(input.terms);
    return {operations, cost->precision,
            fmt::format("{} elements need {:.3g} {} operations", input.terms, operations,
                        cost->precision)};
  }
  return {};
}

std::string describe_input(const InputRecord& input) {
  return fmt::format("{} elements in {} lanes", input.dimension("elements"),
                     input.dimension("lanes"));
}

std::string describe_answer(const StudyRecord& /*study*/, const Result& result) {
  if (!result.answer.contains("first")) return {};
  return fmt::format("first results: {}\n", result.answer["first"].dump());
}

std::vector<LessonFile> lesson_files() {
  std::vector<LessonFile> files;
  for (const embedded::File& file : embedded::stream_lessons())
    files.push_back({file.path, file.text});
  return files;
}

Kernel make_kernel() {
  Kernel kernel;
  kernel.name = "stream";
  kernel.title = "Stream";
  kernel.sentence = "additions and fused multiply-adds over long arrays, from 1/12 to 512 FLOP/B";
  kernel.work = "elements";
  kernel.folder = "examples/stream";
  kernel.catalog = catalog;
  for (const Preset& preset : presets) kernel.presets.push_back({preset.name, preset.description});
  kernel.default_input = "the preset full";
  kernel.tolerance = [](std::string_view step) { return step.ends_with("_double") ? 1e-15 : 1e-6; };
  kernel.obtain = obtain;
  kernel.decoys = decoys;
  kernel.check_inputs = check_inputs;
  kernel.read_dimensions = read_dimensions;
  kernel.read_reference = [](const roofline::JsonPlace& /*place*/) { return Json::object(); };
  kernel.read_answer = read_answer;
  kernel.refuse_contradictions = refuse_contradictions;
  kernel.least_work = least_work;
  kernel.describe_input = describe_input;
  kernel.describe_answer = describe_answer;
  kernel.lessons = lesson_files;
  return kernel;
}

}  // namespace

std::optional<ElementCost> parse_cost(std::string_view line) {
  static const std::regex form(R"((\d{1,6}) (fp32|fp64) per element; (\d{1,6}) bytes)");
  const std::string text(line);
  std::smatch match;
  if (!std::regex_match(text, match, form)) return std::nullopt;
  return ElementCost{std::stod(match[1].str()), match[2].str(), std::stod(match[3].str())};
}

std::optional<Computation> computation_of(const ElementCost& cost) {
  const auto costs = [&cost](double operations, double bytes) {
    return cost.operations == operations && cost.bytes == bytes && cost.precision == "fp32";
  };
  if (costs(1, 12)) return Computation::add;
  if (costs(1, 8)) return Computation::mul;
  if (costs(2, 12)) return Computation::triad;
  const double read = cost.precision == "fp64" ? 8 : 4;
  const bool even = std::fmod(cost.operations, 2) == 0 && cost.operations > 0;
  return cost.bytes == read && even ? std::optional(Computation::chain) : std::nullopt;
}

std::unique_ptr<Subject> make_subject(std::string label, long long n, int lanes,
                                      std::uint64_t seed) {
  return std::make_unique<StreamSubject>(std::move(label), n, lanes, seed);
}

const Kernel& stream_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace stream
}  // namespace gpp
