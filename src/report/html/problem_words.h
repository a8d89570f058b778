// What the page of the HTML report shows of a problem beside what the JSON has of it: the words that the terminal has
// for it, and its place in the source.
#pragma once

#include "finding/json/json.h"
#include "finding/problem.h"
#include "report/excerpt.h"
#include "report/source_spans.h"

namespace faultline::report {

// `excerpt` tells which lines it shows.
finding::Json problem_extra(const finding::Problem& problem, const SourceLine& source);

// The lines of the source around the place; nothing if they cannot be read.
std::vector<Span> problem_spans(const finding::Problem& problem, const SourceLine& source);

} // namespace faultline::report
