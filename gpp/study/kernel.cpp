#include "gpp/study/kernel.h"

#include "data/generate.h"
#include "gpp/study/check.h"
#include "gpp/study/published.h"
#include "gpp/study/record.h"
#include "gpp/study/subject.h"
#include "harness/program/embedded.h"

namespace gpp {
namespace embedded {
std::span<const File> gpp_guide();  // generated from lessons/guide.txt
std::span<const File> gpp_page();   // generated from docs/kernel.md
}  // namespace embedded

namespace {

Kernel make_kernel() {
  Kernel kernel;
  kernel.name = "gpp";
  kernel.title = "Sigma-GPP";
  kernel.sentence = "the self-energy sums of BerkeleyGW, over bands, G' and G";
  kernel.work = "terms";
  kernel.folder = "variants";
  kernel.forms = "gpp/forms";
  static_cast<KernelBuilt&>(kernel) = built();
  for (const Preset& preset : presets())
    kernel.presets.push_back({preset.name, preset.description});
  kernel.default_input = "the bundled real silicon input";
  kernel.tolerance = [](std::string_view /*step*/) { return default_tolerance; };
  kernel.obtain = obtain_subject;
  kernel.trusted = "v11";
  kernel.check_inputs = check_inputs;
  kernel.read_dimensions = read_dimensions;
  kernel.read_reference = read_reference;
  kernel.read_answer = read_answer;
  kernel.refuse_contradictions = refuse_contradictions_of_sums;
  kernel.least_work = least_work;
  kernel.describe_input = describe_input;
  kernel.describe_reference = describe_reference;
  kernel.columns = {{"1e-12", "the original program's absolute verdict", original_cell}};
  kernel.guide = [] { return embedded::gpp_guide().front(); };
  kernel.page = [] { return embedded::gpp_page().front(); };
  kernel.published = published_v100;
  kernel.ladders = published_ladders;
  kernel.commands = {add_inspect, add_generate, add_scale};
  return kernel;
}

}  // namespace

Sums call_variant(const Call& variant, const FactoredProblem& problem) {
  Sums sums{};
  if (variant.takes<FactoredProblem>())
    variant(problem, sums);
  else
    variant(static_cast<const Problem&>(problem), sums);
  return sums;
}

const Kernel& gpp_kernel() {
  static const Kernel kernel = make_kernel();
  return kernel;
}

}  // namespace gpp
