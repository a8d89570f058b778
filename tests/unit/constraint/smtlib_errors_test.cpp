// What is wrong with a script is said with its place; and no script, however made, takes the reader's stack or memory.
#include "base/error.h"
#include "constraint/smtlib/reader.h"

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

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, 2) << text;
    EXPECT_FALSE(error.hint.empty()) << text;
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << text;
    return error.what();
  }
  return "no error";
}

std::string term_error(const std::string& assertion) {
  try {
    reads(assertion);
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::string& text, const std::string& part) {
  const std::string error = error_of(text);
  EXPECT_NE(error.find(part), std::string::npos) << text.substr(0, 200) << "\n" << error;
}

void expect_term_error(const std::string& assertion, const std::string& part) {
  EXPECT_NE(term_error(assertion).find(part), std::string::npos) << assertion << "\n" << term_error(assertion);
}

TEST(SmtlibErrors, UnsupportedLogicsSortsAndCommandsAreNamed) {
  expect_error("(set-logic QF_BV)", "f.smt2:1:12: unsupported logic 'QF_BV'");
  expect_error("(set-logic QF_FP)\n(declare-fun a () (_ BitVec 129))", "f.smt2:2:19: unsupported sort (_ BitVec 129)");
  expect_error("(declare-fun a () (_ BitVec 0))", "unsupported sort (_ BitVec 0)");
  expect_error("(declare-fun a () Real)", "unsupported sort Real");
  expect_error("(declare-fun a () String)", "unsupported sort 'String'");
  expect_error("(declare-fun a () (Array Int Real))", "unsupported sort ('Array' ...)");
  expect_error("(declare-sort U 0)(declare-fun a () U)", "unsupported sort 'U'");
  expect_error("(declare-fun a () (_ FloatingPoint 20 24))", "unsupported sort (_ FloatingPoint 20 24)");
  expect_error("(declare-fun a () (_ FloatingPoint 8 999999999999))", "too large");
  expect_error("(declare-fun f (Float32) Float32)", "'f' is a function");
  expect_error("(define-sort P (T) T)", "has parameters");
  expect_error("(define-fun-rec f () Bool true)", "is not supported");
  expect_error("(push 1)(pop 2)", "2 levels to pop, of 1");
  expect_error("(push 999999999)", "more than 100000 levels");
  expect_error("(push)(declare-fun a () Bool)(pop)(assert a)", "undeclared symbol 'a'");
  expect_error("(check-sat-assuming (RNE))", "an assumption of sort RoundingMode, not Bool");
  expect_error("(frobnicate)", "unknown command 'frobnicate'");
}

TEST(SmtlibErrors, UnsupportedTermsAreNamed) {
  expect_term_error("(= (+ (fp.to_real x) 1.0) 1.0)", "+: of fp.to_real is not supported");
  expect_term_error("(= ((_ fp.to_ubv 129) RNE x) ((_ fp.to_ubv 129) RNE y))", "a bit-vector of 129 bits");
  expect_term_error("(= (concat ((_ fp.to_ubv 128) RNE x) #b1) #b1)", "a bit-vector of 129 bits");
  expect_term_error("(forall ((z Float64)) (= z z))", "quantifiers are not supported");
  expect_term_error("(= x ((_ to_fp 11 53) RNE (/ 1 0)))", "division by zero");
  expect_term_error("(= x ((_ to_fp 20 53) RNE 1))", "unsupported sort");
  expect_term_error("(= x (fp #b0 #b1 #b1))", "unsupported sort (_ FloatingPoint 1 2)");
}

TEST(SmtlibErrors, WrongSortsAndCountsAreNamed) {
  expect_term_error("(fp.lt x f)",
                    "operands 1 and 2 are of different sorts, (_ FloatingPoint 11 53) and (_ FloatingPoint 8 24)");
  expect_term_error("(and b x)", "operand 2 is of sort (_ FloatingPoint 11 53), not Bool");
  expect_term_error("(fp.isZero b)", "operand 1 is of sort Bool");
  expect_term_error("(fp.isZero 1.0)", "operand 1 is of sort Real");
  expect_term_error("(fp.eq (fp.add x y) x)", "fp.add: takes 3 operands, not 2");
  expect_term_error("(fp.eq (fp.add x y x) x)", "not RoundingMode");
  expect_term_error("(= b x)", "different sorts, Bool and");
  expect_term_error("(ite b x c)", "the branches are of different sorts");
  expect_term_error("x", "an assertion of sort (_ FloatingPoint 11 53), not Bool");
  expect_term_error("(= x ((_ to_fp 11 53) #x00))", "8 bits, not 64");
  expect_term_error("(not)", "takes 1 operands, not 0");
  expect_term_error("(= x (_ bv256 8))", "a malformed bit-vector literal");
  expect_error("(define-fun d () Float32 ((_ to_fp 11 53) RNE 1))", "'d' is of sort (_ FloatingPoint 11 53), not");
  expect_error("(define-fun d ((a Bool) (a Bool)) Bool a)", "two parameters are called 'a'");
  expect_error("(define-fun d ((a Bool)) Bool a)(assert (d true true))", "2 operands for 1 parameters");
  expect_error("(define-fun d ((a Bool)) Bool a)(assert (d RNE))", "operand 1 is of sort RoundingMode, not Bool");
  expect_error("(define-fun d ((a Bool)) Bool (fp.isNaN a))", "f.smt2:1:31: fp.isNaN: operand 1 is of sort Bool");
}

TEST(SmtlibErrors, NamesWithoutAMeaningAreRefused) {
  expect_error("(assert\n  (not z))", "f.smt2:2:8: undeclared symbol 'z'");
  expect_term_error("(frob x)", "unknown function 'frob'");
  expect_term_error("(x)", "'x' is not a function");
  expect_term_error("fp.add", "has no operands");
  expect_term_error("(to_fp x)", "needs numbers");
  expect_error("(declare-fun a () Bool)(declare-fun a () Bool)", "'a' is declared twice");
  expect_error("(declare-fun and () Bool)", "is a reserved word of SMT-LIB");
  expect_error("(declare-fun let () Bool)", "is a reserved word of SMT-LIB");
  expect_error("(define-fun f ((a Bool)) Bool (f a))", "unknown function 'f'");
  expect_error("(define-fun f () Bool f)", "undeclared symbol 'f'");
  expect_error("(define-fun f ((a Bool)) Bool later)(define-fun later () Bool true)", "undeclared symbol 'later'");
}

TEST(SmtlibErrors, ANameBoundByLetIsKnownInsideItOnly) {
  expect_term_error("(let ((z x)) true) (fp.isZero z)", "expected ')'");
  expect_term_error("(and (let ((z x)) true) (fp.isZero z))", "undeclared symbol 'z'");
  expect_term_error("(let ((z x) (z y)) true)", "let binds 'z' twice");
}

TEST(SmtlibErrors, BrokenTextIsRefused) {
  for (const char* text : {"(assert",
                           "(assert (and true",
                           "(assert true))",
                           ")",
                           "assert",
                           "(",
                           "()",
                           "(assert)",
                           "(assert true false)",
                           "(assert (let))",
                           "(assert (let ((x)) true))",
                           "(assert (let ((x true))))",
                           "(assert (!))",
                           "(assert (! true :named))",
                           "(assert ())",
                           "(assert (()))",
                           "(assert ((_ to_fp)))",
                           "(assert (_))",
                           "(assert (_ +oo))",
                           "(set-info)",
                           "(set-logic",
                           "(declare-fun)",
                           "(define-fun f (a) Bool a)",
                           "(assert \"text\")",
                           "(check-sat) junk",
                           "(check-sat)(exit)(check-sat)",
                           "\x7f"
                           "ELF\x02\x01"})
    EXPECT_TRUE(error_of(text).starts_with("f.smt2:1:")) << text << ": " << error_of(text);
}

TEST(SmtlibErrors, AFileWithoutAProblemIsRefused) {
  for (const char* text : {"", "  \n", "; nothing", "(set-logic QF_FP)", "(declare-fun x () Float64)"})
    expect_error(text, "the file contains no problem");
}

std::string repeated(const std::string& text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

TEST(SmtlibErrors, AMillionNestedTermsDoNotOverflowTheStack) {
  constexpr size_t depth = 1'000'000;
  const std::string head = "(declare-fun b () Bool)(declare-fun x () Float32)(assert ";
  EXPECT_EQ(read(head + repeated("(not ", depth) + "b" + repeated(")", depth) + ")").system.assertions().size(), 1u);
  EXPECT_GT(read(head + "(fp.isNaN " + repeated("(fp.sqrt RNE ", depth / 4) + "x" + repeated(")", depth / 4) + "))")
                .system.size(),
            depth / 4);
  read(head + repeated("(let ((b (not b))) ", depth / 4) + "b" + repeated(")", depth / 4) + ")");
  read("(set-info :nested " + repeated("(", depth) + repeated(")", depth) + ")(check-sat)");
  expect_error(repeated("(", depth), "expected a command");
  expect_error(head + repeated("(not ", depth), "never closed");
  expect_error(head + repeated("(", depth), "expected _ and a function");
  expect_error(head + repeated("(and b ", 2'100'000), "nested more deeply");
}

TEST(SmtlibErrors, SharedTermsAreReadOnce) {
  std::string lets = "x", definitions = "(declare-fun x () Float32)";
  for (int i = 0; i < 200; ++i)
    lets = "(let ((x (fp.add RNE x x))) " + lets + ")";
  for (int i = 0; i < 200; ++i)
    definitions += "(define-fun a" + std::to_string(i) + " () Float32 (fp.add RNE " +
                   (i == 0 ? "x x" : "a" + std::to_string(i - 1) + " a" + std::to_string(i - 1)) + "))";
  EXPECT_LT(read("(declare-fun x () Float32)(assert (fp.isNaN " + lets + "))").system.size(), 300u);
  EXPECT_LT(read(definitions + "(assert (fp.isNaN a199))").system.size(), 300u);
}

TEST(SmtlibErrors, DefinitionsThatExplodeAreRefused) {
  std::string text = "(declare-fun b () Bool)(define-fun f0 ((a Bool)) Bool (not a))";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "f" + std::to_string(i - 1);
    text += "(define-fun f" + std::to_string(i) + " ((a Bool)) Bool (" + before + " (" + before + " a)))";
  }
  expect_error(text + "(assert (f59 b))", "expand to too much text");
}

TEST(SmtlibErrors, NumbersThatExplodeAreRefused) {
  std::string term = "((_ to_fp 8 24) RNE z)";
  for (int i = 0; i < 60; ++i)
    term = "(let ((z (/ z (/ 1 z)))) " + term + ")";
  expect_error("(assert (fp.isNaN (let ((z 1.5)) " + term + ")))", "the numbers are too long");
  expect_error("(assert (fp.isNaN ((_ to_fp 8 24) RNE 0." + std::string(200'000, '3') + ")))", "too long");
  expect_error("(assert (= (_ bv1 999999999) #b1))", "a malformed bit-vector literal");
}

TEST(SmtlibErrors, ADistinctOfManyIsRefused) {
  expect_error("(declare-fun b () Bool)(assert (distinct" + repeated(" b", 100'000) + "))",
               "distinct: of 100000 operands");
}

} // namespace
} // namespace faultline::constraint
