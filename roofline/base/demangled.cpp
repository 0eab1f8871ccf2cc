#include "roofline/base/demangled.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace roofline {

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" alone is the type float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> words(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return words != nullptr ? words.get() : symbol;
}

}  // namespace roofline
