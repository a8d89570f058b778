// Predefined meanings: the mathematics of well-known special functions, by name and signature.
//
// A wrong guess is worse than none, so the name alone is not enough. The number and types of the inputs and the output
// must match those of the library. The expressions follow the libraries' manuals.
#pragma once

#include "model/target.h"
#include "oracle/meaning/parser.h"

#include <span>
#include <string>
#include <vector>

namespace faultline::oracle {

struct ReadyMeaning {
  size_t output = 0;              // index into the target's outputs
  std::vector<std::string> names; // the inputs' names in the expression, in their order
  std::string expression;
};

std::vector<ReadyMeaning> ready_meanings(const model::Target& target);

// A function of the catalogue, ready to evaluate. A name may have several, with different inputs.
struct KnownFunction {
  std::vector<std::string> inputs;
  Expression expression;
};
std::vector<KnownFunction> known_functions(const std::string& name);

struct CatalogueEntry;
std::vector<const CatalogueEntry*> catalogue_entries();
// Returns a target that matches the entry.
model::Target target_of(const CatalogueEntry& entry);

// A row of the catalogue, and of the libraries' tables.
struct CatalogueEntry {
  const char* name;
  // "n:i x": the inputs' names in the expression, in their order. :i marks integers; the others are floats.
  const char* inputs;
  const char* expression;
  const char* output = ""; // "": the return value; "*0", "*1": by number among the other float outputs
  const char* file = "";   // for ambiguous names: the library's source file
};

// The type of all inputs and outputs: double, any one format (templates), or the format of the name's suffix f or l.
enum class Floats : unsigned char { doubles, any, suffixed };

struct Catalogue {
  std::span<const CatalogueEntry> entries;
  Floats floats = Floats::doubles;
};

// The tables of GSL.
Catalogue gsl_bessel_meanings();
Catalogue gsl_gamma_meanings();
Catalogue gsl_other_meanings();

} // namespace faultline::oracle
