// A call of a target, as C and C++ write it.
//
// The function is declared by its symbol, so the text needs none of the project's headers and works for C, C++ and
// Fortran alike. Pointers point into a block of bytes that is filled before the call, and the outputs are read from
// there after it. A struct comes back as the machine passes it: in memory behind a hidden first argument, or in
// registers as a struct of the same fields.
#pragma once

#include "finding/finding.h"
#include "frontend/target.h"

#include <string>
#include <vector>

namespace faultline::report {

std::string c_type(const frontend::Type& type);

// A number as C reads it back.
std::string c_literal(const finding::Number& number, const frontend::Type& type);

// The name with everything that cannot stand in an identifier replaced.
std::string identifier(const std::string& name);

// Why no call of this function can be written; empty if one can.
std::string no_call_reason(const frontend::Target& target);

// The declaration of the target under the name `subject`, and of the struct that it returns, if it does. `cpp`: for
// C++.
std::string declaration_text(const frontend::Target& target, const std::string& subject, bool cpp);

// Statements that fill the block and call. A scalar that is returned is called `result` afterwards.
std::string call_text(const frontend::Target& target, const std::string& subject,
                      const std::vector<finding::NamedNumber>& input);

// Is it the scalar that is returned?
bool is_result(const frontend::Cell& output);

// A statement that reads an output, other than the result, into a new variable `value`.
std::string read_text(const frontend::Cell& output);

} // namespace faultline::report
