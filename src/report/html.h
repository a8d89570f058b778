// The report as one HTML file that opens from disk with no network: -o FILE.html.
//
// The page (web/) is fixed; what it shows is one JSON document in it: the findings as docs/json.md describes them, the
// source lines they need, each of them once, the plots (Finding::plots), and the words that the terminal has for them
// too; of a campaign also how it stands (Report::campaign). The page makes text of all of it, never markup, so that a
// hostile name or source line is only ever read.
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/problem.h"
#include "finding/report.h"
#include "report/text.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace faultline::report {

std::string html_text(const finding::RankedReport& ranked);
std::string html_text(const finding::RankedReport& ranked, const SourceLine& source);

// JSON that may stand in a script element: no text in it can end the element or begin a comment.
std::string script_data(std::string json);

// Can this build draw? Without the plotting library the page shows everything else.
bool can_plot();

// Which source lines a report shows of a finding: the function of its cause if it is small, else the lines around the
// cause; and the lines of the error's way and of its shares.
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

// One HTML file of parts: a template of web/, styles, scripts and data.
const std::map<std::string, std::string>& web_files(); // by the build: web/, and uPlot if it is there

std::string web_file(const std::string& name); // nothing, if it is not there
// The template with the styles, the scripts as one, which see nothing of others, and the data as JSON in it.
std::string page_of(const std::string& name, std::span<const char* const> styles, std::span<const char* const> scripts,
                    const std::string& data);

// What faultline bound proves and finds, as one HTML file that opens from disk with no network.
std::string bound_page(const finding::BoundReport& report);

} // namespace faultline::report
