// Numbers, types and names as C and C++ write them.
#pragma once

#include "finding/finding.h"
#include "frontend/target.h"

#include <string>

namespace faultline::report {

std::string c_type(const frontend::Type& type); // double, int32_t

// A number as a person would type it, and as C reads it back: 1e8, 0.1f, -INFINITY.
std::string c_literal(const finding::Number& number, const frontend::Type& type);

// Not below the number, with two digits: 2.7e-23; with the suffix of the type.
std::string rounded_up_literal(long double number, const frontend::Type& type);

// The name with everything that cannot stand in an identifier replaced.
std::string identifier(const std::string& name);
// QuadraticRoot of quadratic_root, StatsMean of stats::mean(double const*, int) and double stats::mean<double>(double).
std::string pascal_case(const std::string& function);
// stats_mean of the same.
std::string snake_case(const std::string& function);

// As the content of a string literal.
std::string quoted(const std::string& text);

} // namespace faultline::report
