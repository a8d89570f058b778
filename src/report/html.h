// The report as one HTML file that opens from disk with no network: -o FILE.html.
//
// The page (web/) is fixed; what it shows is one JSON document in it: the findings as docs/json.md describes them, the
// source lines they need, each of them once, the plots (Finding::plots), and the words that the terminal has for them
// too; of a campaign also how it stands (Report::campaign). The page makes text of all of it, never markup, so that a
// hostile name or source line is only ever read.
#pragma once

#include "finding/problem.h"
#include "report/excerpt.h"

#include <string>

namespace faultline::report {

std::string html_text(const finding::RankedReport& ranked);
std::string html_text(const finding::RankedReport& ranked, const SourceLine& source);

// JSON that may stand in a script element: no text in it can end the element or begin a comment.
std::string script_data(std::string json);

// Can this build draw? Without the plotting library the page shows everything else.
bool can_plot();

} // namespace faultline::report
