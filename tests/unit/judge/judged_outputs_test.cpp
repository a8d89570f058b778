// The outputs that are judged.
#include "target_space.h"

namespace faultline::judge {

using model::Settings;
namespace {

std::vector<std::string> judged(const std::string& text, const Settings& settings = {}) {
  const model::Target target = target_of(text, settings);
  std::vector<std::string> names;
  for (size_t index : judged_outputs(target, settings))
    names.push_back(target.outputs.at(index).name);
  return names;
}

using Names = std::vector<std::string>;
constexpr const char* gsl_like = "typedef struct { double val; double err; } result;\nint f(double x, result* r) { "
                                 "r->val = x * x; r->err = x * 1e-16; return 0; }";

TEST(JudgedOutputs, AreTheFloatsButNotErrorEstimates) {
  EXPECT_EQ(judged("double f(double x, float* y) { *y = 1; return x; }").size(), 2u);
  EXPECT_EQ(judged(gsl_like), Names{"r.val"});
}

TEST(JudgedOutputs, AreTheNamedOnes) {
  Settings settings;
  settings.outputs = {"r.err"};
  EXPECT_EQ(judged(gsl_like, settings), Names{"r.err"});
  settings.outputs = {"r"};
  EXPECT_EQ(judged(gsl_like, settings), (Names{"r.val", "r.err"}));
  settings.outputs = {"nothing"};
  EXPECT_EQ(judged(gsl_like, settings), Names{});
}

TEST(JudgedOutputs, AreErrorEstimatesIfThereIsNothingElse) {
  EXPECT_EQ(judged("void f(double x, double* err) { *err = x * x; }").size(), 1u);
}

} // namespace
} // namespace faultline::judge
