// Test vectors as the tests of others: pure functions of the vectors.
//
// Numbers are hexadecimal, so that nothing is rounded on the way. Calls that did not return and outputs whose reference
// is not known are left out: a table has no way to say so. What is left out is counted in a remark.
#pragma once

#include "finding/vectors/vector.h"

#include <string>
#include <vector>

namespace faultline::report {

std::string vectors_python(const std::vector<finding::VectorSet>& sets); // for pytest, by ctypes
std::string vectors_boost(const std::vector<finding::VectorSet>& sets);  // the data tables of Boost.Math's tests
std::string vectors_header(const std::vector<finding::VectorSet>& sets); // plain C++

// Those that can be said as numbers.
std::vector<const finding::TestVector*> plain_vectors(const finding::VectorSet& set);
// The lines that tell what a set is, and what is left out of it; each begins with `mark`.
std::string set_remarks(const finding::VectorSet& set, const std::string& mark);
// A name of its own for each set: a function may be there twice, of two files.
std::vector<std::string> set_names(const std::vector<finding::VectorSet>& sets);

} // namespace faultline::report
