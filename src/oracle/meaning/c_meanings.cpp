// The C library's functions. Each has a float and a long double variant, with f and l behind its name.
#include "oracle/meaning/catalogue_entry.h"

#include "ops/bessel.h"
#include "ops/complex.h"
#include "ops/exponential.h"
#include "ops/rounding.h"
#include "ops/special.h"
#include "ops/trigonometric.h"

#include <vector>

namespace faultline::oracle {
namespace {

// Those that are operations have their meaning beside their formulas.
std::vector<CatalogueEntry> all_entries() {
  std::vector<CatalogueEntry> all = {
      {"sqrt", "x", "sqrt(x)"},
      {"sinpi", "x", "sinpi(x)"},
      {"cospi", "x", "cospi(x)"},
      {"tanpi", "x", "tanpi(x)"},
  };
#define FAULTLINE_MEANING(name, arity, traits)                                                                         \
  if (constexpr ops::Meaning meaning = ops::Formulas<ops::Op::name>::meaning; *meaning.expression)                     \
    all.push_back({#name, meaning.inputs, meaning.expression});
  FAULTLINE_FUNCTIONS(FAULTLINE_MEANING)
#undef FAULTLINE_MEANING
  return all;
}

} // namespace

Catalogue c_meanings() {
  static const std::vector<CatalogueEntry> all = all_entries();
  return {all, Floats::suffixed};
}

} // namespace faultline::oracle
