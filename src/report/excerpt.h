// The source line a finding points at, with a caret under the column and the expression underlined, as compilers show
// it.
#pragma once

#include "report/style.h"

#include <functional>
#include <optional>
#include <string>

namespace faultline::report {

// A line of a source file, counted from 1. Reports get it as a parameter: they are functions of findings and sources.
using SourceLine = std::function<std::optional<std::string>(const std::string& file, int line)>;

// Reads files, each of them once. Nothing if the file cannot be read or is shorter.
SourceLine source_files();

// Two lines of text, or none if there is no such source line. A column of 0 is not known: no caret then.
std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style);

// Without characters that would change the terminal's state.
std::string printable(std::string_view text);

} // namespace faultline::report
