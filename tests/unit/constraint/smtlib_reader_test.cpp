#include "constraint/smtlib/reader.h"

#include "constraint/evaluate.h"
#include "constraint/smtlib/values.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

Script read(const std::string& text) { return read_smtlib(text, "f.smt2"); }

// With x, y of double, f of float and b, c of Bool declared.
Script reads(const std::string& assertion) {
  return read("(declare-fun x () Float64)(declare-fun y () (_ FloatingPoint 11 53))(declare-const f Float32)\n"
              "(declare-const b Bool)(declare-const c Bool)\n(assert " +
              assertion + ")(check-sat)");
}

struct Values {
  double x = 0, y = 0;
  float f = 0;
  bool b = false, c = false;
};

bool holds(const std::string& assertion, Values values = {}) {
  const Script script = reads(assertion);
  return satisfies(script.system, {numeric::bits_of(values.x), numeric::bits_of(values.y), numeric::bits_of(values.f),
                                   values.b, values.c});
}

const double inf = INFINITY, nan = NAN;

TEST(SmtlibReader, ArithmeticMeansWhatTheMachineDoes) {
  EXPECT_TRUE(holds("(fp.eq (fp.add RNE x y) ((_ to_fp 11 53) RNE 0.3))", {0.1, 0.2}) == (0.1 + 0.2 == 0.3));
  EXPECT_TRUE(holds("(= (fp.sub roundNearestTiesToEven x y) (fp.neg y))", {0, 3}));
  EXPECT_TRUE(holds("(= (fp.mul RNE x y) ((_ to_fp 11 53) RNE 6))", {2, 3}));
  EXPECT_TRUE(holds("(= (fp.div RNE x y) ((_ to_fp 11 53) RNE (/ 1 3)))", {1, 3}));
  EXPECT_TRUE(holds("(= (fp.fma RNE x x y) ((_ to_fp 11 53) RNE 10))", {3, 1}));
  EXPECT_TRUE(holds("(= (fp.sqrt RNE x) y)", {2, std::sqrt(2)}));
  EXPECT_TRUE(holds("(= (fp.rem x y) ((_ to_fp 11 53) RNE (- 1)))", {5, 3}));
  EXPECT_TRUE(holds("(= (fp.abs x) y)", {-2, 2}));
}

TEST(SmtlibReader, RoundingToAnIntegerGoesInEveryDirection) {
  const std::pair<const char*, double> modes[] = {{"RNE", 2}, {"RNA", 3}, {"RTP", 3}, {"RTN", 2}, {"RTZ", 2}};
  for (const auto& [mode, expected] : modes)
    EXPECT_TRUE(holds("(= (fp.roundToIntegral " + std::string(mode) + " x) y)", {2.5, expected})) << mode;
  EXPECT_TRUE(holds("(= (fp.roundToIntegral RTP x) y)", {-2.5, -2}));
  EXPECT_TRUE(holds("(= (fp.roundToIntegral RTN x) y)", {-2.5, -3}));
}

TEST(SmtlibReader, EqualityOfValuesIsNotTheMachines) {
  EXPECT_TRUE(holds("(fp.eq x y)", {0, -0.0}));
  EXPECT_FALSE(holds("(= x y)", {0, -0.0}));
  EXPECT_FALSE(holds("(fp.eq x x)", {nan}));
  EXPECT_TRUE(holds("(= x (_ NaN 11 53))", {nan}));
  EXPECT_TRUE(holds("(distinct x y (_ -zero 11 53))", {0, 1}));
  EXPECT_FALSE(holds("(distinct x y (_ -zero 11 53))", {0, -0.0}));
}

TEST(SmtlibReader, ComparisonsChain) {
  EXPECT_TRUE(holds("(fp.lt x y (_ +oo 11 53))", {1, 2}));
  EXPECT_FALSE(holds("(fp.lt x y (_ +oo 11 53))", {1, inf}));
  EXPECT_FALSE(holds("(fp.lt x y ((_ to_fp 11 53) RNE 1))", {1, 2}));
  EXPECT_TRUE(holds("(fp.leq x y y)", {2, 2}));
  EXPECT_TRUE(holds("(fp.geq y x)", {1, 1}));
  EXPECT_TRUE(holds("(fp.gt y x)", {1, 2}));
  EXPECT_FALSE(holds("(fp.geq y x)", {nan, 1}));
  EXPECT_TRUE(holds("(= x y x)", {4, 4}));
  EXPECT_FALSE(holds("(= x x y)", {4, 5}));
}

TEST(SmtlibReader, ClassesAreThoseOfTheStandard) {
  const std::pair<const char*, std::vector<double>> classes[] = {{"isNormal", {1, -1e300}},
                                                                 {"isSubnormal", {5e-324, -5e-324}},
                                                                 {"isZero", {0, -0.0}},
                                                                 {"isInfinite", {inf, -inf}},
                                                                 {"isNaN", {nan}}};
  for (const auto& [name, members] : classes)
    for (const auto& [other, values] : classes)
      for (const double value : values)
        EXPECT_EQ(holds("(fp." + std::string(name) + " x)", {value}), std::string(name) == other) << name << value;
  EXPECT_TRUE(holds("(fp.isNegative x)", {-0.0}));
  EXPECT_TRUE(holds("(fp.isPositive x)", {inf}));
  EXPECT_FALSE(holds("(or (fp.isNegative x) (fp.isPositive x))", {nan}));
}

TEST(SmtlibReader, LogicIsComplete) {
  for (int row = 0; row < 4; ++row) {
    const Values values{.b = row % 2 == 1, .c = row / 2 == 1};
    EXPECT_EQ(holds("(and b c)", values), values.b && values.c);
    EXPECT_EQ(holds("(or b c)", values), values.b || values.c);
    EXPECT_EQ(holds("(xor b c)", values), values.b != values.c);
    EXPECT_EQ(holds("(xor b c true)", values), values.b == values.c);
    EXPECT_EQ(holds("(=> b c)", values), !values.b || values.c);
    EXPECT_EQ(holds("(=> b b c)", values), !values.b || values.c); // to the right
    EXPECT_EQ(holds("(= b c)", values), values.b == values.c);
    EXPECT_EQ(holds("(ite b c (not c))", values), values.b ? values.c : !values.c);
    EXPECT_EQ(holds("(distinct b c)", values), values.b != values.c);
  }
  EXPECT_FALSE(holds("(distinct b c true)"));
  EXPECT_TRUE(holds("(fp.isZero (ite b x y))", {1, 0}));
}

TEST(SmtlibReader, ConstantsAreReadInEveryNotation) {
  EXPECT_TRUE(holds("(= x (fp #b0 #b01111111111 #x8000000000000))", {1.5}));
  EXPECT_TRUE(holds("(= f (fp #b1 #x7f #b00000000000000000000000))", {.f = -1}));
  EXPECT_TRUE(holds("(= f ((_ to_fp 8 24) #x3f800000))", {.f = 1}));
  EXPECT_TRUE(holds("(= f ((_ to_fp 8 24) (_ bv1065353216 32)))", {.f = 1}));
  EXPECT_TRUE(holds("(= f ((_ to_fp 8 24) RNE 0.1))", {.f = 0.1f}));
  EXPECT_TRUE(holds("(= x ((_ to_fp 11 53) RNE (- 0.1)))", {-0.1}));
  EXPECT_TRUE(holds("(= x ((_ to_fp 11 53) RNE (/ (- 1.0) 3.0)))", {-1.0 / 3}));
  EXPECT_TRUE(holds("(= x ((_ to_fp 11 53) RNE #xff))", {-1}));
  EXPECT_TRUE(holds("(= x ((_ to_fp_unsigned 11 53) RNE #xff))", {255}));
  EXPECT_TRUE(holds("(= x ((_ to_fp 11 53) RNE (_ bv0 32)))", {0}));
  EXPECT_TRUE(holds("(= f ((_ to_fp 8 24) (concat #x3f #x800000)))", {.f = 1}));
  EXPECT_TRUE(holds("(= f ((_ to_fp 8 24) ((_ extract 31 0) #xff3f800000)))", {.f = 1}));
  EXPECT_TRUE(holds("(= x (_ -oo 11 53))", {-inf}));
  EXPECT_TRUE(holds("(= x (fp #b1 #b11111111111 #x0000000000001))", {nan}));
}

TEST(SmtlibReader, ConversionsBetweenFormatsRound) {
  EXPECT_TRUE(holds("(= f ((_ to_fp 8 24) RNE x))", {.x = 0.1, .f = 0.1f}));
  EXPECT_TRUE(holds("(= x ((_ to_fp 11 53) RNE f))", {.x = 0.1f, .f = 0.1f}));
}

// 1 + 2^-53 + 2^-200 as a double is the float above 1; rounded to 100 bits first, it would be 1.
TEST(SmtlibReader, ADecimalIsRoundedOnce) {
  mpz_class denominator = mpz_class(1) << 200;
  const mpz_class numerator = denominator + (mpz_class(1) << 147) + 1;
  const std::string quotient = "(/ " + numerator.get_str() + " " + denominator.get_str() + ")";
  EXPECT_TRUE(holds("(= x ((_ to_fp 11 53) RNE " + quotient + "))", {1 + 0x1p-52}));
}

TEST(SmtlibReader, LetIsParallelAndShadows) {
  EXPECT_TRUE(holds("(let ((x y) (y x)) (and (= x ((_ to_fp 11 53) RNE 2)) (= y ((_ to_fp 11 53) RNE 1))))", {1, 2}));
  EXPECT_TRUE(holds("(let ((z x)) (and (let ((z y)) (fp.isZero z)) (fp.isInfinite z)))", {inf, 0}));
  EXPECT_TRUE(holds("(let ((r RNE) (one 1)) (= x ((_ to_fp 11 53) r one)))", {1}));
}

TEST(SmtlibReader, DefinitionsStandForTheirTerms) {
  const std::string declared =
      "(declare-fun x () Float64)(define-sort D () Float64)(define-fun one () D ((_ to_fp 11 53) "
      "RNE 1))(define-const rm RoundingMode RNE)";
  const auto value = [&](const std::string& text, double x) {
    return satisfies(read(declared + text + "(check-sat)").system, {numeric::bits_of(x)});
  };
  EXPECT_TRUE(value("(define-fun above ((a D)) D (fp.add rm a one))(assert (fp.eq (above (above x)) one))", -1));
  EXPECT_FALSE(value("(define-fun above ((a D)) D (fp.add rm a one))(assert (fp.eq (above (above x)) one))", 0));
  // The name x of the body is the variable, whatever the use has around it.
  EXPECT_TRUE(value("(define-fun times ((a D)) D (fp.mul RNE a x))(assert (let ((x one)) (fp.eq (times x) x)))", 1));
  EXPECT_FALSE(value("(define-fun times ((a D)) D (fp.mul RNE a x))(assert (let ((x one)) (fp.eq (times x) x)))", 2));
  EXPECT_TRUE(
      value("(define-fun f ((r RoundingMode) (x D) (y D)) D (fp.sub r y x))(assert (fp.eq (f rm x one) one))", 0));
  EXPECT_TRUE(value("(assert (! (fp.gt x one) :named n :weight 3 :pattern (a b)))(assert n)", 2));
}

TEST(SmtlibReader, WhatTheFileSaysOfItselfIsKept) {
  const Script script = read("; a comment\n(set-info :status unsat)\n(set-info :source |a ( b|)\n(set-option "
                             ":produce-models true)\n(set-logic QF_FP)\n(declare-fun |a b| () Bool)(assert |a "
                             "b|)(check-sat)(get-model)(get-value (|a b|))(exit)\n; the end");
  EXPECT_EQ(script.status, Status::unsat);
  EXPECT_TRUE(script.asks);
  EXPECT_TRUE(script.wants_model);
  ASSERT_EQ(script.system.variables().size(), 1u);
  EXPECT_EQ(script.system.variables()[0].name, "a b");
  EXPECT_FALSE(read("(assert true)").asks);
}

TEST(SmtlibReader, BarsDoNotChangeAName) {
  EXPECT_EQ(
      read("(declare-fun |x| () Bool)(assert x)(declare-fun |let| () Bool)(assert |let|)").system.assertions().size(),
      2u);
}

// The public problems, if they are there: FAULTLINE_SMT=DIR.
TEST(SmtlibReader, ThePublicProblemsAreRead) {
  const char* folder = std::getenv("FAULTLINE_SMT");
  if (!folder)
    GTEST_SKIP() << "FAULTLINE_SMT names no folder";
  size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".smt2") {
      const Script script = load_smtlib(entry.path().string());
      EXPECT_TRUE(script.asks) << entry.path();
      ++count;
    }
  EXPECT_GT(count, 0u);
  RecordProperty("files", int(count));
}

} // namespace
} // namespace faultline::constraint
