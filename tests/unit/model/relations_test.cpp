// A user would lose legal inputs to a rule that no caller promised, or get illegal ones without a rule that all keep.
#include "model/settings/relations.h"

#include "numeric/random.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace faultline::model {
namespace {

using Texts = std::vector<std::string>;

SeenInput number(const char* name, const char* type = "binary64") {
  SeenInput input;
  input.name = name;
  input.type = type;
  return input;
}

SeenInput array(const char* name) {
  SeenInput input = number(name);
  input.is_array = true;
  return input;
}

// Sets the ranges, as a recording does.
Texts relations(std::vector<SeenInput> inputs, const std::vector<SeenCall>& calls) {
  for (size_t i = 0; i < inputs.size(); ++i)
    for (const SeenCall& call : calls)
      for (const numeric::Value value : call[i]) {
        inputs[i].low = inputs[i].finite == 0 ? value : std::min(inputs[i].low, value);
        inputs[i].high = inputs[i].finite == 0 ? value : std::max(inputs[i].high, value);
        ++inputs[i].finite;
      }
  return relations_of(inputs, calls);
}

std::vector<SeenCall> pairs(int count, bool ordered) {
  numeric::Rng rng(7);
  std::vector<SeenCall> calls;
  for (int i = 0; i < count; ++i) {
    const double a = rng.uniform(), b = rng.uniform();
    calls.push_back({{ordered ? std::min(a, b) : a}, {ordered ? std::max(a, b) : b}});
  }
  return calls;
}

TEST(Relations, AnOrderOfAllCallsIsARule) {
  EXPECT_EQ(relations({number("a"), number("b")}, pairs(20, true)), Texts{"a < b"});
  EXPECT_EQ(relations({number("a"), number("b")}, pairs(20, false)), Texts{});
}

TEST(Relations, AFewCallsAreNoRule) {
  EXPECT_EQ(relations({number("a"), number("b")}, pairs(8, true)), Texts{});
  std::vector<SeenCall> same(50, pairs(1, true).front());
  EXPECT_EQ(relations({number("a"), number("b")}, same), Texts{}) << "one call, many times";
}

TEST(Relations, ASingleCallThatDiffersEndsARule) {
  std::vector<SeenCall> calls = pairs(40, true);
  std::swap(calls.back()[0], calls.back()[1]);
  EXPECT_EQ(relations({number("a"), number("b")}, calls), Texts{});
}

TEST(Relations, RangesThatAreApartNeedNoRule) {
  std::vector<SeenCall> calls = pairs(20, false);
  for (SeenCall& call : calls)
    call[1].front() += 300;
  EXPECT_EQ(relations({number("x"), number("kelvin")}, calls), Texts{});
}

TEST(Relations, LengthsThatAreEqualAreARule) {
  std::vector<SeenCall> calls;
  for (int i = 1; i < 6; ++i)
    calls.push_back({{(long double)i}, {(long double)i}});
  EXPECT_EQ(relations({number("n", "int32"), number("m", "int32")}, calls), Texts{"n == m"});
}

TEST(Relations, WeightsThatAddUpToOneAreARule) {
  numeric::Rng rng(3);
  std::vector<SeenCall> weights, vectors, any;
  for (int i = 0; i < 5; ++i) {
    const double a = rng.uniform() / 2, b = rng.uniform() / 2;
    weights.push_back({{a, b, 1 - a - b}});
    const double length = std::sqrt(a * a + b * b);
    vectors.push_back({{a / length, -b / length}});
    any.push_back({{a, b, b}});
  }
  EXPECT_EQ(relations({array("p")}, weights), Texts{"sum(p) == 1"});
  EXPECT_EQ(relations({array("q")}, vectors), Texts{"norm(q) == 1"});
  EXPECT_EQ(relations({array("x")}, any), Texts{});
}

TEST(Relations, UnitVectorsOfATestAreNoRule) {
  EXPECT_EQ(relations({array("q")}, {{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{-1, 0, 0}}}), Texts{});
}

TEST(Relations, SortedArraysOfAnyLengthAreARule) {
  numeric::Rng rng(5);
  std::vector<SeenCall> calls, ties;
  for (size_t i = 0; i < 4; ++i) {
    std::vector<numeric::Value> values;
    for (size_t k = 0; k < 4 + i; ++k)
      values.push_back(rng.uniform());
    std::ranges::sort(values);
    calls.push_back({values});
    values[1] = values[0];
    ties.push_back({values});
  }
  EXPECT_EQ(relations({array("x")}, calls), Texts{"increasing(x)"});
  EXPECT_EQ(relations({array("x")}, ties), Texts{"sorted(x)"});
}

TEST(Relations, MatricesKeepTheirForm) {
  std::vector<SeenInput> cells;
  for (const char* name : {"A[0]", "A[1]", "A[2]", "A[3]"})
    cells.push_back(number(name));
  std::vector<SeenCall> rotations, symmetric;
  for (const double angle : {0.3, 1.1, 2.7, -0.4}) {
    const double c = std::cos(angle), s = std::sin(angle);
    rotations.push_back({{c}, {-s}, {s}, {c}});
    symmetric.push_back({{c}, {angle}, {angle}, {s}});
  }
  EXPECT_EQ(relations(cells, rotations), Texts{"rotation(A)"});
  std::vector<SeenCall> whole;
  for (const SeenCall& call : rotations)
    whole.push_back({{call[0][0], call[1][0], call[2][0], call[3][0] + 1e-15L}}); // as code computes them
  EXPECT_EQ(relations({array("A")}, whole), Texts{"rotation(A)"});
  EXPECT_EQ(relations(cells, symmetric), Texts{"symmetric(A)"});
}

TEST(Relations, ManyWholeNumbersAreARule) {
  std::vector<SeenCall> many, few;
  for (int i = 0; i < 20; ++i)
    many.push_back({{(long double)(i * i)}});
  few.assign(many.begin(), many.begin() + 5);
  EXPECT_EQ(relations({number("year")}, many), Texts{"integer(year)"});
  EXPECT_EQ(relations({number("year")}, few), Texts{}) << "tests like round numbers";
}

TEST(Relations, ElementsInOrderAreARule) {
  numeric::Rng rng(9);
  std::vector<SeenCall> calls;
  for (int i = 0; i < 12; ++i) {
    const double a = rng.uniform(), b = rng.uniform();
    calls.push_back({{a, b}, {a + 0.1, b + 0.2}});
  }
  EXPECT_EQ(relations({array("lo"), array("hi")}, calls), Texts{"lo[i] < hi[i]"});
}

} // namespace
} // namespace faultline::model
