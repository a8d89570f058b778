// Arrays that are compared as a whole, in any order, or with either sign.
#include "../tape/reading.h"

#include "judge/array_errors.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"

namespace faultline::judge {
namespace {

using model::Norm;
using model::Settings;
using numeric::BigFloat;
using numeric::Format;
using oracle::OutputJudgement;
using test::open_text;

struct Elements {
  Elements(std::vector<long double> computed, std::vector<long double> references) {
    for (size_t i = 0; i < computed.size(); ++i)
      all.push_back(oracle::measure(i, {"A", {}, 0}, computed[i], BigFloat(references[i], 128)));
    for (OutputJudgement& element : all)
      pointers.push_back(&element);
  }
  std::vector<const OutputJudgement*> read() const { return {pointers.begin(), pointers.end()}; }
  std::vector<OutputJudgement> all;
  std::vector<OutputJudgement*> pointers;
};

TEST(Norm, MeasuresEachElementAgainstTheLargest) {
  Elements elements({1000, 2}, {1000, 1});
  measure_normwise(elements.pointers, Norm::infinity, Format::binary64);
  EXPECT_EQ(elements.all[0].relative, 0);
  EXPECT_EQ(elements.all[1].relative, 1e-3);
  EXPECT_EQ(elements.all[1].absolute, 1);
  EXPECT_EQ(elements.all[1].ulps, 0x1p43) << "1000 has ulps of 2^-43";
}

TEST(Norm, IsTheLengthOfTheDifferenceAgainstThatOfTheArray) {
  Elements elements({33, 40, 4}, {30, 40, 0});
  measure_normwise(elements.pointers, Norm::two, Format::binary64);
  EXPECT_EQ(elements.all[2].absolute, 5) << "the worst element has the error of the array";
  EXPECT_EQ(elements.all[2].relative, 0.1);
  EXPECT_EQ(elements.all[0].relative, 3.0 / 50);
}

TEST(Norm, LeavesInfinitiesAndZerosAlone) {
  Elements infinite({HUGE_VALL, 2}, {1000, 1}), zero({1, 0}, {0, 0});
  measure_normwise(infinite.pointers, Norm::infinity, Format::binary64);
  EXPECT_EQ(infinite.all[1].relative, 1);
  measure_normwise(zero.pointers, Norm::infinity, Format::binary64);
  EXPECT_TRUE(std::isinf(zero.all[0].relative));
}

TEST(Unordered, ComparesSmallestWithSmallest) {
  const Elements elements({3, 1, 2.5L}, {1, 2, 3});
  const std::vector<MatchedReference> meant = matched_by_order(elements.read());
  EXPECT_EQ(meant[0].reference.to_double(), 3);
  EXPECT_EQ(meant[1].reference.to_double(), 1);
  EXPECT_EQ(meant[2].reference.to_double(), 2);
}

TEST(UpToSign, ComparesWithTheNearerOfBothSigns) {
  EXPECT_EQ(matched_by_sign(Elements({-1, 2}, {1, -2.5L}).read())[1].reference.to_double(), 2.5);
  EXPECT_EQ(matched_by_sign(Elements({1, -2}, {1, -2.5L}).read())[1].reference.to_double(), -2.5);
}

// The relative error of the worst output.
struct Court {
  Court(const std::string& text, Settings given, const model::Sizes& sizes)
      : settings(std::move(given)), session(open_text(text, ".c", "f", {.sizes = sizes})),
        judge(session, settings, judged_outputs(session.target(), settings), nullptr) {}
  Settings settings;
  exec::Session session;
  Judge judge;

  std::optional<model::Finding> error(const exec::Input& input) {
    const std::vector<JudgedFinding> found = judge.errors(input, "");
    return found.empty() ? std::nullopt : std::optional(found.front().finding);
  }
};

// One large element, and a small one that loses all of its digits.
constexpr const char* large_and_small =
    "void f(double x, double *A) {\n  A[0] = 1;\n  A[1] = (1 + x) - 1;\n  A[2] = 1;\n  A[3] = 1;\n}";

Settings with_norm(Norm norm) {
  Settings settings;
  settings.norm = norm;
  return settings;
}

TEST(Arrays, AreJudgedAsAWholeUnlessTheUserSaysOtherwise) {
  const exec::Input input{1e-17L};
  Court alone(large_and_small, with_norm(Norm::component), {{"A", {4}}});
  const auto element = alone.error(input);
  ASSERT_TRUE(element);
  EXPECT_EQ(element->error->relative, 1);
  EXPECT_EQ(element->error->norm, "");
  EXPECT_FALSE(Court(large_and_small, {}, {{"A", {4}}}).error(input));
  EXPECT_FALSE(Court(large_and_small, {}, {{"A", {2, 2}}}).error(input));
  EXPECT_FALSE(Court(large_and_small, with_norm(Norm::two), {{"A", {4}}}).error(input));
  EXPECT_TRUE(Court(large_and_small, with_norm(Norm::component), {{"A", {2, 2}}}).error(input));
}

model::Target of_outputs(const std::vector<std::string>& names, std::vector<uint64_t> extents) {
  model::Target target;
  model::Parameter& returned = target.parameters.emplace_back();
  returned.name = "return";
  returned.is_array = true;
  returned.extents = std::move(extents);
  for (const std::string& name : names)
    target.outputs.push_back({name, {}, 8 * target.outputs.size()});
  return target;
}

TEST(Norm, AppliesToMatricesWithTwoIndicesInParentheses) {
  const model::Target target = of_outputs({"return(0,0)", "return(0,1)", "return(1,0)", "return(1,1)"}, {2, 2});
  EXPECT_EQ(ArrayErrors(target, {}, {0, 1, 2, 3}).norm_of(3), "inf");
}

TEST(Norm, CountsBothPartsOfComplexNumbersTogether) {
  const model::Target matrix =
      of_outputs({"return(0,0).real", "return(0,0).imag", "return(0,1).real", "return(0,1).imag"}, {1, 2});
  EXPECT_EQ(ArrayErrors(matrix, {}, {0, 1, 2, 3}).norm_of(1), "inf");
  const model::Target number = of_outputs({"return.real", "return.imag"}, {});
  EXPECT_EQ(ArrayErrors(number, with_norm(Norm::infinity), {0, 1}).norm_of(1), "inf");
  EXPECT_EQ(ArrayErrors(number, {}, {0, 1}).norm_of(1), "inf");
}

TEST(Norm, CountsCoordinatesOfOneVectorTogetherAndNoOtherFields) {
  const model::Target vector = of_outputs({"p.x", "p.y", "q.x"}, {});
  EXPECT_EQ(ArrayErrors(vector, {}, {0, 1, 2}).norm_of(0), "inf");
  EXPECT_EQ(ArrayErrors(vector, {}, {0, 1, 2}).norm_of(2), "") << "it is alone";
  const model::Target state = of_outputs({"s.x", "s.v", "s.mass"}, {});
  EXPECT_EQ(ArrayErrors(state, {}, {0, 1, 2}).norm_of(0), "") << "a place and a speed";
}

TEST(Units, AreThoseOfArraysVectorsOfOneTypeAndNumberedNumbers) {
  model::Target target;
  for (const char* name : {"a", "b"}) {
    model::Parameter& point = target.parameters.emplace_back();
    point.name = name;
    point.type_name = name[0] == 'a' ? "const Point &" : "Point";
  }
  for (const char* name : {"a.x", "a.y", "b.x", "b.y", "v[0]", "v[1]", "t1", "t2", "mass", "radius"})
    target.inputs.push_back({name, {}, 8 * target.inputs.size()});
  EXPECT_EQ(inputs_of_one_unit(target), (Units{{0, 1, 2, 3}, {6, 7}, {4, 5}}));
}

// The result is the difference of coordinates that are not known to more than 1e-8.
TEST(Units, MakeErrorsBelowTheRoundingOfTheLargestInputIllConditioned) {
  const char* text = "double f(const double *p) { return (p[0] + p[1]) - p[0]; }";
  const exec::Input input{1e9L, 1e-8L};
  const auto by_unit = Court(text, {}, {{"p", {2}}}).error(input);
  const auto alone = Court(text, with_norm(Norm::component), {{"p", {2}}}).error(input);
  ASSERT_TRUE(by_unit && alone);
  EXPECT_EQ(by_unit->verdict, model::Verdict::ill_conditioned);
  EXPECT_EQ(alone->verdict, model::Verdict::avoidable);
}

TEST(Arrays, NameTheWorstElementWithTheErrorOfTheArray) {
  const char* text = "void f(double x, double *A) {\n  A[0] = 2;\n  A[1] = ((1 + x) - 1) * 1e17;\n}";
  const auto finding = Court(text, with_norm(Norm::infinity), {{"A", {2}}}).error({1e-17L});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->output->name, "A[1]");
  EXPECT_EQ(finding->error->norm, "inf");
  EXPECT_NEAR(finding->error->relative, 0.5, 1e-9);
  EXPECT_EQ(finding->cause->line, 3);
}

// Sorted in exact arithmetic, and in the other order where that is lost.
constexpr const char* sorted = "void f(double x, double *w) {\n  double a = (1 + x) - 1 + 2, b = 2;\n"
                               "  w[0] = a > b ? b : 7;\n  w[1] = a > b ? 7 : b;\n}";

TEST(Arrays, OfWhichTheOrderIsFreeAreMatched) {
  const exec::Input input{1e-17L};
  EXPECT_TRUE(Court(sorted, {}, {{"w", {2}}}).error(input));
  Settings unordered;
  unordered.unordered = {"w"};
  EXPECT_FALSE(Court(sorted, unordered, {{"w", {2}}}).error(input));
}

TEST(Arrays, OfWhichTheSignIsFreeAreMatched) {
  const char* text = "void f(double x, double *v) {\n  double s = (1 + x) - 1 > 0 ? 1 : -1;\n"
                     "  v[0] = s * 3;\n  v[1] = s * 4;\n}";
  const exec::Input input{1e-17L};
  EXPECT_TRUE(Court(text, {}, {{"v", {2}}}).error(input));
  Settings signless;
  signless.up_to_sign = {"v"};
  EXPECT_FALSE(Court(text, signless, {{"v", {2}}}).error(input));
}

} // namespace
} // namespace faultline::judge
