// Which records others depend on.
#pragma once

#include "ops/op.h"
#include "tape/tape.h"

namespace faultline::tape {

// Marks the operands of marked records, and theirs, from `last` back to the inputs. `marked` has a flag for each
// record. Through foreign functions, too: what they were given, as far as their results name it.
enum class Through : uint8_t { operations, foreign_functions };

template <typename Flags>
void mark_operands(const Tape& tape, Flags& marked, uint32_t last, Through through = Through::operations) {
  for (uint32_t index = last; index > 0; --index) {
    if (!marked[index])
      continue;
    const Site& site = tape.site(index);
    const int arity = through == Through::foreign_functions && site.foreign != 0 ? site.arguments : ops::arity(site.op);
    for (int i = 0; i < arity; ++i)
      if (const uint32_t operand = tape.operand(index, i); !runtime::is_constant(operand))
        marked[operand] = true;
  }
}

} // namespace faultline::tape
