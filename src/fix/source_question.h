// From a place in the code to questions about it: what its expressions compute, with temporaries substituted.
//
// A temporary is a local variable with one assignment that comes before the place in the same or an outer block, and
// whose own parts do not change in between. Other variables, array elements, fields, integers and calls of unknown
// functions become variables of the question.
#pragma once

#include "fix/source_code.h"

#include <string>
#include <vector>

namespace faultline::fix {

// An input of the function under test, and its value where the code fails.
struct KnownInput {
  std::string name; // x, A[3]
  Value low, high;
  Value failing;
};

// What is asked about one expression of the source.
struct PlaceQuestion {
  Found place; // its node is replaced
  Question question;
  std::vector<SourceText> texts;   // of its variables and temporaries
  std::vector<std::string> inputs; // for each variable the input that it is; empty: it is none
  std::vector<std::string> once;   // texts of calls that may have effects: they must not be repeated
};

struct Questions {
  std::vector<PlaceQuestion> all; // the smallest expression first
  std::string refusal;            // why there are none
};

// `offsets`: the place at fault, and then those that its error passes through, in the order of the error's way. The
// result points into the function. `file`: the text of its file.
Questions questions_for(const Function& function, const std::string& file, const std::vector<size_t>& offsets,
                        const std::vector<KnownInput>& inputs);

std::optional<Format> format_of_type(const std::string& type); // of a float type

} // namespace faultline::fix
