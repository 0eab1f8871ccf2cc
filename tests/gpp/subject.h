// Inputs as the harness studies them.
#pragma once

#include <memory>
#include <utility>

#include "gpp/study/kernel.h"
#include "gpp/study/subject.h"

namespace gpp::test {

/// An input with its reference.
inline std::unique_ptr<GppSubject> subject_of(Input input) {
  InputRecord record;
  record.terms = input.terms();
  return std::make_unique<GppSubject>(std::make_shared<Input>(std::move(input)), record);
}

}  // namespace gpp::test
