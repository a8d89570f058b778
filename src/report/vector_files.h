// Test vectors in the form of other test frameworks. Pure functions of the vectors.
//
// Numbers are hexadecimal, so that nothing is rounded. Calls that did not return and outputs without a reference cannot
// be written in a table. They are omitted, and a comment counts them.
#pragma once

#include "model/vectors/vector.h"

#include <string>
#include <vector>

namespace faultline::report {

std::string vectors_python(const std::vector<model::VectorSet>& sets); // for pytest, by ctypes
std::string vectors_boost(const std::vector<model::VectorSet>& sets);  // the data tables of Boost.Math's tests
std::string vectors_header(const std::vector<model::VectorSet>& sets); // plain C++

// Returns the vectors that can be written as numbers.
std::vector<const model::TestVector*> plain_vectors(const model::VectorSet& set);
// Returns lines that describe a set and what it omits. Each begins with `mark`.
std::string set_remarks(const model::VectorSet& set, const std::string& mark);
// Returns a unique name per set. Two files may have functions of the same name.
std::vector<std::string> set_names(const std::vector<model::VectorSet>& sets);

} // namespace faultline::report
