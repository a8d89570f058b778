#include "suite/fpse/fpse_cases.h"

namespace faultline::suite {

using ops::Op;

Path dichotomic(int depth, DichotomicPath which) {
  Path path(numeric::binary32);
  const auto number = [&](const char* text) { return path.number(text); };
  Path::Term low = path.input("low"), high = path.input("high"), level = path.input("level");
  Path::Term step = path.subtract(high, low);
  for (int turn = 0; turn < depth; ++turn) {
    path.test(Op::cmp_ogt, step, number("1e-6")); // while
    const Path::Term half = path.divide(step, number("2"));
    const Path::Term middle = path.add(low, half);
    path.test(Op::cmp_ole, middle, low, false);
    const Path::Term cubic = path.multiply(number("0.25"), middle);
    const Path::Term quadratic = path.add(cubic, number("1.5"));
    const Path::Term scaled = path.multiply(quadratic, middle);
    const Path::Term slope = path.add(scaled, number("40"));
    const Path::Term value = path.multiply(slope, middle);
    const Path::Term gap = path.subtract(value, level);
    path.test(Op::cmp_oeq, gap, number("0"), false);
    path.test(Op::cmp_olt, gap, number("0"), false);
    low = path.copy(low);
    step = path.copy(half);
  }
  path.test(Op::cmp_ogt, step, number("1e-6"), false);
  path.test(Op::cmp_ogt, low, number("1e6"), which == DichotomicPath::too_large);
  path.returns(which == DichotomicPath::found ? low : number("-1"));
  return path;
}

} // namespace faultline::suite
