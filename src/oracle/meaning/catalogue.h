// Ready-made meanings: what well-known special functions compute, by name and signature.
//
// A wrong guess is worse than none, so the name alone is not enough: the number and the types of the inputs must be
// those of the library, and what the output is called. The expressions were written from the libraries' manuals.
#pragma once

#include "frontend/target.h"

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

} // namespace faultline::oracle
