// From settings to the input space of one target, and to the outputs that are judged.
#pragma once

#include "finding/finding.h"
#include "finding/settings/settings.h"
#include "oracle/judgement.h"
#include "search/checks.h"
#include "search/space.h"
#include "search/strategy.h"

#include <string>

namespace faultline::judge {

// Floats range over all finite values of their format, integers over a small range, or the values of a flag; a
// parameter that says how long an array is is held at that length, a stride at 1 (judge/array_errors.h). --range,
// --format and --hold say otherwise.
search::Space space_of(const frontend::Target& target, const finding::Settings& settings);

// An end of a dimension's range, in decimal.
std::string range_end(long double value, const search::Dimension& dimension);

// What the type of an integer holds.
finding::Range range_of_type(const frontend::Type& type);

// Is its range one that nobody gave and nothing tells: that of an integer? The user is to know of it.
bool is_assumed(const frontend::Cell& cell, const frontend::Target& target, const finding::Settings& settings);

// Has somebody said what values it has: --range or --hold?
bool is_given(const frontend::Cell& cell, const finding::Settings& settings);

// Indices into the target's outputs. Throws UserError if --output names none.
std::vector<size_t> judged_outputs(const frontend::Target& target, const finding::Settings& settings);

// Throws UserError for a name in --range, --format, --hold, --size or --output that no target has, and for a range of
// an integer that its type does not have.
void check_names(const std::vector<frontend::Target>& targets, const finding::Settings& settings);

// Which additions a search checks, as the settings say.
search::Checks checks_of(const finding::Settings& settings);

// By which measure an error counts, and from which size on: --threshold, --ulps or --absolute.

// Has somebody said what counts? Then half of the digits, lost at an everyday input, are no news.
bool says_what_counts(const finding::Settings& settings);

// The error as it is compared with that of other outputs: in the measure that counts.
double size_of(const oracle::OutputJudgement& output, const finding::Settings& settings);
double size_of(const finding::Error& error, const finding::Settings& settings);
bool is_above_threshold(const oracle::OutputJudgement& output, const finding::Settings& settings);
// "the relative error is not above 0.001 (--threshold)"
std::string below_threshold_words(const finding::Settings& settings);

// Do small errors count? --ulps and --absolute say so, as does a --threshold below what is otherwise looked for, over
// ranges that are given. Then a search uses all that it may, for the largest error there is.
bool small_errors_count(const finding::Settings& settings);

// What the search aims at, by its estimates: an absolute error if absolute ones count, else a relative one. Units in
// the last place are those of the narrowest format of these outputs.
double searched_threshold(const finding::Settings& settings, const frontend::Target& target,
                          const std::vector<size_t>& outputs);
search::ErrorMeasure counted_in(const finding::Settings& settings);

} // namespace faultline::judge
