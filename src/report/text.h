// Text for terminals: its colours and layout, the words for numbers, inputs and verdicts, and findings with all their
// data.
#pragma once

#include "base/text.h"
#include "model/finding.h"
#include "model/report.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::report {

using base::counted;
using base::printable;

// Colours of the terminal report, or none. Reports are functions of a Style, so tests need no terminal.
class Style {
public:
  explicit Style(bool colour = false) : colour_(colour) {}

  std::string bold(std::string_view text) const { return dressed("1", text); }
  std::string bad(std::string_view text) const { return dressed("1;31", text); }  // a finding's kind
  std::string warn(std::string_view text) const { return dressed("1;35", text); } // the colour that compilers use
  std::string mark(std::string_view text) const { return dressed("1;32", text); } // the caret
  std::string faint(std::string_view text) const { return dressed("2", text); }   // labels

private:
  std::string dressed(std::string_view code, std::string_view text) const {
    return colour_ ? "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m" : std::string(text);
  }
  bool colour_;
};

// True if the stream is a terminal with colours and the user allows them (https://no-color.org).
Style style_of(int file_descriptor);

// Aligned columns of text, as wide as their widest cell.
enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
  size_t widest = 60; // longer cells are shortened, and end in "..."
};

using Row = std::vector<std::string>;

// Returns a title line and one line per row, each indented by two spaces. Cells become printable (base/text.h). Rows in
// `emphasised` are bold.
std::string table(const std::vector<Column>& columns, const std::vector<Row>& rows, const Style& style,
                  const std::vector<bool>& emphasised = {});

// Returns the number of columns of UTF-8 text on a terminal (wide characters count as one).
size_t width(std::string_view text);

// Splits text into lines of whole words. A line is longer than `columns` only for a longer word.
std::vector<std::string> wrapped(std::string_view text, size_t columns);

// Returns at most `widest` columns of the text. The last three are "..." if it was shortened.
std::string shortened(const std::string& text, size_t widest);

// Texts for numbers, inputs and verdicts on a terminal.
//
// Values (inputs, outputs) are printed so that they can be pasted; measures (errors, conditions) with three digits.
std::string measure_text(double measure);            // 7.99e-04
std::string count_text(double count);                // 3, 4096, 7.2e+12
std::string number_text(const model::Number& value); // 1e-07 (0x1.ad7f29abcaf48p-24)

// One line per input. An array is one line, abbreviated if it is long: "A = [1, 2, 3, ... 32 values]".
std::vector<std::string> input_lines(const std::vector<model::NamedNumber>& input);

std::string input_words(const std::vector<model::NamedNumber>& input); // x=1 y=2
// A short form: "a=1, b=1e9". Values with many digits are shortened, and arrays abbreviated.
std::string brief_input(const std::vector<model::NamedNumber>& input);
// A decimal with at most `digits` significant digits, in the usual form: 1e9, -7.45e-9, inf.
std::string brief_number(const std::string& decimal, int digits);

std::string error_text(const model::Error& error);
// The parts of the error that are due to the method and to rounding.
std::string parts_text(const model::ErrorParts& parts);
std::string_view norm_name(const std::string& norm); // "max", for the norm of a model::Error
// "error of A in the max norm: 1.2e-3" if the error is that of a whole array; else empty.
std::string array_error_text(const model::Finding& finding);
std::string cause_text(model::Kind kind, const model::Cause& cause);

// The verdict and its meaning for this kind of finding; empty for kinds without verdicts.
std::string verdict_text(model::Kind kind, model::Verdict verdict);

// How the caller is informed of an exception.
std::string reported_text(const model::Aftermath& aftermath);

// The number of further witnesses, with a few of them if they have one number each; empty if there are none.
std::string witnesses_text(const model::Finding& finding);

std::string oracle_text(const std::string& oracle);

// file:line:column: the known parts.
std::string location_text(const std::string& file, int line, int column);

// The source line of a finding, with a caret under the column and the expression underlined, as compilers show it.

// Returns a line of a source file, counted from 1. A parameter of reports, which are functions of findings and sources.
using SourceLine = std::function<std::optional<std::string>(const std::string& file, int line)>;

// Reads files of a project, each once. Returns nothing if the file cannot be read, is shorter, or is another's.
SourceLine source_files(const std::vector<std::string>& folders);

// Returns two lines of text, or none if there is no such source line. A column of 0 is unknown and has no caret.
std::string excerpt(const SourceLine& source, const std::string& file, int line, int column, const Style& style);

// A finding with all its data (-v, explain): a block in the style of compiler diagnostics.
std::string finding_text(const model::TargetReport& target, const model::Finding& finding, const SourceLine& source,
                         const Style& style);

// The same without the input, this output with its error, and the origin of the finding, which are already printed.
std::string finding_at_input_text(const model::TargetReport& target, const model::Finding& finding,
                                  const std::optional<model::Output>& shown, const SourceLine& source,
                                  const Style& style);

// One line for use during the search.
std::string sighting_text(const model::TargetReport& target, const model::Finding& finding);

} // namespace faultline::report
