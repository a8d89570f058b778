// A row of the catalogue (oracle/meaning/catalogue.h), and the libraries' tables.
#pragma once

#include <span>

namespace faultline::oracle {

struct CatalogueEntry {
  const char* name;
  // "n:i x": the names that the expression has for the inputs, in their order; :i for integers, the others are floats.
  const char* inputs;
  const char* expression;
  const char* output = ""; // "" the return value; "*0", "*1": by number among the other outputs that are floats
  const char* file = "";   // of names that may mean anything: the file that the library has it in
};

// Of all inputs and outputs: doubles; all of one format (templates); or of the format that f or l behind the name
// tells.
enum class Floats : unsigned char { doubles, any, suffixed };

struct Catalogue {
  std::span<const CatalogueEntry> entries;
  Floats floats = Floats::doubles;
};

Catalogue c_meanings();
Catalogue gsl_bessel_meanings();
Catalogue gsl_gamma_meanings();
Catalogue gsl_other_meanings();
Catalogue cephes_meanings();
Catalogue r_meanings();
Catalogue r_distribution_meanings();
Catalogue boost_meanings();
Catalogue slatec_meanings();

} // namespace faultline::oracle
