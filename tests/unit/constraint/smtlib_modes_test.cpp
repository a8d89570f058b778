// Rounding modes, words, reals and commands of a script.
#include "constraint/evaluate.h"
#include "constraint/smtlib/script_reader.h"

#include <cfloat>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace faultline::constraint {
namespace {

Script read(const std::string& text) { return read_smtlib(text, "f.smt2"); }

// With x, y of double, f of float declared.
Script reads(const std::string& assertion) {
  return read("(declare-fun x () Float64)(declare-fun y () Float64)(declare-const f Float32)(assert " + assertion +
              ")(check-sat)");
}

struct Values {
  double x = 0, y = 0;
  float f = 0;
};

// Whatever the standard leaves open is 0.
bool holds(const std::string& assertion, Values values = {}) {
  const Script script = reads(assertion);
  Model model{numeric::bits_of(values.x), numeric::bits_of(values.y), numeric::bits_of(values.f)};
  model.resize(script.system.variables().size());
  return satisfies(script.system, model);
}

TEST(SmtlibModes, OperationsRoundInEveryDirection) {
  const double third = 1.0 / 3, above = std::nextafter(third, 1); // RNE, RTN and RTZ go down
  const std::pair<const char*, double> modes[] = {
      {"RNE", third}, {"RNA", third}, {"RTP", above}, {"RTN", third}, {"RTZ", third}};
  for (const auto& [mode, expected] : modes) {
    EXPECT_TRUE(holds("(= (fp.div " + std::string(mode) + " x ((_ to_fp 11 53) RNE 3)) y)", {1, expected})) << mode;
    EXPECT_TRUE(holds("(= ((_ to_fp 11 53) " + std::string(mode) + " (/ 1 3)) y)", {0, expected})) << mode;
  }
  EXPECT_TRUE(holds("(= (fp.add RTN x y) (_ -zero 11 53))", {1, -1}));
  EXPECT_TRUE(holds("(= (fp.add RTZ x y) x)", {DBL_MAX, DBL_MAX}));
  EXPECT_TRUE(holds("(= (fp.mul RTP x x) y)", {5e-324, 5e-324}));
  EXPECT_TRUE(holds("(= f ((_ to_fp 8 24) RTZ x))", {.x = 1e300, .f = FLT_MAX}));
}

TEST(SmtlibModes, AModeMayBeAVariable) {
  const Script script = read("(declare-fun x () Float64)(declare-fun r () RoundingMode)(declare-fun s () RoundingMode)"
                             "(assert (fp.lt (fp.sqrt r x) (fp.sqrt s x)))(assert (= s RTP))(check-sat)");
  ASSERT_EQ(script.declared.size(), 3u);
  int models = 0;
  for (int r = 0; r < 16; ++r)
    for (int s = 0; s < 16; ++s) {
      Model model{numeric::bits_of(2.0)};
      for (const int bits : {r, s})
        for (int i = 0; i < 4; ++i)
          model.push_back(bits >> i & 1);
      std::vector<Bits> values;
      evaluate(script.system, model, values);
      const Rounding first = mode_in(std::get<Mode>(script.declared[1].value), values);
      const Rounding second = mode_in(std::get<Mode>(script.declared[2].value), values);
      // The double that is nearest to the root of 2 lies above it.
      const bool below = first == Rounding::down || first == Rounding::to_zero;
      EXPECT_EQ(satisfies(script.system, model), second == Rounding::up && below);
      models += satisfies(script.system, model);
    }
  EXPECT_GT(models, 0);
}

TEST(SmtlibModes, WordsAreConvertedAndComputedWith) {
  EXPECT_TRUE(holds("(= ((_ fp.to_sbv 8) RTZ x) #xfd)", {-3.7}));
  EXPECT_TRUE(holds("(= ((_ fp.to_ubv 8) RTP x) (bvadd #x0f #x01))", {15.1}));
  EXPECT_TRUE(holds("(bvslt ((_ fp.to_sbv 64) RNE x) (bvneg #x0000000000000005))", {-1e18}));
  EXPECT_TRUE(holds("(= f (fp ((_ extract 31 31) #xc0000000) ((_ extract 30 23) #xc0000000) ((_ extract 22 0) "
                    "#xc0000000)))",
                    {.f = -2}));
  EXPECT_TRUE(holds("(= ((_ rotate_left 1) #x90) #x21 ((_ repeat 1) #x21) ((_ rotate_right 3) #x09))"));
  EXPECT_TRUE(holds("(= ((_ sign_extend 4) #x9) #xf9)"));
  EXPECT_TRUE(holds("(= (bvsmod #xfd #x02) #x01)"));
  EXPECT_TRUE(holds("(= (bvsrem #xfd #x02) #xff)"));
}

TEST(SmtlibModes, RealsOfFloatsAreCompared) {
  EXPECT_TRUE(holds("(< (fp.to_real x) 0.1 (fp.to_real y))", {std::nextafter(0.1, 0), 0.1})); // the double is above
  EXPECT_FALSE(holds("(= (fp.to_real x) 0.1)", {0.1}));
  EXPECT_TRUE(holds("(= (fp.to_real x) (fp.to_real f))", {.x = 0.5, .f = 0.5f}));
  EXPECT_TRUE(holds("(> (fp.to_real f) (fp.to_real x))", {.x = 0.1, .f = 0.1f}));
  EXPECT_TRUE(holds("(>= (fp.to_real x) (- 1) (* 2 (- 3)))", {-1}));
}

// What the standard leaves open is a variable more: a formula about it is true for some values and false for others.
TEST(SmtlibModes, WhatTheStandardLeavesOpenIsAVariable) {
  for (const char* formula : {"(= (fp.min x y) x)", "(= (fp.max x y) x)"}) {
    const Script script = reads(formula);
    int outcomes = 0;
    for (int open = 0; open < 4; ++open) {
      Model model{numeric::bits_of(0.0), numeric::bits_of(-0.0), 0, Bits(open & 1), Bits(open >> 1)};
      ASSERT_EQ(script.system.variables().size(), model.size());
      outcomes |= satisfies(script.system, model) ? 1 : 2;
    }
    EXPECT_EQ(outcomes, 3) << formula;
  }
}

TEST(SmtlibModes, LevelsComeAndGo) {
  Script script = read("(declare-fun a () Bool)(assert a)(push 1)(declare-fun b () Bool)(assert b)(check-sat)(pop 1)"
                       "(set-info :status sat)(check-sat)(check-sat-assuming ((not a)))(get-value (a))"
                       "(reset-assertions)(declare-fun a () Float64)(assert (fp.isNaN a))(check-sat)(get-model)");
  EXPECT_EQ(script.checks, 4u);
  Playback playback(script);
  std::vector<size_t> assertions, declared;
  std::vector<Status> statuses;
  for (const Command* command = playback.next(); command; command = playback.next())
    if (command->kind == Command::Kind::check) {
      assertions.push_back(script.system.assertions().size());
      declared.push_back(playback.declared().size());
      statuses.push_back(command->status);
    }
  EXPECT_EQ(assertions, (std::vector<size_t>{2, 1, 2, 1}));
  EXPECT_EQ(declared, (std::vector<size_t>{2, 1, 1, 1}));
  EXPECT_EQ(statuses, (std::vector{Status::unknown, Status::sat, Status::unknown, Status::unknown}));
}

TEST(SmtlibModes, ManyLevelsAtOnceAreTakenBackInParts) {
  Script script = read("(declare-fun a () Bool)(declare-fun b () Bool)(declare-fun c () Bool)(assert a)"
                       "(push 3)(assert b)(push 2)(assert c)(push 0)(check-sat)"
                       "(pop 1)(check-sat)(pop 2)(check-sat)(push 1)(assert c)(check-sat)(pop 3)(check-sat)");
  Playback playback(script);
  std::vector<size_t> assertions;
  while (playback.next())
    assertions.push_back(script.system.assertions().size());
  EXPECT_EQ(assertions, (std::vector<size_t>{3, 2, 1, 2, 1}));
}

// One by one, two thousand million levels would come and go here.
TEST(SmtlibModes, LevelsCostWhatTheirTextDoes) {
  std::string text = "(declare-fun a () Bool)(assert a)";
  for (int i = 0; i < 20'000; ++i)
    text += "(push 100000)(pop 100000)";
  EXPECT_EQ(read((text + "(check-sat)").c_str()).checks, 1u);
}

// Whether the answer of the last check still stands where each get-value does.
TEST(SmtlibModes, EveryChangeEndsWhatACheckSaid) {
  for (const char* change :
       {"(assert a)", "(push 1)", "(pop 1)", "(declare-fun b () Bool)", "(reset-assertions)(declare-fun a () Bool)"}) {
    Script script =
        read(fmt::format("(declare-fun a () Bool)(push 1)(get-value (a))(check-sat)(echo \"\")(get-info :name)"
                         "(get-value (a)){}(get-value (a))",
                         change));
    Playback playback(script);
    std::vector<bool> answered;
    for (const Command* command = playback.next(); command; command = playback.next())
      if (command->kind == Command::Kind::get_value)
        answered.push_back(playback.is_answered());
    EXPECT_EQ(answered, (std::vector{false, true, false})) << change;
  }
}

TEST(SmtlibModes, QuestionsThatAreNotSupportedHaveAReply) {
  const Script script =
      read("(assert true)(check-sat)(get-unsat-core)(get-assignment)(get-proof)(get-info :all-statistics)"
           "(get-option :verbosity)(get-assertions)(get-unsat-assumptions)(echo \"a \"\"b\"\"\")");
  std::vector<std::string> replies;
  for (const Command& command : script.commands)
    if (command.kind == Command::Kind::reply)
      replies.push_back(command.text);
  std::vector<std::string> expected(7, "unsupported");
  expected.push_back("\"a \"\"b\"\"\"");
  EXPECT_EQ(replies, expected);
}

} // namespace
} // namespace faultline::constraint
