// Broken scripts: every mutant of a good one ends in a system or in an error that names a place.
#include "constraint/smtlib/reader.h"

#include "base/error.h"
#include "short_run.h"

#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

const char* const scripts[] = {
    "(set-info :smt-lib-version 2.6)\n(set-logic QF_FP) ; logic\n(set-info :status sat)\n"
    "(declare-fun x () (_ FloatingPoint 8 24))\n(declare-fun |a b| () Bool)\n(define-fun r () RoundingMode RNE)\n"
    "(define-fun t () (_ FloatingPoint 8 24) (fp.add r x (fp #b0 #b01111111 #b00000000000000000000000)))\n"
    "(assert (and |a b| (fp.lt t x) (not (fp.isNaN x))))\n(check-sat)\n(get-model)\n(exit)\n",
    "(declare-const x Float64)(declare-const y Float16)(define-sort D () Float64)\n"
    "(define-fun f ((a D) (m RoundingMode)) D (let ((b (fp.mul m a a)) (c a)) (fp.sub RNE b c)))\n"
    "(assert (! (=> (= (f x RNE) (_ +oo 11 53)) (distinct x (f (f x RNE) RNE) (_ -zero 11 53))) :named n))\n"
    "(assert (xor n (ite n (fp.eq x ((_ to_fp 11 53) RNE (/ (- 1.5) 3))) (fp.isZero y))))(check-sat)",
    "(set-logic ALL)(declare-fun f () (_ FloatingPoint 5 11))(assert (or (fp.leq ((_ to_fp 5 11) #x3c00) f "
    "((_ to_fp 5 11) RNE (_ bv7 8)) ((_ to_fp_unsigned 5 11) RNE (concat #b1 #b0))) (fp.isInfinite (fp.fma RNE f f "
    "(fp.rem f (fp.sqrt RNE (fp.roundToIntegral RTZ (fp.max (fp.abs f) (fp.neg f)))))))))(check-sat)(get-value (f))",
    "(set-logic QF_BVFP)(declare-fun r () RoundingMode)(declare-fun x () (_ FloatingPoint 3 3))(declare-fun v () (_ "
    "BitVec "
    "6))(push 1)(assert (= (fp.add r x ((_ to_fp 3 3) RTP v)) ((_ to_fp 3 3) v)))(assert (bvult v ((_ fp.to_ubv 6) RTZ "
    "x)))"
    "(check-sat-assuming ((< (fp.to_real x) (* 2 0.1))))(get-value (x r (fp.to_real x) (bvadd v #b000001)))(pop "
    "1)(reset)"
    "(declare-const x Float16)(assert (= (fp.min x (_ -zero 5 11)) ((_ to_fp_unsigned 5 11) RNA ((_ rotate_left 3) "
    "(bvneg "
    "#x8f)))))(set-info :status sat)(check-sat)(get-model)"};

fuzz::Material material() {
  return {{std::begin(scripts), std::end(scripts)},
          {"(",      ")",          " let ",       " _ ",   " ! ", " RNE ", " x ",          "fp.add",           " #b1 ",
           "#x",     "1.5",        "99999999999", "\"",    "|",   ";",     "(_ +oo 8 24)", "((_ to_fp 11 53)", " Bool ",
           ":named", "define-fun", "\n",          "assert"},
          " ()\n",
          "(and "};
}

TEST(SmtlibMutation, ABrokenScriptEndsInASystemOrInAMessage) {
  fuzz::expect_no_surprise(fuzz::fuzz_smtlib, material(), fuzz::mutant, {20'000, 200, 1000});
}

TEST(SmtlibMutation, AMessageOfABrokenScriptIsALineThatNamesThePlace) {
  const fuzz::Material scripts_and_tokens = material();
  numeric::Rng rng(11);
  for (int i = 0; i < 5'000; ++i)
    try {
      read_smtlib(fuzz::mutant(scripts_and_tokens, rng), "m.smt2");
    } catch (const base::UserError& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("m.smt2:")) << error.what();
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
}

TEST(SmtlibMutation, TheScriptsThemselvesAreGood) {
  for (const std::string script : scripts)
    EXPECT_TRUE(read_smtlib(script, "m.smt2").asks);
}

TEST(SmtlibMutation, EveryTruncationOfAScriptIsSurvived) {
  for (const std::string script : scripts)
    for (size_t length = 0; length <= script.size(); ++length)
      try {
        read_smtlib(script.substr(0, length), "m.smt2");
      } catch (const base::UserError& error) {
        ASSERT_TRUE(std::string(error.what()).starts_with("m.smt2:")) << error.what();
      }
}

} // namespace
} // namespace faultline::constraint
