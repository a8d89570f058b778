// Reads statements (--means, means = in a faultline.toml, a comment before the function) and returns the meanings of
// one target: an expression for each output that has one.
//
//   EXPRESSION                 of the return value, or else of the first judged output, of every function
//   FUNCTION=EXPRESSION        the same for this function, or all that a pattern matches
//   FUNCTION.OUTPUT=EXPRESSION of this output; .OUTPUT=EXPRESSION in every function
//   auto                       without another meaning: those of well-known functions (oracle/meaning/catalogue.h)
//   none                       cancels earlier statements
#pragma once

#include "model/settings/settings.h"
#include "model/target.h"
#include "oracle/meaning/parser.h"

#include <span>
#include <string>
#include <vector>

namespace faultline::judge {

struct OutputMeaning {
  size_t output = 0; // index into the target's outputs
  std::string text;
  std::vector<std::string> names; // of the inputs, as used in the text
  oracle::Expression expression;
};

// Throws UserError, status usage, for a wrong expression, with its column, and for an unknown output.
std::vector<OutputMeaning> meanings_of(const model::Target& target, const model::Settings& settings);

// Throws UserError for a function that is not among the targets.
void check_meanings(std::span<const model::Target> targets, const model::Settings& settings);

} // namespace faultline::judge
