// Numbers, types and names as C and C++ write them.
#pragma once

#include "finding/finding.h"
#include "frontend/target.h"

#include <string>
#include <vector>

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

// Structs of scalars behind pointers, as a test defines them where no header does.

// The numbers in the struct that the parameter points to, by their places; empty if it points to something else.
std::vector<frontend::Cell> fields_of(const frontend::Target& target, const frontend::Parameter& parameter);

// val of result.val
std::string field_name(const frontend::Cell& field, const frontend::Parameter& parameter);

// Does a struct of these fields, in this order, have the size and the places that the code expects? A field that is
// neither an input nor an output is not known here: then there is a gap, or there are bytes left.
bool is_certain(const frontend::Target& target, const frontend::Parameter& parameter,
                const std::vector<frontend::Cell>& fields);

} // namespace faultline::report
