// The constants of a script: literals, and those that SMT-LIB names.
#pragma once

#include "constraint/smtlib/values.h"

#include <optional>

namespace faultline::constraint {

// true, false, RNE, roundNearestTiesToEven ...
std::optional<Value> named_constant(System& system, std::string_view name);
bool is_named_constant(std::string_view name);

// 12, 1.5, #b01, #xff. Nothing for any other token; throws UserError where the literal is too long.
std::optional<Value> literal(System& system, const Lexer& lexer, const Token& token);

// (_ +oo 8 24), (_ bv10 32), of which "(_" was read; `at` is its place. Throws UserError.
Value indexed_constant(System& system, Lexer& lexer, size_t at);

} // namespace faultline::constraint
