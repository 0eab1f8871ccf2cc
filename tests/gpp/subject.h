// Inputs for the harness.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpp/study/inputs.h"
#include "gpp/study/kernel.h"
#include "gpp/study/shapes.h"
#include "gpp/study/subject.h"

namespace gpp::test {

/// An input with its reference.
inline std::unique_ptr<GppSubject> subject_of(Input input) {
  InputRecord record;
  record.terms = input.terms();
  return std::make_unique<GppSubject>(std::make_shared<Input>(std::move(input)), record);
}

/// The awkward inputs with every case of the definition: all poles real, and some complex.
inline std::vector<Input> every_case() {
  std::vector<Input> both;
  for (const AwkwardInput& input : awkward_inputs())
    if (input.name.starts_with("everything")) both.push_back(input.make());
  return both;
}

using NamedSubjects = std::vector<std::pair<std::string, std::unique_ptr<GppSubject>>>;

/// All odd shapes with all seeds.
inline NamedSubjects subjects_of_odd_shapes(const std::vector<std::uint64_t>& seeds) {
  NamedSubjects made;
  for (const Shape& shape : odd_shapes())
    for (const std::uint64_t seed : seeds)
      made.emplace_back(shape.name + ", seed " + std::to_string(seed),
                        subject_of(random_input(shape, seed)));
  return made;
}

}  // namespace gpp::test
