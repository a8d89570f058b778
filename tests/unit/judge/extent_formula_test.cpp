// How long an array is, told by what runs touch of it.
#include "judge/extent_search.h"

#include <functional>
#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

using Integers = std::vector<int64_t>;

// What is said of code that touches so many elements, for all integers from 1 to 6.
std::string said_of(const std::vector<std::string>& names, const std::function<int64_t(const Integers&)>& touched) {
  std::vector<ExtentSample> runs;
  Integers integers(names.size(), 1);
  for (bool more = true; more;) {
    runs.push_back({integers, uint64_t(std::max<int64_t>(0, touched(integers)))});
    more = false;
    for (int64_t& integer : integers)
      if (integer < 6) {
        ++integer;
        more = true;
        break;
      } else {
        integer = 1;
      }
  }
  const std::optional<Formula> formula = fit(runs);
  if (!formula)
    return "none";
  for (const ExtentSample& run : runs)
    EXPECT_GE(formula->at(run.integers), run.elements);
  return formula->text(names);
}

TEST(ExtentFormula, VectorsMatricesAndPackedTrianglesAreKnown) {
  EXPECT_EQ(said_of({"n"}, [](const Integers& i) { return i[0]; }), "n");
  EXPECT_EQ(said_of({"degree"}, [](const Integers& i) { return i[0] + 1; }), "degree + 1");
  EXPECT_EQ(said_of({"n"}, [](const Integers& i) { return i[0] * i[0]; }), "n * n");
  EXPECT_EQ(said_of({"n"}, [](const Integers& i) { return i[0] * (i[0] + 1) / 2; }), "n * (n + 1) / 2");
}

TEST(ExtentFormula, StridesAndLeadingDimensionsAreKnown) {
  EXPECT_EQ(said_of({"n", "incx"}, [](const Integers& i) { return (i[0] - 1) * i[1] + 1; }), "(n - 1) * incx + 1");
  EXPECT_EQ(said_of({"stride", "n"}, [](const Integers& i) { return (i[1] - 1) * i[0] + 1; }), "(n - 1) * stride + 1");
  EXPECT_EQ(said_of({"m", "n", "lda"}, [](const Integers& i) { return (i[1] - 1) * i[2] + i[0]; }),
            "(n - 1) * lda + m");
  EXPECT_EQ(said_of({"lda", "n"}, [](const Integers& i) { return i[0] * i[1]; }), "lda * n");
  EXPECT_EQ(said_of({"first", "last"}, [](const Integers& i) { return i[1] - i[0] + 1; }), "last - first + 1");
}

TEST(ExtentFormula, IntegersThatDoNotMatterAreNotInIt) {
  EXPECT_EQ(said_of({"order", "n", "kind"}, [](const Integers& i) { return i[1]; }), "n");
}

TEST(ExtentFormula, CallsThatTheCodeRefusesDoNotHideIt) {
  EXPECT_EQ(said_of({"m", "n", "lda"}, [](const Integers& i) { return i[2] < i[0] ? 0 : (i[1] - 1) * i[2] + i[0]; }),
            "(n - 1) * lda + m");
}

TEST(ExtentFormula, WhatIsInNoFamilyIsNotGuessed) {
  EXPECT_EQ(said_of({"n"}, [](const Integers& i) { return i[0] * i[0] * i[0] + 7; }), "none");
}

TEST(ExtentFormula, WithoutIntegersThereIsNone) { EXPECT_FALSE(fit({{{}, 3}, {{}, 4}})); }

} // namespace
} // namespace faultline::judge
