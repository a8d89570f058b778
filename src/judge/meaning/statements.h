// From what was said (--means, means = in a faultline.toml, a comment before the function) to the meanings of one
// target: an expression for each of the outputs that have one.
//
//   EXPRESSION                 of the return value, or else of the first output that is judged, of every function
//   FUNCTION=EXPRESSION        the same of this function, or of all that a pattern matches
//   FUNCTION.OUTPUT=EXPRESSION of this output; .OUTPUT=EXPRESSION in every function
//   auto                       where nothing else is said: what well-known functions mean (oracle/meaning/catalogue.h)
//   none                       what was said before does not count
#pragma once

#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "oracle/meaning/parser.h"

#include <span>
#include <string>
#include <vector>

namespace faultline::judge {

struct OutputMeaning {
  size_t output = 0; // index into the target's outputs
  std::string text;
  std::vector<std::string> names; // of the inputs, as the text knows them
  oracle::Expression expression;
};

// Throws UserError, status usage: an expression that is wrong, with its column; an output that there is not.
std::vector<OutputMeaning> meanings_of(const frontend::Target& target, const finding::Settings& settings);

// Throws UserError for a function that none of the targets is called.
void check_meanings(std::span<const frontend::Target> targets, const finding::Settings& settings);

} // namespace faultline::judge
