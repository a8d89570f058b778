// The slices of the list, one a file.
#pragma once

#include "reference.h"

namespace faultline::benchmarks {

using Family = std::span<const GslReference>;

Family airy_family();
Family bessel_family();
Family spherical_bessel_family();
Family elementary_family();
Family trigonometric_family();
Family exponential_integral_family();
Family gamma_family();
Family pochhammer_family();
Family incomplete_gamma_family();
Family psi_family();
Family error_function_family();
Family fermi_dirac_family();
Family debye_family();
Family synchrotron_family();
Family zeta_family();
Family elliptic_family();
Family legendre_family();
Family polynomial_family();
Family lambert_family();
Family hypergeometric_family();
Family dilogarithm_family();

} // namespace faultline::benchmarks
