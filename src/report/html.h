// The report as one HTML file that opens from disk without a network: -o FILE.html.
//
// The page (web/) is fixed. It contains one JSON document: the findings as in docs/json.md, the source lines they need,
// each once, the plots (Finding::plots), the texts that the terminal shows, and for a campaign its state
// (Report::campaign). The page inserts all of it as text, never as markup, so that a hostile name or source line has no
// effect.
#pragma once

#include "model/bound_report.h"
#include "model/problem.h"
#include "model/report.h"
#include "report/text.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace faultline::report {

std::string html_text(const model::RankedReport& ranked);
std::string html_text(const model::RankedReport& ranked, const SourceLine& source);

// Returns JSON for a script element. No text in it can end the element or begin a comment.
std::string script_data(std::string json);

// True if this build can draw plots. Without the plotting library the page shows everything else.
bool can_plot();

// The source lines that a report shows for a finding: the function of its cause if it is small, else the lines around
// the cause; and the lines of the error's path and of its shares.
struct Span {
  std::string file;
  int first = 0, last = 0; // lines, both included
};

// Returns the spans ordered by file in the order of first mention, the cause's file first, then by line. Spans are not
// adjacent. Lines that cannot be read are omitted.
std::vector<Span> source_spans(const model::TargetReport& target, const model::Finding& finding,
                               const SourceLine& source);

// Returns the last line of the function that begins at this line: where its braces (FPCore: parentheses) are closed, or
// Fortran's "end function" or "end subroutine"; 0 if it is not among the next `most` lines. Braces in strings and
// comments count like others: a wrong end only adds or removes a few lines.
int function_end(const SourceLine& source, const std::string& file, int first, int most);

// One HTML file made of parts: a template of web/, styles, scripts and data.
const std::map<std::string, std::string>& web_files(); // made by the build: web/, and uPlot if available

std::string web_file(const std::string& name); // empty if it does not exist
// Returns the template with the styles, with the scripts as one that is isolated from others, and with the data as
// JSON.
std::string page_of(const std::string& name, std::span<const char* const> styles, std::span<const char* const> scripts,
                    const std::string& data);

// The proved bounds and found errors of faultline bound, as one HTML file that opens from disk without a network.
std::string bound_page(const model::BoundReport& report);

} // namespace faultline::report
