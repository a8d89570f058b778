// A call of a target that has no plain prototype: a struct that is returned, a Fortran descriptor.
//
// The function is declared by its symbol. Pointers point into a block of bytes that is filled before the call, and the
// outputs are read from there after it. A struct comes back as the machine passes it: in memory behind a hidden first
// argument, or in registers as a struct of the same fields.
#pragma once

#include "finding/finding.h"
#include "frontend/target.h"
#include "report/tests/call_text.h"

#include <string>
#include <vector>

namespace faultline::report {

// Why no call of this function can be written; empty if one can.
std::string no_block_call_reason(const frontend::Target& target);

// The declaration of the target under the name `subject`, and of the struct that it returns, if it does. `cpp`: for
// C++.
std::string block_declaration(const frontend::Target& target, const std::string& subject, bool cpp);

// Statements that fill the block, and the call.
Called block_call(const frontend::Target& target, const std::string& subject,
                  const std::vector<finding::NamedNumber>& input);

// A statement that reads an output, other than the scalar that is returned, into a new variable `value`.
std::string block_read(const frontend::Cell& output);

} // namespace faultline::report
