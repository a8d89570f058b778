// Which source lines a report shows of a finding: the function of its cause if it is small, else the lines around the
// cause; and the lines of the error's way and of its shares.
#pragma once

#include "finding/report.h"
#include "report/excerpt.h"

#include <string>
#include <vector>

namespace faultline::report {

struct Span {
  std::string file;
  int first = 0, last = 0; // lines, both included
};

// In the order of files of first mention, the cause's first; by line; not touching each other. Lines that cannot be
// read are left out.
std::vector<Span> source_spans(const finding::TargetReport& target, const finding::Finding& finding,
                               const SourceLine& source);

// The last line of the function that begins at this line: where its braces (FPCore: parentheses) are closed, or
// Fortran's "end function" or "end subroutine"; 0 if it is not among the `most` lines. Braces in texts and comments are
// counted like all others: a wrong end shows a few lines more or less.
int function_end(const SourceLine& source, const std::string& file, int first, int most);

} // namespace faultline::report
