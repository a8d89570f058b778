// A site is a place in the program where an operation stands: one instruction, after optimisation. Many records of a
// tape have the same site. The instrumentation makes the list; everybody else reads it.
#pragma once

#include "numeric/format.h"
#include "ops/op.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::runtime {

struct Site {
  ops::Op op = ops::Op::none;
  numeric::Format format = numeric::Format::binary64;         // of the result; of the operands for comparisons, to_int
  numeric::Format operand_format = numeric::Format::binary64; // differs for fpext and fptrunc
  std::string file;
  std::string function;
  int line = 0;
  int column = 0;
  int integer_bits = 64; // of a conversion to an integer
  bool integer_signed = true;
  // How many outcomes a decision has: 2 of a comparison or a condition, one more than its cases of a switch; 0 of
  // everything else, and of a conversion to an integer, which has as many as there are integers.
  int outcomes = 0;
  bool exits_loop = false; // of a comparison: a way out of a loop hangs on it
  // Of the operands: those that are a loop's tolerance (tape/tolerance.h), as bits. Lifted runs can tighten them.
  uint8_t tolerances = 0;
  // Of a `decide`: what stood between the two integers ("<", "==", "unsigned <"), "switch", or nothing where the
  // condition is no comparison of integers.
  std::string predicate = {};
  std::vector<int64_t> cases = {}; // of a switch, in the order of its outcomes 1, 2, ...; outcome 0 is the default
  // Of a `leaf`, in a session that records decisions: the value depends on the decisions before it alone; or it is that
  // of an integer input, exactly but for its rounding to the format: the index of the input cell (exec::Input), or -1.
  // Of a `decide`: the conversions before it determine how it goes.
  bool determined = false;
  int parameter = -1;
  // Of a `leaf`: the function that made it, if that is not instrumented (from 1, in SiteTable::foreign), and how many
  // of the record's operands name floats that it was given: the first three at most.
  uint32_t foreign = 0;
  int arguments = 0;
};

struct Constant {
  long double value = 0; // every format's values are exact in x87's
  numeric::Format format = numeric::Format::binary64;
};

// A call by which code refuses its input or ends the run (instrument/marks.h).
struct Mark {
  std::string function; // that is called, as people write it: mtherr, exit; or throw, STOP
  Site place;           // of the call
};

struct SiteTable {
  std::vector<Site> sites;
  std::vector<Constant> constants;
  std::vector<std::string> foreign; // functions that are called and not instrumented, as people write their names
  std::vector<Mark> marks;
  // In a session that records decisions: places where floats are read or written at an address that the path does not
  // settle. Which values a run has there may differ from run to run, although the path does not.
  std::vector<Site> unsettled;
};

} // namespace faultline::runtime
