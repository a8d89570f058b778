// A finding's fingerprint: by it the same finding is known again after the code around it has changed.
//
// It is a hash of the kind, the file's name without its folder, the target, the operation, the text of the line at
// fault with the white space squeezed, where in that text the operation stands, and which one of several equal lines it
// is. So it survives whatever shifts or indents the line, and a change of the line itself ends it. Not in it: line
// numbers; the input and the error, which a larger budget changes; and the class of the fault (the rule), which may
// depend on the input that happens to be the worst.
//
// Equal lines are counted from the target's first line if the line at fault is below it, so that one more of them in
// another function does not matter. Where the source cannot be read, the distance from the target's line stands for the
// text. A finding without a cause has its detail instead ("called abort"), or the name of the output that is wrong.
#pragma once

#include "finding/report.h"
#include "finding/source_text.h"

#include <string>

namespace faultline::finding {

std::string fingerprint(const TargetReport& target, const Finding& finding, SourceText& source);

} // namespace faultline::finding
