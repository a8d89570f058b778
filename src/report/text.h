// Findings for a person at a terminal who asks for all that is known (-v, explain): a block each, in the style of
// compiler diagnostics.
#pragma once

#include "finding/report.h"
#include "report/style.h"

#include <functional>
#include <optional>
#include <string>

namespace faultline::report {

// The source line a finding points at, with a caret under the column and the expression underlined, as compilers show
// it.

// A line of a source file, counted from 1. Reports get it as a parameter: they are functions of findings and sources.
using SourceLine = std::function<std::optional<std::string>(const std::string& file, int line)>;

// Reads files, each of them once. Nothing if the file cannot be read or is shorter.
SourceLine source_files();

// Two lines of text, or none if there is no such source line. A column of 0 is not known: no caret then.
std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style);

// Without characters that would change the terminal's state.
std::string printable(std::string_view text);

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
