// --assume: legal inputs stay, others become legal, and wrong conditions are shown at their column.
#include "search/legal.h"

#include "base/error.h"
#include "search/space.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::search {
namespace {

using numeric::Format;
using Conditions = std::vector<std::string>;

// A function of these doubles; names in capitals are arrays of `length` elements.
model::Target target_of(const std::vector<std::string>& names, size_t length = 4) {
  model::Target target;
  target.function = "f";
  const auto add = [&](const std::string& name) {
    model::Cell cell;
    cell.name = name;
    cell.type.floating = true;
    target.inputs.push_back(cell);
  };
  for (const std::string& name : names) {
    model::Parameter parameter;
    parameter.name = name;
    if (std::isupper(static_cast<unsigned char>(name[0]))) {
      parameter.is_array = true;
      const auto side = size_t(std::lround(std::sqrt(double(length))));
      parameter.extents = {side, length / side};
      for (size_t i = 0; i < length; ++i)
        add(model::cell_name(name, i));
    } else {
      add(name);
    }
    target.parameters.push_back(parameter);
  }
  return target;
}

Space space_of(const model::Target& target, const Conditions& conditions) {
  Space space;
  for (const model::Cell& cell : target.inputs)
    space.dimensions.push_back(
        {cell.name, true, Format::binary64, -numeric::largest(Format::binary64), numeric::largest(Format::binary64)});
  space.assume(std::make_shared<const Legality>(conditions, target));
  return space;
}

std::string problem_of(const std::string& condition) {
  try {
    const model::Target target = target_of({"a", "b", "X"});
    Legality({condition}, target);
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "";
}

struct Case {
  const char* name;
  std::vector<std::string> inputs;
  Conditions conditions;
  bool (*holds)(const exec::Input&);
};
void PrintTo(const Case& tried, std::ostream* stream) { *stream << tried.name; }

class Legal : public testing::TestWithParam<Case> {};

bool nearly(numeric::Value a, numeric::Value b) { return std::fabs(a - b) <= 1e-14L; }

// Every draw is legal by an independent formula, draws differ, and mapping a legal input changes nothing.
TEST_P(Legal, EveryDrawIsLegal) {
  const Case& tried = GetParam();
  const Space space = space_of(target_of(tried.inputs), tried.conditions);
  const Space everyday = everyday_part(space);
  numeric::Rng rng(7);
  std::set<exec::Input> different;
  constexpr int draws = 600;
  for (int i = 0; i < draws; ++i) {
    const Space& from = i % 2 == 0 ? everyday : space;
    const exec::Input input = i % 6 < 2   ? from.sample_floats(rng)
                              : i % 6 < 4 ? from.sample_reals(rng)
                                          : from.sample_alike(rng);
    EXPECT_TRUE(tried.holds(input)) << tried.name << " draw " << i;
    EXPECT_TRUE(space.allows(input));
    EXPECT_EQ(space.legal(input), input);
    different.insert(input);
  }
  EXPECT_GT(different.size(), size_t(draws) * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(
    Conditions, Legal,
    testing::Values(Case{"order", {"a", "b"}, {"a < b"}, [](const exec::Input& x) { return x[0] < x[1]; }},
                    Case{"chain",
                         {"a", "b", "c"},
                         {"0 < a < b <= c"},
                         [](const exec::Input& x) { return 0 < x[0] && x[0] < x[1] && x[1] <= x[2]; }},
                    Case{"sorted",
                         {"X"},
                         {"X[i] < X[i+1]"},
                         [](const exec::Input& x) { return x[0] < x[1] && x[1] < x[2] && x[2] < x[3]; }},
                    Case{"range", {"a"}, {"abs(a) <= 90"}, [](const exec::Input& x) { return std::fabs(x[0]) <= 90; }},
                    Case{"every",
                         {"X"},
                         {"X >= 0 and X <= 0.1"},
                         [](const exec::Input& x) {
                           return std::ranges::all_of(
                               x, [](numeric::Value v) { return v >= 0 && v <= numeric::Value(0.1); });
                         }},
                    Case{"probabilities",
                         {"X"},
                         {"X >= 0", "sum(X) == 1"},
                         [](const exec::Input& x) {
                           return std::ranges::all_of(x, [](numeric::Value v) { return v >= 0; }) &&
                                  nearly(x[0] + x[1] + x[2] + x[3], 1);
                         }},
                    Case{"unit",
                         {"X"},
                         {"norm(X) == 1"},
                         [](const exec::Input& x) {
                           return nearly(std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]), 1);
                         }},
                    Case{"ball",
                         {"X"},
                         {"norm(X) <= 2"},
                         [](const exec::Input& x) {
                           return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]) <= 2 + 1e-14L;
                         }},
                    Case{"triangle",
                         {"a", "b", "c"},
                         {"a > 0, b > 0, c > 0", "a + b > c and b + c > a and c + a > b"},
                         [](const exec::Input& x) {
                           return x[0] > 0 && x[1] > 0 && x[2] > 0 && x[0] + x[1] > x[2] && x[1] + x[2] > x[0] &&
                                  x[2] + x[0] > x[1];
                         }},
                    Case{"symmetric", {"X"}, {"symmetric(X)"}, [](const exec::Input& x) { return x[1] == x[2]; }},
                    Case{"element", {"X"}, {"X[0][1] < X[1][0]"}, [](const exec::Input& x) { return x[1] < x[2]; }},
                    Case{"rotation",
                         {"X"},
                         {"rotation(X)"},
                         [](const exec::Input& x) {
                           return nearly(x[0] * x[0] + x[1] * x[1], 1) && nearly(x[0] * x[2] + x[1] * x[3], 0) &&
                                  x[0] * x[3] - x[1] * x[2] > 0;
                         }},
                    Case{"discriminant",
                         {"a", "b", "c"},
                         {"b*b - 4*a*c >= 0"},
                         [](const exec::Input& x) { return x[1] * x[1] - 4 * x[0] * x[2] >= 0; }},
                    Case{"copy", {"a", "b"}, {"b == 2*a"}, [](const exec::Input& x) { return x[1] == 2 * x[0]; }},
                    Case{"whole",
                         {"a"},
                         {"integer(a) and 1 <= a <= 1e6"},
                         [](const exec::Input& x) { return x[0] == std::rint(x[0]) && x[0] >= 1 && x[0] <= 1e6L; }}),
    [](const auto& info) { return info.param.name; });

TEST(LegalInput, StaysWhatItIs) {
  const Space space = space_of(target_of({"a", "b"}), {"a < b"});
  EXPECT_EQ(space.legal({1, 2}), (exec::Input{1, 2}));
  EXPECT_EQ(space.legal({2, 1}), (exec::Input{1, 2}));
}

TEST(LegalInput, NarrowsRangesThatItComparesWithNumbers) {
  const Space space = space_of(target_of({"a", "b"}), {"-1 <= a < 1", "b > 0"});
  EXPECT_EQ(space.dimensions[0].low, -1);
  EXPECT_LT(space.dimensions[0].high, 1);
  EXPECT_GT(space.dimensions[0].high, 0.99L);
  EXPECT_TRUE(space.dimensions[0].all_everyday); // a range that the user gives
  EXPECT_GT(space.dimensions[1].low, 0);
  EXPECT_FALSE(space.dimensions[1].all_everyday);
}

TEST(WrongCondition, IsShownAtItsColumn) {
  EXPECT_NE(problem_of("a << b").find("column 4: unexpected '<'\n  a << b\n     ^"), std::string::npos)
      << problem_of("a << b");
  EXPECT_NE(problem_of("a < c").find("column 5: f has no input 'c'"), std::string::npos) << problem_of("a < c");
  EXPECT_NE(problem_of("a").find("expected a comparison"), std::string::npos);
  EXPECT_NE(problem_of("a < ").find("ends too early"), std::string::npos);
  EXPECT_NE(problem_of("sqrt(a, b) > 0").find("takes one number"), std::string::npos);
  EXPECT_NE(problem_of("symmetric(a) > 0").find("unexpected '>'"), std::string::npos);
  EXPECT_NE(problem_of("X[9] > 0").find("no such elements"), std::string::npos);
  EXPECT_NE(problem_of(std::string(100, '(') + "a > 0").find("nested too deeply"), std::string::npos);
  EXPECT_EQ(problem_of("a < b"), "");
}

TEST(Conditions, ThatNoInputSatisfiesAreAnError) {
  EXPECT_THROW(space_of(target_of({"a", "b"}), {"a < b", "b < a"}), base::UserError);
  EXPECT_THROW(space_of(target_of({"a"}), {"a > 1 and a < 1"}), base::UserError);
}

TEST(Conditions, FitOnlyFunctionsWithTheirInputs) {
  EXPECT_TRUE(fits("a < X[i]", target_of({"a", "X"})));
  EXPECT_FALSE(fits("a < c", target_of({"a", "b"})));
}

} // namespace
} // namespace faultline::search
