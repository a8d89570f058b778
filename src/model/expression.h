// Finds the source text of an operation from its place in the debug information: b * b for the asterisk between them,
// sqrt(x) for the name before the bracket. It uses brackets and precedence within one line, for C, C++ and Fortran. In
// FPCore the text is the list that the operation begins.
#pragma once

#include "model/finding.h"
#include "model/set_aside.h"

#include <optional>
#include <string>
#include <string_view>

namespace faultline::model {

struct Expression {
  int first = 0, end = 0; // columns from 1; `end` is after the last character
  std::string text;
};

// Returns nothing if the column is not that of an operator or a name, or the expression does not end in this line.
std::optional<Expression> expression_at(std::string_view line, int column);
// The same for a line of this file, by its language.
std::optional<Expression> expression_in(std::string_view file, std::string_view line, int column);

// Adds the source text to the places of a finding.
void read_expressions(Finding& finding, SourceText& source);

} // namespace faultline::model
