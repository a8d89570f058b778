// The distance of an atom from holding, counted in floats and taken logarithmically (see violation.h).
#pragma once

#include "solve/newton/violation.h"

namespace faultline::solve {

// log2(1 + floats), nearly: straight between the powers of two, which is monotonic and cheap.
double logarithmic(double floats);

// Operands in the machine's formats as doubles; `single` if they are of binary32.
double comparison_distance(ops::Op op, double a, double b, bool single);
double comparison_distance(ops::Op op, constraint::BinaryFormat format, constraint::Bits a, constraint::Bits b);
double same_distance(bool wanted, constraint::BinaryFormat format, constraint::Bits a, constraint::Bits b);
double class_distance(bool wanted, constraint::Class tested, constraint::BinaryFormat format, constraint::Bits a);

} // namespace faultline::solve
