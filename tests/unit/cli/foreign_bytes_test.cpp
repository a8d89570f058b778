// A faultline.toml that somebody has damaged is read or refused, and nothing else happens.
#include "short_run.h"

#include <gtest/gtest.h>

namespace faultline::cli {
namespace {

constexpr const char* settings = R"(# all functions
threshold = 1e-6
seed = 7
budget = "2s"
for = ["error", "exceptions"]
flags = ["-Iinclude", "-DN=8"]
baseline = "known.json"
corpus = 'kept'

[function."gsl_sf_*"]
range = { x = "0:1e3", y = [0, 1.5] }
hold = { mode = 0 }
[function.f]
size = { A = 32, B = [4, 4] }
threshold = 0x10
)";
constexpr const char* dotted = R"([function]
f.threshold = 1_000
f.range.x = '''-1:1'''
[function."g"]
alias = { y = "x" }
)";

fuzz::Material material(const char* nesting) {
  return {{settings, dotted},
          {"[function.\"h\"]\n",
           "function.",
           "a.",
           "\"",
           "'''",
           "\"\"\"",
           "=",
           "{",
           "}",
           "[",
           "]",
           "[[",
           ",",
           "inf",
           "nan",
           "-0",
           "1979-05-27T07:32:00Z",
           "9223372036854775808",
           "1e999",
           "\\u0000",
           "\\UFFFFFFFF",
           "\xff",
           "\xef\xbb\xbf",
           "\n",
           "\r",
           "range",
           "flags",
           "all = true\n",
           "#"},
          " \n=,.[]{}\"",
          nesting};
}

TEST(ForeignBytes, OfAConfigurationAreReadOrRefused) {
  fuzz::expect_no_surprise(fuzz::fuzz_configuration, material("["), fuzz::mutant);
}

TEST(ForeignBytes, OfAConfigurationMayHaveNamesOfVeryManyParts) {
  fuzz::expect_no_surprise(fuzz::fuzz_configuration, material("a."), fuzz::mutant, {1000, 50, 200});
}

} // namespace
} // namespace faultline::cli
