#include "reference.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

constexpr slong first_precision = 128, last_precision = 16384;
constexpr slong wanted_bits = 102; // one more for the rounding to BigFloat, one to spare
// A call is given up when the next precision would take it beyond about two seconds.
constexpr auto time_limit = std::chrono::milliseconds(500);

const GslReference* find(std::string_view function) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const GslReference*> index;
    for (const GslReference& reference : gsl_references())
      index.emplace(reference.function, &reference);
    return index;
  }();
  auto found = index.find(function);
  return found == index.end() ? nullptr : found->second;
}

Exact exactly(const Ball& ball) {
  Exact exact{Exact::Kind::value};
  arf_get_mpfr(exact.value.raw(), arb_midref(ball.raw()), MPFR_RNDN);
  return exact;
}

} // namespace

const std::vector<GslReference>& gsl_references() {
  static const std::vector<GslReference> references = [] {
    std::vector<GslReference> all;
    for (auto family : {airy_family,       bessel_family,         spherical_bessel_family,
                        elementary_family, trigonometric_family,  exponential_integral_family,
                        gamma_family,      pochhammer_family,     incomplete_gamma_family,
                        psi_family,        error_function_family, fermi_dirac_family,
                        debye_family,      synchrotron_family,    zeta_family,
                        elliptic_family,   legendre_family,       polynomial_family,
                        lambert_family,    hypergeometric_family, dilogarithm_family}) {
      const Family slice = family();
      all.insert(all.end(), slice.begin(), slice.end());
    }
    return all;
  }();
  return references;
}

bool has_gsl_reference(std::string_view function) { return find(function) != nullptr; }

Exact gsl_reference(std::string_view function, std::span<const double> arguments) {
  const GslReference* reference = find(function);
  if (!reference || arguments.size() != static_cast<size_t>(reference->arguments))
    return {Exact::Kind::unknown};
  if (!std::ranges::all_of(arguments, [](double x) { return std::isfinite(x); }))
    return {Exact::Kind::undefined};
  const auto start = std::chrono::steady_clock::now();
  for (slong precision = first_precision; precision <= last_precision; precision *= 2) {
    const Value value = reference->formula({arguments, precision});
    if (!value)
      return {Exact::Kind::undefined};
    if (value->is_infinite())
      return {Exact::Kind::pole};
    if (value->is_zero() || value->accurate_bits() >= wanted_bits)
      return exactly(*value);
    if (std::chrono::steady_clock::now() - start > time_limit)
      break;
  }
  return {Exact::Kind::unknown};
}

} // namespace faultline::benchmarks
