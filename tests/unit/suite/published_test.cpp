#include "suite/gsl/published.h"

#include "frontend/error.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

TEST(Published, TheFiguresOfTheStudiesAreInTheProgram) {
  const GslPublished published = gsl_published(published_files());
  ASSERT_EQ(published.functions.size(), 107u);
  EXPECT_EQ(std::ranges::count(published.functions, true, &GslFigures::in_paper_significant), 42);
  EXPECT_EQ(std::ranges::count_if(published.functions, [](const GslFigures& f) { return f.paper.has_value(); }), 88);
  for (const auto peer : {&GslFigures::atomu, &GslFigures::fpcc})
    EXPECT_EQ(
        std::ranges::count_if(published.functions, [&](const GslFigures& f) { return (f.*peer).largest_error > 1e-3; }),
        42);
  uint64_t reported = 0, significant = 0, unknown = 0;
  for (const GslFigures& figures : published.functions) {
    reported += figures.fpcc.reported;
    significant += figures.fpcc.significant;
    unknown += figures.fpcc.unknown;
  }
  EXPECT_NEAR(double(significant) / double(reported - unknown), 0.996, 5e-4);
  EXPECT_EQ(published.atomu_first_significant, 31u);
  EXPECT_EQ(published.fpcc_first_significant, 42u);
}

TEST(Published, OneFunctionHasItsOwnFigures) {
  const GslPublished published = gsl_published(published_files());
  const auto airy = std::ranges::find(published.functions, "gsl_sf_airy_Ai", &GslFigures::function);
  ASSERT_NE(airy, published.functions.end());
  EXPECT_EQ(airy->paper, 6.64e3);
  EXPECT_EQ(airy->atomu.largest_error, 8.68860e3);
  EXPECT_EQ(airy->fpcc.reported, 58u);
  EXPECT_EQ(airy->fpcc.seconds, 0.4247);
}

TEST(Published, FilesThatAreGoneOrBrokenAreErrors) {
  for (const auto& [name, content] : published_files()) {
    Files files = published_files();
    files.erase(name);
    EXPECT_THROW(gsl_published(files), frontend::UserError) << name;
    for (const char* broken : {"", "\"", "a,b\n1\n", "a,b\n1,2\n", "function,relative_error\ngsl_sf_airy_Ai,much\n"}) {
      files[name] = broken;
      const bool suits = name == "gsl_univariate.csv" && std::string_view(broken).starts_with("function");
      if (!suits) // a list of functions it is
        EXPECT_THROW(gsl_published(files), frontend::UserError) << name << ": " << broken;
    }
  }
}

} // namespace
} // namespace faultline::suite
