// By which measure an error counts, and from which size on: --threshold, --ulps or --absolute.
#pragma once

#include "finding/settings/settings.h"
#include "oracle/judgement.h"

#include <string>

namespace faultline::judge {

// Has somebody said what counts? Then half of the digits, lost at an everyday input, are no news.
bool says_what_counts(const finding::Settings& settings);

// The error as it is compared with that of other outputs: absolute where these count, else relative.
double size_of(const oracle::OutputJudgement& output, const finding::Settings& settings);
bool is_above_threshold(const oracle::OutputJudgement& output, const finding::Settings& settings);
// "the relative error is not above 0.001 (--threshold)"
std::string below_threshold_words(const finding::Settings& settings);

// What the search aims at, by its estimates: an absolute error if absolute ones count, else a relative one.
double searched_threshold(const finding::Settings& settings);

} // namespace faultline::judge
