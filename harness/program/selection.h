// Which variants are meant, and which build of each runs here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// The values of --model, --only, --device and --ladder; empty means no restriction, but
/// that steps of published ladders alone must be asked for.
struct Wanted {
  std::vector<std::string> models;
  std::vector<std::string> only;  ///< ids or step names
  std::string kind;               ///< of device: "host" or "gpu"
  const Kernel* kernel = kernels().front();
  const PublishedLadder* ladder = nullptr;  ///< its steps and no others, in its order
};

/// Whether the variant is among those asked for.
bool is_wanted(const Variant& variant, const Wanted& wanted);

/// A variant and the build of it to run.
struct Choice {
  const Variant* variant = nullptr;
  const Build* build = nullptr;  ///< nullptr where none can run here
  std::string reason;            ///< why not, with a remedy
};

/// The build of a variant to run: the one for the kind of device asked for, else the GPU's where it
/// can run here, else the host's.
Choice choose(const Variant& variant, std::string_view kind = {});

/// The variants asked for, in the catalog's order, or model by model in that of the ladder. Throws
/// InputError for unknown names, with the names there are.
std::vector<Choice> select(const std::vector<Variant>& catalog, const Wanted& wanted);

/// The model to go up a ladder in where none was asked for: the first, of cuda, omp, thrust, serial
/// and then others, in which the ladder's first step can run here; cuda where none can.
std::string model_for(const PublishedLadder& ladder, const std::vector<Variant>& catalog,
                      std::string_view kind);

/// The one variant that `gpp run` means: the first that can run here, of the models in the order
/// cuda, omp, thrust, serial and then others. Where none can, the first of them with its reason.
Choice select_one(const std::vector<Variant>& catalog, const std::string& name,
                  const Wanted& wanted);

/// The distinct runtimes of a catalog's builds.
std::vector<const Runtime*> runtimes_of(const std::vector<Variant>& catalog);

}  // namespace gpp
