// Flags and enumerations: an integer that code only tells apart takes the values that it tells apart.
#include "../temporary_folder.h"
#include "program/layout.h"
#include "program/program.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

using test::TemporaryFolder;
using Values = std::vector<int64_t>;

model::Target target_of(const std::string& text, const std::string& ending = ".c", const std::string& function = "f",
                        const std::vector<std::string>& flags = {}) {
  TemporaryFolder folder;
  return Program::load({{folder.write("subject" + ending, text)}, flags, ""}).find({function}, {}).at(0);
}

Values values_of(const std::string& text, const std::string& ending = ".c", const std::string& function = "f",
                 const std::vector<std::string>& flags = {}) {
  return target_of(text, ending, function, flags).inputs.at(1).values;
}

TEST(FlagValues, WhatIsTestedIsZeroOrOne) {
  EXPECT_EQ(values_of("double f(double x, int lower) { return lower ? x * x : 1 - x; }"), (Values{0, 1}));
  EXPECT_EQ(values_of("double f(double x, int lower) { return lower ? x * x : 1 - x; }", ".c", "f", {"-O0"}),
            (Values{0, 1}));
}

TEST(FlagValues, CasesOfASwitchAndANeighbourOfEach) {
  const std::string source =
      "double sqrt(double);\ndouble f(double x, int mode) { switch (mode) { case 1: return x * x; "
      "case 2: return sqrt(x); case 7: return 1 - x; default: return x; } }";
  EXPECT_EQ(values_of(source), (Values{0, 1, 2, 3, 6, 7}));
  EXPECT_EQ(values_of(source, ".c", "f", {"-O0"}), (Values{0, 1, 2, 3, 6, 7}));
}

TEST(FlagValues, ASwitchThatBecameATable) {
  EXPECT_EQ(
      values_of("double f(double x, int n) { switch (n) { case 0: return 1; case 1: return 2.5; case 2: return 3; "
                "case 3: return 7; case 4: return 9; default: return x; } }"),
      (Values{-1, 0, 1, 2, 3, 4, 5}));
}

TEST(FlagValues, BothSidesOfTheEndsOfARange) {
  EXPECT_EQ(values_of("double f(double x, int n) { return n < 3 || n > 7 ? -1 : x * x; }"), (Values{2, 3, 7, 8}));
  EXPECT_EQ(values_of("double f(double x, int n) { return n > 5 ? -1 : x * x; }"), (Values{4, 5, 6}));
}

TEST(FlagValues, AllCombinationsOfMaskedBits) {
  EXPECT_EQ(
      values_of("double f(double x, unsigned flags) { double r = x; if (flags & 4) r *= r; if (flags & 1) r -= 1; "
                "return r; }"),
      (Values{0, 1, 4, 5}));
}

std::string with_flags(int bits) {
  std::string text = "double f(double x, unsigned flags) { double r = x;";
  for (int bit = 0; bit < bits; ++bit)
    text += " if (flags & " + std::to_string(1 << bit) + ") r = r * r - " + std::to_string(bit + 2) + ";";
  return text + " return r; }";
}

TEST(FlagValues, ManyBitsAreTriedOneByOneAndTogether) {
  EXPECT_EQ(values_of(with_flags(3)), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(values_of(with_flags(5)), (Values{0, 1, 2, 4, 8, 16, 31}));
}

TEST(FlagValues, OfManyThereAreAFewWithBothEnds) {
  std::string text = "enum many { e0";
  for (int i = 1; i < 100; ++i)
    text += ", e" + std::to_string(i);
  const Values values = values_of(text + " };\ndouble f(double x, enum many e) { return x * e; }");
  EXPECT_EQ(values.size(), most_flag_values);
  EXPECT_EQ(values.front(), 0);
  EXPECT_EQ(values.back(), 99);
}

TEST(FlagValues, AreThoseOfTheType) {
  const std::string body = " n) { switch (n) { case A: return x * x; case B: return 1 - x; default: return x; } }";
  const std::vector<std::string> low = {"-DA=0", "-DB=1"}, high = {"-DA=254", "-DB=255"};
  EXPECT_EQ(values_of("double f(double x, unsigned" + body, ".c", "f", low), (Values{0, 1, 2}));
  EXPECT_EQ(values_of("double f(double x, unsigned char" + body, ".c", "f", high), (Values{253, 254, 255}));
}

TEST(FlagValues, ATableOfConstantsHasItsIndices) {
  EXPECT_EQ(values_of("static const double steps[3] = {1, 2, 4};\n"
                      "double f(double x, unsigned mode) { return x / steps[mode & 7]; }"),
            (Values{0, 1, 2}));
}

TEST(FlagValues, ATableThatIsDefinedElsewhere) {
  TemporaryFolder folder;
  const std::string uses = folder.write("uses.c", "extern const double steps[];\n"
                                                  "double f(double x, unsigned mode) { return x / steps[mode & 7]; }");
  const std::string table = folder.write("table.c", "const double steps[3] = {1, 2, 4};");
  EXPECT_EQ(Program::load({{uses, table}, {}, ""}).find({"f"}, {}).at(0).inputs.at(1).values, (Values{0, 1, 2}));
}

TEST(FlagValues, EnumerationsHaveTheirEnumeratorsWhateverIsDoneWithThem) {
  EXPECT_EQ(
      values_of("enum color { red = 2, green = 5, blue = 9 };\ndouble f(double x, enum color c) { return x * c; }"),
      (Values{2, 5, 9}));
  EXPECT_EQ(values_of("enum color { red = 2, green = 5, blue = 9 };\n"
                      "double f(double x, enum color c) { return c == green ? x * x : x; }"),
            (Values{2, 5, 9}))
      << "no neighbours";
  EXPECT_EQ(
      values_of("enum class Norm { one, two };\ndouble f(double x, Norm n) { return n == Norm::two ? x * x : x; }",
                ".cpp"),
      (Values{0, 1}));
}

TEST(FlagValues, CharactersAreComparedWithLetters) {
  EXPECT_EQ(values_of("double f(double x, char uplo) { return uplo == 'U' ? x * x : 1 - x; }"), (Values{'T', 'U'}));
}

TEST(FlagValues, AreFollowedIntoTheFunctionsOfTheProgram) {
  EXPECT_EQ(values_of("__attribute__((noinline)) double g(double x, int k) { return k == 4 ? x * x : 1 - x; }\n"
                      "double f(double x, int k) { return 2 * g(x, k); }"),
            (Values{3, 4}));
}

TEST(FlagValues, AreFollowedThroughAFewCallsAndNoMore) {
  const auto chain = [](int calls) {
    std::string text = "__attribute__((noinline)) double g0(double x, int k) { return k == 4 ? x * x : 1 - x; }\n";
    for (int i = 1; i < calls; ++i)
      text += "__attribute__((noinline)) double g" + std::to_string(i) + "(double x, int k) { return " +
              std::to_string(i + 1) + " * g" + std::to_string(i - 1) + "(x, k); }\n";
    return text + "double f(double x, int k) { return 2 + g" + std::to_string(calls - 1) + "(x, k); }";
  };
  EXPECT_EQ(values_of(chain(4)), (Values{3, 4}));
  EXPECT_EQ(values_of(chain(5)), Values());
}

TEST(FlagValues, WhatIsReadAnewIsNone) {
  EXPECT_EQ(values_of("int scanf(const char*, ...);\n"
                      "double f(double x, int k) { scanf(\"%d\", &k); return k == 3 ? x : x * x; }"),
            Values());
}

TEST(FlagValues, ToPrintOneIsNoUseOfIt) {
  EXPECT_EQ(values_of("int printf(const char*, ...);\n"
                      "double f(double x, int k) { if (k == 3) { printf(\"%d\", k); return x; } return x * x; }"),
            (Values{2, 3}));
}

TEST(FlagValues, ThoseOfAnUnsignedTypeAreNotNegative) {
  EXPECT_EQ(values_of("double f(double x, unsigned n) { return n == -1u ? x : x * x; }"),
            (Values{4294967294, 4294967295}));
}

TEST(FlagValues, FortransIntegersAndLogicalsByReference) {
  const model::Target target =
      target_of("real(8) function f(x, art, lower)\n  real(8), intent(in) :: x\n"
                "  integer, intent(in) :: art\n  logical, intent(in) :: lower\n"
                "  f = x * x\n  if (art == 5) f = exp(x) - 1\n  if (lower) f = 1 - f\nend function\n",
                ".f90");
  EXPECT_EQ(target.inputs.at(1).values, (Values{4, 5}));
  EXPECT_EQ(target.inputs.at(2).values, (Values{0, 1}));
}

TEST(FlagValues, ReferencesToConstants) {
  EXPECT_EQ(values_of("double f(double x, const int& kind) { return kind == -1 ? x : x * x; }", ".cpp"),
            (Values{-1, 0}));
}

TEST(FlagValues, NumbersHaveNone) {
  for (const char* source :
       {"double f(double x, int n) { return x * n; }", "double f(double x, int n) { return n > 3 ? x * n : x; }",
        "double f(double x, int n) { double r = 1; while (n-- > 0) r *= x; return r; }",
        "double f(double x, int n) { double r = 1; for (int i = 0; i < n; ++i) r *= x; return r; }",
        "double f(double x, int n) { return n == 0 ? 1 : x * f(x, n - 1); }",
        "int kept;\ndouble f(double x, int n) { kept = n; return n == 1 ? x : x * x; }",
        "double g(double, int);\ndouble f(double x, int n) { return n == 1 ? x : g(x, n); }",
        "double f(double x, int n) { return x; }"}) {
    EXPECT_EQ(values_of(source), Values()) << source;
    EXPECT_EQ(values_of(source, ".c", "f", {"-O0"}), Values()) << source;
  }
}

} // namespace
} // namespace faultline::program
