// Findings for a person at a terminal who asks for all that is known (-v, explain): a block each, in the style of
// compiler diagnostics.
#pragma once

#include "finding/report.h"
#include "report/excerpt.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

std::string finding_text(const finding::TargetReport& target, const finding::Finding& finding, const SourceLine& source,
                         const Style& style);

// The same where the input, and this output with its error, have been told already: without them, and without how it
// was found.
std::string finding_at_input_text(const finding::TargetReport& target, const finding::Finding& finding,
                                  const std::optional<finding::Output>& told, const SourceLine& source,
                                  const Style& style);

// One line, while the search goes on.
std::string sighting_text(const finding::TargetReport& target, const finding::Finding& finding);

} // namespace faultline::report
