// By which measure an error counts, and from which size on: --threshold, --ulps or --absolute.
#pragma once

#include "finding/finding.h"
#include "finding/settings/settings.h"
#include "oracle/judgement.h"
#include "search/strategy.h"

#include <string>

namespace faultline::judge {

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
