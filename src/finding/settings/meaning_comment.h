// What a function means, in a comment directly before it:
//
//   // faultline: means sqrt(x + 1) - sqrt(x)
//   double difference(double x) {
//
// in // and /* */ and after Fortran's !, alone in a line. Other comments, attributes, a template's head and the type of
// the result may stand between; an empty line or other code may not. Several such lines speak of several outputs:
// means .OUTPUT=EXPRESSION.
#pragma once

#include "finding/source_text.h"
#include "frontend/target.h"

#include <string>
#include <vector>

namespace faultline::finding {

// What is said, in the order of the lines, as --means has it.
std::vector<std::string> meaning_comments(SourceText& source, const frontend::Target& target);

} // namespace faultline::finding
