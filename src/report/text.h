// Findings on a terminal with all their data (-v, explain): a block each, in the style of compiler diagnostics.
#pragma once

#include "base/text.h"
#include "finding/report.h"
#include "report/style.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::report {

// The source line of a finding, with a caret under the column and the expression underlined, as compilers show it.

// Returns a line of a source file, counted from 1. A parameter of reports, which are functions of findings and sources.
using SourceLine = std::function<std::optional<std::string>(const std::string& file, int line)>;

// Reads files of a project, each once. Returns nothing if the file cannot be read, is shorter, or is another's.
SourceLine source_files(const std::vector<std::string>& folders);

// Returns two lines of text, or none if there is no such source line. A column of 0 is unknown and has no caret.
std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style);

using base::printable;

std::string finding_text(const finding::TargetReport& target, const finding::Finding& finding, const SourceLine& source,
                         const Style& style);

// The same without the input, this output with its error, and the origin of the finding, which are already printed.
std::string finding_at_input_text(const finding::TargetReport& target, const finding::Finding& finding,
                                  const std::optional<finding::Output>& shown, const SourceLine& source,
                                  const Style& style);

// One line for use during the search.
std::string sighting_text(const finding::TargetReport& target, const finding::Finding& finding);

} // namespace faultline::report
