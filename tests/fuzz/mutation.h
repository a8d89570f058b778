// Damaged copies of valid texts: a byte changed, a part lost, doubled or moved, one word for another, a word that
// readers fear, the text cut off, or something nested very deep. The same seed gives the same copies.
#pragma once

#include "numeric/random.h"

#include <string>
#include <vector>

namespace faultline::fuzz {

// What mutants are made of.
struct Material {
  std::vector<std::string> seeds;  // valid texts
  std::vector<std::string> tokens; // put in anywhere
  std::string separators;          // what stands between words
  std::string nesting;             // what opens something, once for each level
};

std::string mutant(const Material& material, numeric::Rng& rng);

// The same for JSON; half of the mutants stay JSON, with one value in the place of another, left out, or of a kind that
// does not belong there.
Material json_material(std::vector<std::string> seeds);
std::string json_mutant(const Material& material, numeric::Rng& rng);

} // namespace faultline::fuzz
