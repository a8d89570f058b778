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
};

struct Constant {
  long double value = 0; // every format's values are exact in x87's
  numeric::Format format = numeric::Format::binary64;
};

struct SiteTable {
  std::vector<Site> sites;
  std::vector<Constant> constants;
};

} // namespace faultline::runtime
