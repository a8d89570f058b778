#include "suite/fpse/fpse_programs.h"

#include <fmt/format.h>

namespace faultline::suite {

using ops::Op;
using Term = Path::Term;

namespace {

void goldberg_sum(Path& path) {
  const Term a = path.input("a", "2.0e-30"), b = path.input("b", "1.0e30"), c = path.input("c", "1.0e-30");
  path.returns(path.subtract(path.subtract(path.add(a, b), b), c));
}

void goldberg_quadratic(Path& path) {
  const Term a = path.input("A", "1.22"), b = path.input("B", "3.34"), d = path.input("D", "0.0");
  const Term c = path.input("C");
  const Term square = path.multiply(b, b);
  const Term product = path.multiply(path.multiply(path.number("4"), a), c);
  path.test(Op::cmp_oeq, d, path.subtract(square, product));
  path.returns(c);
}

void sum_is_larger(Path& path) {
  const Term x = path.input("x"), y = path.input("y", "1.0e12");
  path.test(Op::cmp_olt, x, path.number("1.0e4"));
  path.test(Op::cmp_ogt, path.add(x, y), y);
  path.returns(x);
}

void sum_is_the_same(Path& path) {
  const Term x = path.input("x"), y = path.input("y", "1.0e12");
  path.test(Op::cmp_ogt, x, path.number("0"));
  path.test(Op::cmp_oeq, path.add(x, y), y);
  path.returns(x);
}

// z = 1; for (; y != 0; ++y) z *= x; return 1 / z; with y < 0. What the test of y says, unrolling knows; the last one
// stands for them all.
void power(Path& path, int times) {
  const Term x = path.input("x", "10");
  Term y = path.input("y", fmt::format("-{}", times)), z = path.number("1");
  for (int turn = 0; turn < times; ++turn) {
    z = path.multiply(z, x);
    y = path.add(y, path.number("1"));
  }
  path.test(Op::cmp_oeq, y, path.number("0"));
  path.returns(path.divide(path.number("1"), z));
}

void power_40(Path& path) { power(path, 40); }
void power_350(Path& path) { power(path, 350); }

void howden(Path& path) {
  const Term a = path.input("a"), b = path.input("b");
  const Term x1 = path.add(path.multiply(a, b), path.number("2"));
  path.test(Op::cmp_ogt, x1, path.number("100"));
  const Term x3 = path.subtract(path.subtract(path.number("100"), x1), path.number("50"));
  path.test(Op::cmp_ogt, x3, path.number("50"));
  path.returns(a);
}

Published value(const char* text) { return {Published::Kind::value, text, text}; }
Published member(const char* text) { return {Published::Kind::member, text, text}; }
Published ends(const char* least, const char* greatest) { return {Published::Kind::ends, least, greatest}; }
const Published infeasible;

} // namespace

std::string text(const Published& published) {
  if (published.kind == Published::Kind::infeasible)
    return "infeasible";
  return published.kind == Published::Kind::ends ? fmt::format("[{}, {}]", published.least, published.greatest)
                                                 : published.least;
}

const std::vector<FpseProgram>& fpse_programs() {
  static const std::vector<FpseProgram> programs = {
      {"goldberg_sum",
       "2.0e-30 + 1.0e30 - 1.0e30 - 1.0e-30",
       goldberg_sum,
       {value("-1.000000003e-30"), value("-1.000000003e-30")},
       {value("-1.0e-30"), value("-1.0e-30")}},
      {"goldberg_quadratic",
       "D == B*B - 4*A*C, A = 1.22, B = 3.34, D = +0.0; C",
       goldberg_quadratic,
       {member("2.2859835624694824"), ends("2.2859833240509033", "2.2859835624694824")},
       {member("2.2859836065573770"), ends("2.2859836065573766", "2.2859836065573770")}},
      {"sum_is_larger",
       "x < 1.0e4, x + 1.0e12 > 1.0e12; x",
       sum_is_larger,
       {infeasible, infeasible},
       {ends("6.103e-5", "9.999e3"), ends("6.103e-5", "9.999e3")}},
      {"sum_is_the_same",
       "x > 0, x + 1.0e12 == 1.0e12; x",
       sum_is_the_same,
       {ends("1.4012984643248171e-45", "3.2767998046875000e+04"),
        ends("1.4012984643248171e-45", "3.2768000000000000e+04")},
       {ends("4.9406564584124654e-324", "6.1035156250000000e-05"),
        ends("4.9406564584124654e-324", "6.1035156250000000e-05")}},
      {"power_40",
       "power.c, x = 10, y = -40",
       power_40,
       {value("+0.0"), value("+0.0")},
       {value("1.000000000001e-40"), value("1.000000000001e-40")}},
      {"power_350",
       "power.c, x = 10, y = -350",
       power_350,
       {value("+0.0"), value("+0.0")},
       {value("+0.0"), value("+0.0")}},
      {"howden",
       "x1 = a*b + 2, x1 > 100, x3 = 100 - x1 - 50, x3 > 50",
       howden,
       {infeasible, infeasible},
       {infeasible, infeasible}},
  };
  return programs;
}

} // namespace faultline::suite
