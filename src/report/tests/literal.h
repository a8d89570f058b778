// Numbers, types and names in the syntax of C and C++.
#pragma once

#include "model/finding.h"
#include "model/target.h"

#include <string>
#include <vector>

namespace faultline::report {

std::string c_type(const model::Type& type); // double, int32_t

// A number in the usual form that C reads back: 1e8, 0.1f, -INFINITY.
std::string c_literal(const model::Number& number, const model::Type& type);

// The number rounded up to two digits: 2.7e-23, with the suffix of the type.
std::string rounded_up_literal(numeric::Value number, const model::Type& type);

// Replaces all characters that an identifier cannot contain.
std::string identifier(const std::string& name);
// QuadraticRoot of quadratic_root, StatsMean of stats::mean(double const*, int) and double stats::mean<double>(double).
std::string pascal_case(const std::string& function);
// stats_mean for the same names.
std::string snake_case(const std::string& function);

// True for names that C and C++ can declare.
bool is_identifier(const std::string& name);

// True for symbols that a declaration can name by a label: letters, digits, and "_.$@".
bool is_plain_symbol(const std::string& symbol);

// Escapes text for a string literal of C and C++, or of Python. What is not printable becomes a question mark.
std::string quoted(const std::string& text);
std::string quoted_in_python(const std::string& text);

// Structs of scalars behind pointers, defined by a test if no header defines them.

// Returns the numbers in the struct that the parameter points to, by offset; empty if it points to something else.
std::vector<model::Cell> fields_of(const model::Target& target, const model::Parameter& parameter);

// val of result.val
std::string field_name(const model::Cell& field, const model::Parameter& parameter);

// True if a struct of these fields, in this order, has the size and offsets that the code expects. A field that is
// neither an input nor an output is unknown here and leaves a gap or extra bytes.
bool is_certain(const model::Target& target, const model::Parameter& parameter, const std::vector<model::Cell>& fields);

} // namespace faultline::report
