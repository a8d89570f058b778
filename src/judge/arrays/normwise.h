// The error of an array as a whole: the largest element's, or the Euclidean length, of what was computed minus what is
// right, against the same of what is right. An algorithm for matrices that is as good as can be may lose all digits of
// an element that is small beside the others; where only the whole array is asked for, that is no fault.
#pragma once

#include "finding/settings/settings.h"
#include "oracle/judgement.h"

#include <span>

namespace faultline::judge {

// The elements' errors become those of the array: that of the worst element is the array's, and those of the others are
// their own, against the array's norm. Nothing changes where a value is infinite or NaN, or all references are zero.
// `elements`: of one array, all of one format.
void measure_normwise(std::span<oracle::OutputJudgement* const> elements, finding::Norm norm, numeric::Format format);

} // namespace faultline::judge
