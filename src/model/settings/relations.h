// Simple relations between the inputs of a function that held in all recorded calls, as conditions of --assume
// (model/assumption.h): a < b, n == m, sorted(x), lo[i] <= hi[i], sum(p) == 1, norm(q) == 1, symmetric(A), rotation(A),
// integer(x).
//
// Calls that agree by chance must not become a rule. So a relation needs support: distinct calls in which it might as
// well not have held.
#pragma once

#include "model/settings/seen.h"

#include <string>
#include <vector>

namespace faultline::model {

// An order that holds by chance in n calls has a probability of 2^-n. There may be many pairs of inputs: one more call
// for each doubling of the pairs.
inline constexpr size_t calls_for_order = 10;
// Equations of floats that hold up to rounding, at numbers that are not 0 and 1, do not hold by chance. The calls show
// that it is no constant.
inline constexpr size_t calls_for_equation = 3;
inline constexpr size_t calls_for_integers = 12; // different whole numbers: tests like round ones

// `calls`: the recorded ones, complete and finite.
std::vector<std::string> relations_of(const std::vector<SeenInput>& inputs, const std::vector<SeenCall>& calls);

} // namespace faultline::model
