// Makes the input space of a target and the list of judged outputs from the settings.
#pragma once

#include "model/finding.h"
#include "model/settings/settings.h"
#include "oracle/judgement.h"
#include "search/checks.h"
#include "search/space.h"
#include "search/strategy.h"

#include <string>

namespace faultline::judge {

// Floats range over all finite values of their format, integers over a small range or the values of a flag. A parameter
// that is the length of an array is held at that length, a stride at 1 (judge/array_errors.h). --range, --format and
// --hold override these.
search::Space space_of(const model::Target& target, const model::Settings& settings);

// An end of a dimension's range, in decimal.
std::string range_end(numeric::Value value, const search::Dimension& dimension);

// The values that the type of an integer holds.
model::Range range_of_type(const model::Type& type);

// True for an integer with a default range and no other source for one, which the user should know.
bool is_assumed(const model::Cell& cell, const model::Target& target, const model::Settings& settings);

// True if --range or --hold gives its values.
bool is_given(const model::Cell& cell, const model::Settings& settings);

// Indices into the target's outputs. Throws UserError if --output names none.
std::vector<size_t> judged_outputs(const model::Target& target, const model::Settings& settings);

// Throws UserError for a name in --range, --format, --hold, --size or --output that no target has, and for a range of
// an integer that exceeds its type.
void check_names(const std::vector<model::Target>& targets, const model::Settings& settings);

// The additions that a search checks, from the settings.
search::Checks checks_of(const model::Settings& settings);

// The measure and size from which on an error counts: --threshold, --ulps or --absolute.

// True if the user gave a threshold. Then half of the digits, lost at an everyday input, do not count by themselves.
bool has_threshold(const model::Settings& settings);

// The error as it is compared with that of other outputs: in the measure that counts.
double size_of(const oracle::OutputJudgement& output, const model::Settings& settings);
double size_of(const model::Error& error, const model::Settings& settings);
bool is_above_threshold(const oracle::OutputJudgement& output, const model::Settings& settings);
// "the relative error is not above 0.001 (--threshold)"
std::string below_threshold_words(const model::Settings& settings);

// True if small errors count: with --ulps or --absolute, or with a --threshold below the default over given ranges.
// Then a search uses its whole budget to look for the largest error.
bool small_errors_count(const model::Settings& settings);

// The threshold of the search's estimates: an absolute error if absolute ones count, otherwise a relative one. Ulps are
// those of the narrowest format of these outputs.
double searched_threshold(const model::Settings& settings, const model::Target& target,
                          const std::vector<size_t>& outputs);
search::ErrorMeasure counted_in(const model::Settings& settings);

} // namespace faultline::judge
