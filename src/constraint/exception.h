// The constraint of an exception (goal/exception.h) at one execution on a path: the decisions before it as they went,
// and one of the operation's triggers (ops/trigger.h), as terms over floats.
//
// The path ends there: what the program decides afterwards does not matter. Operands must be finite, so what made them
// has raised no exception that a value remembers.
#pragma once

#include "constraint/path_condition.h"
#include "goal/exception.h"

namespace faultline::constraint {

// The conditions of one trigger, over the terms of the operands and of the result.
Term exception(System& system, const goal::Trigger& trigger, std::span<const Term> operands, Term result);

// Nothing if it takes more than `most_terms`, or if the operation cannot raise it.
std::optional<PathCondition> exception_condition(const tape::Tape& tape, uint32_t record, ops::Exception kind,
                                                 std::span<const InputRange> inputs, Leaves leaves,
                                                 size_t most_terms = 20'000);

} // namespace faultline::constraint
