// Broken scripts: every mutant of a good one ends in a system or in an error that names a place. The longer run is
// tests/fuzz/smtlib_fuzz.cpp.
#include "constraint/smtlib_reader.h"

#include "frontend/error.h"
#include "numeric/random.h"

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
    "(fp.rem f (fp.sqrt RNE (fp.roundToIntegral RTZ (fp.max (fp.abs f) (fp.neg f)))))))))(check-sat)(get-value (f))"};

const char* const tokens[] = {"(",
                              ")",
                              "let",
                              "_",
                              "!",
                              "RNE",
                              "x",
                              "fp.add",
                              "#b1",
                              "#x",
                              "1.5",
                              "99999999999",
                              "\"",
                              "|",
                              ";",
                              "(_ +oo 8 24)",
                              "((_ to_fp 11 53)",
                              "Bool",
                              ":named",
                              "define-fun",
                              "\n",
                              "assert"};

// From one blank or parenthesis to the next.
std::pair<size_t, size_t> word_at(const std::string& text, size_t at) {
  const auto separates = [&](size_t i) { return std::string_view(" ()\n").find(text[i]) != std::string_view::npos; };
  size_t begin = at, end = at;
  while (begin > 0 && !separates(begin - 1))
    --begin;
  while (end < text.size() && !separates(end))
    ++end;
  return {begin, end - begin};
}

std::string mutant(numeric::Rng& rng) {
  std::string text = scripts[rng.below(std::size(scripts))];
  for (uint64_t changes = 1 + rng.below(3); changes > 0 && !text.empty(); --changes) {
    const size_t at = rng.below(text.size()), length = rng.below(std::min<size_t>(text.size() - at, 40) + 1);
    const size_t to = rng.below(text.size());
    switch (rng.below(9)) {
    case 0:
      text.resize(at);
      break;
    case 1:
      text[at] = char(rng.below(256));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(to, text.substr(at, length));
      break;
    case 4:
      text.insert(at, " " + std::string(tokens[rng.below(std::size(tokens))]) + " ");
      break;
    case 5: {
      const std::string part = text.substr(at, length);
      text.erase(at, length);
      text.insert(std::min(to, text.size()), part);
      break;
    }
    default: { // one word instead of another
      const auto [from, size] = word_at(text, at);
      const auto [place, room] = word_at(text, to);
      text.replace(place, room, text.substr(from, size));
    }
    }
  }
  return text;
}

TEST(SmtlibMutation, ABrokenScriptEndsInASystemOrInAMessage) {
  numeric::Rng rng(11);
  int read = 0, refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = mutant(rng);
    try {
      const Script script = read_smtlib(text, "m.smt2");
      for (const Term assertion : script.system.assertions())
        ASSERT_TRUE(script.system.sort(assertion).boolean) << text;
      ++read;
    } catch (const frontend::UserError& error) {
      ASSERT_TRUE(std::string(error.what()).starts_with("m.smt2:")) << error.what();
      ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 200); // else the mutants are no good
  EXPECT_GT(refused, 1000);
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
      } catch (const frontend::UserError& error) {
        ASSERT_TRUE(std::string(error.what()).starts_with("m.smt2:")) << error.what();
      }
}

} // namespace
} // namespace faultline::constraint
