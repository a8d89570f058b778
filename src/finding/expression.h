// The expression that an operation of the debug information stands for, as the source has it: b * b for the asterisk
// between them, sqrt(x) for the name before the bracket. By brackets and precedence of one line; C, C++, Fortran, and
// FPCore, where it is the list that the operation begins.
#pragma once

#include "finding/finding.h"
#include "finding/set_aside.h"

#include <optional>
#include <string>
#include <string_view>

namespace faultline::finding {

struct Expression {
  int first = 0, end = 0; // columns from 1; the end is behind the last character
  std::string text;
};

// Nothing if the column is not that of an operator or a name, or the expression does not end in this line.
std::optional<Expression> expression_at(std::string_view line, int column);
// The same of a line of this file, by its language.
std::optional<Expression> expression_in(std::string_view file, std::string_view line, int column);

// Gives the places of a finding their texts.
void read_expressions(Finding& finding, SourceText& source);

} // namespace faultline::finding
