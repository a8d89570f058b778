// Ready-made meanings: what well-known special functions compute, by name and signature.
//
// A wrong guess is worse than none, so the name alone is not enough: the number and the types of the inputs must be
// those of the library, and what the output is called. The expressions were written from the libraries' manuals.
#pragma once

#include "frontend/target.h"

#include <span>
#include <string>
#include <vector>

namespace faultline::oracle {

struct ReadyMeaning {
  size_t output = 0;              // index into the target's outputs
  std::vector<std::string> names; // of the inputs in the expression, in their order
  std::string expression;
};

std::vector<ReadyMeaning> ready_meanings(const frontend::Target& target);

struct CatalogueEntry;
std::vector<const CatalogueEntry*> catalogue_entries();
// A function as the entry wants it: what the entry is found by.
frontend::Target target_of(const CatalogueEntry& entry);

// A row of the catalogue (oracle/meaning/catalogue.h), and the libraries' tables.
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
