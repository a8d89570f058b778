// The places of a source that say double.
#include "run/declarations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace faultline::run {
namespace {

// "kind:names" of each place.
std::vector<std::string> found(const std::string& text) {
  std::set<std::string> types;
  add_double_types(text, types);
  std::vector<std::string> all;
  constexpr const char* kinds[] = {"object", "type", "cast", "size"};
  for (const Declaration& declaration : declarations_in(text, "a.c", types)) {
    const std::string word = text.substr(declaration.offset, declaration.length);
    EXPECT_TRUE(word == "double" || types.contains(word)) << word;
    all.push_back(fmt::format("{}:{}", kinds[size_t(declaration.kind)], fmt::join(declaration.names, ",")));
  }
  return all;
}

using Found = std::vector<std::string>;

TEST(Declarations, VariablesArraysAndPointersHaveTheirNames) {
  EXPECT_EQ(found("static double x = 1, *p = f(1, 2), a[3] = {1, 2}, (*row)[4];"), Found{"object:x,p,a,row"});
  EXPECT_EQ(found("const double *const restrict q;\ndouble const z = 0;"), (Found{"object:q", "object:z"}));
  EXPECT_EQ(found("struct S { double re, im; };"), Found{"object:re,im"});
  EXPECT_EQ(found("for (double t = 0; t < 1; t += h) g();"), Found{"object:t"});
}

TEST(Declarations, FunctionsAndParametersAreApart) {
  EXPECT_EQ(found("double f(double x, const double *a, int n) { return x; }"), (Found{"object:f", "object:x", "object:a"}));
  EXPECT_EQ(found("double f(double, double *);"), (Found{"object:f", "object:f", "object:"}));
  EXPECT_EQ(found("std::vector<double> v(n), *w;"), Found{"object:v,w"});
}

TEST(Declarations, CastsAndSizesHaveNoNames) {
  EXPECT_EQ(found("y = (double)i / n;"), Found{"cast:"});
  EXPECT_EQ(found("p = (double *)malloc(n * sizeof(double));"), (Found{"cast:", "size:"}));
  EXPECT_EQ(found("n = sizeof(double *);"), Found{});
  EXPECT_EQ(found("y = static_cast<double>(i) + double(j);"), (Found{"cast:", "cast:"}));
}

TEST(Declarations, TypedefsGiveNamesThatGiveNames) {
  EXPECT_EQ(found("typedef double real8;\ntypedef real8 Real_t;\nReal_t x;"), (Found{"type:real8", "type:Real_t"}));
  EXPECT_EQ(found("using Real = double;\n#define REAL double\n"), (Found{"type:Real", "type:REAL"}));
}

TEST(Declarations, OtherWordsAreNone) {
  EXPECT_EQ(found("long double x; /* double y */ // double z\nconst char *s = \"double\"; char c = '\"'; double d;"),
            Found{"object:d"});
  EXPECT_EQ(found("int doubles, my_double;"), Found{});
}

TEST(Declarations, LinesAreCounted) {
  const auto all = declarations_in("int i;\n/* two\nlines */\ndouble x;\n\ndouble y;", "a.c", {});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].line, 4);
  EXPECT_EQ(all[1].line, 6);
}

} // namespace
} // namespace faultline::run
