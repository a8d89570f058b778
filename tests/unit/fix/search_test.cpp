#include "fix/candidates.h"
#include "fix/samples.h"
#include "fix/series.h"
#include "fix/writing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace faultline::fix {
namespace {

const Term x = Term::variable("x", 0), y = Term::variable("y", 1);
const Term one = Term::number(1), two = Term::number(2);
Term f(Op op, const Term& a) { return Term::apply(op, a); }

Question question_of(const Term& term, Value low, Value high) {
  return {.term = term, .variables = {{.name = "x", .low = low, .high = high}}};
}

Accuracies accuracies_on_fresh_samples(const Question& question, const Candidate& candidate) {
  return measure(
      draw_samples(question, 99, {.random = 0, .everyday = 200, .near = 0, .special = 0}),
      [&](const Point& at) { return evaluate(candidate, at, question.format); }, question.format);
}

TEST(Search, RepairsADifferenceOfRoots) {
  const Question question = question_of(f(Op::sqrt, x + one) - f(Op::sqrt, x), 1, 1e300);
  const Answer answer = search_candidates(question);
  ASSERT_TRUE(answer.fixed);
  const Candidate& best = answer.candidates.front();
  EXPECT_EQ(best.branches.size(), 1u);
  EXPECT_EQ(text(best.branches[0].term), "(/ 1 (+ (sqrt (+ x 1)) (sqrt x)))");
  EXPECT_TRUE(best.evidence.equality_proved);
  EXPECT_LT(accuracies_on_fresh_samples(question, best).everyday.largest, avoidable_bar);
}

TEST(Search, TakesANegativeSumAsADifference) { // -x + sqrt(x^2 + 1) cancels for positive x
  const Question question = question_of(-x + f(Op::sqrt, x * x + one), 1, 1e6);
  const Answer answer = search_candidates(question);
  ASSERT_TRUE(answer.fixed);
  EXPECT_LT(accuracies_on_fresh_samples(question, answer.candidates.front()).everyday.largest, avoidable_bar);
}

TEST(Search, OffersASeriesBesideTheOriginal) {
  const Question question = question_of(f(Op::sin, x) - x, -1000, 1000);
  const Answer answer = search_candidates(question);
  ASSERT_TRUE(answer.fixed);
  const Candidate& best = answer.candidates.front();
  ASSERT_EQ(best.branches.size(), 2u);
  EXPECT_TRUE(best.branches[0].when.at(0).magnitude);
  EXPECT_TRUE(best.evidence.equality_proved);
  EXPECT_LT(accuracies_on_fresh_samples(question, best).everyday.largest, avoidable_bar);
}

TEST(Search, KeepsCodeThatIsRight) {
  const Answer answer = search_candidates(question_of(f(Op::exp, x) + one, -100, 100));
  EXPECT_TRUE(answer.candidates.empty());
  EXPECT_FALSE(answer.reason.empty());
}

TEST(Search, GivesTheSameAnswerAgain) {
  const Question question = question_of((one - f(Op::cos, x)) / (x * x), -1e9, 1e9);
  const Answer first = search_candidates(question), second = search_candidates(question);
  ASSERT_FALSE(first.candidates.empty());
  ASSERT_EQ(first.candidates.size(), second.candidates.size());
  for (size_t i = 0; i < first.candidates.front().branches.size(); ++i)
    EXPECT_EQ(text(first.candidates.front().branches[i].term), text(second.candidates.front().branches[i].term));
}

TEST(Series, HaveRemaindersThatHold) {
  const Term function = (f(Op::exp, x) - one - x) / (x * x);
  const std::vector<Series> all = series_of(function, x, 0, Format::binary64);
  ASSERT_FALSE(all.empty());
  for (const Series& series : all) {
    EXPECT_TRUE(series.proved);
    EXPECT_LT(series.remainder, 1e-16);
    for (const double part : {-0.999, -0.5, 0.001, 0.7, 0.999}) {
      const Point at = {Value(part) * series.radius};
      const auto wanted = exact(function, at), got = exact(series.polynomial, at);
      ASSERT_TRUE(wanted && got);
      numeric::BigFloat error = *got;
      mpfr_sub(error.raw(), got->raw(), wanted->raw(), MPFR_RNDN);
      mpfr_div(error.raw(), error.raw(), wanted->raw(), MPFR_RNDN);
      EXPECT_LE(std::fabs(error.to_double()), series.remainder) << double(series.radius) << " " << part;
    }
  }
}

TEST(Series, DoNotExistWhereThereIsAPoleOfTheLogarithm) {
  EXPECT_TRUE(series_of(f(Op::log, x), x, 0, Format::binary64).empty());
}

TEST(Proofs, FollowFromTheirEquations) {
  const Rule rule = parse_rule({"r", "exp(a) - 1 => expm1(a)"}).front();
  const Term left = f(Op::exp, x) - one, right = f(Op::expm1, x);
  const Equation step{term_of(rule.left, {x}), term_of(rule.right, {x}), &rule, {x}};
  EXPECT_TRUE(is_instance(step));
  EXPECT_TRUE(follows(f(Op::sqrt, left / y), f(Op::sqrt, right / y), {step}));
  EXPECT_FALSE(follows(f(Op::sqrt, left / y), f(Op::sqrt, right / x), {step}));
  EXPECT_FALSE(follows(left, right, {}));
  Equation wrong = step;
  wrong.right = f(Op::expm1, y);
  EXPECT_FALSE(is_instance(wrong));
  EXPECT_TRUE(is_instance({(x + y) * (x - y), x * x - y * y}));
  EXPECT_FALSE(is_instance({(x + y) * (x + y), x * x + y * y}));
}

TEST(Samples, IncludeNoErrorThatTheInputsExplain) {
  // x - 1 near 1 amplifies half an ulp of x: not avoidable.
  const Question question = question_of(f(Op::log, x), 0.5, 2);
  const auto sample = sample_at(question, {Value(1.0000000001)}, SampleKind::near);
  ASSERT_TRUE(sample);
  EXPECT_GT(sample->allowance, 1e-7);
}

TEST(Writing, NeedsFewParentheses) {
  const Style c{.language = Language::c};
  EXPECT_EQ(write_term(x * (y + one) - (x - y), c), "x * (y + 1.0) - (x - y)");
  EXPECT_EQ(write_term(x / (y * x) * two, c), "x / (y * x) * 2.0");
  EXPECT_EQ(write_term(-(x * y) + Term::number(-3), c), "-x * y + (-3.0)");
  EXPECT_EQ(write_term(Term::number(mpq_class(1, 3)) * x, c), "1.0 / 3.0 * x");
  EXPECT_EQ(write_term(f(Op::expm1, x), {.language = Language::cpp}), "std::expm1(x)");
  EXPECT_EQ(write_term(f(Op::fabs, x) + one, {.language = Language::c, .format = Format::binary32}), "fabsf(x) + 1.0f");
  EXPECT_EQ(write_term(Term::apply(Op::pow, x, two) * Term::number(mpq_class(1, 10)), {.language = Language::fortran}),
            "x**2.0d0 * (1.0d0 / 10.0d0)");
}

TEST(Writing, KeepsTheTextsOfTheSource) {
  const Style style{.texts = {{x * y, "b*b", Binding::product}, {x, "p->x"}}};
  EXPECT_EQ(write_term(f(Op::sqrt, x * y) / (x * y), style), "sqrt(b*b) / (b*b)");
  EXPECT_EQ(write_term(x + one, style), "p->x + 1.0");
}

TEST(Writing, GivesPartsThatOccurAgainAName) {
  const Term q = x * x;
  const Written written = write({{.term = one + q * (two + q)}}, {.taken = {"t"}});
  ASSERT_EQ(written.branches.size(), 1u);
  ASSERT_EQ(written.branches[0].temporaries.size(), 1u);
  EXPECT_EQ(written.branches[0].temporaries[0].name, "u");
  EXPECT_EQ(written.branches[0].temporaries[0].text, "x * x");
  EXPECT_EQ(written.branches[0].text, "1.0 + u * (2.0 + u)");
}

TEST(Writing, BringsWhatFortranLacks) {
  const Written written = write({{{{0, true, 0.5L}}, f(Op::expm1, x)}, {.term = f(Op::exp, x) - one}},
                                {.language = Language::fortran});
  EXPECT_EQ(written.branches[0].condition, "abs(x) < 0.5d0");
  EXPECT_EQ(written.branches[0].text, "expm1_of(x)");
  ASSERT_EQ(written.helpers.size(), 1u);
  EXPECT_NE(written.helpers[0].definition.find("function expm1_of(x)"), std::string::npos);
}

} // namespace
} // namespace faultline::fix
