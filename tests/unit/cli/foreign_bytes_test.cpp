// A damaged faultline.toml is read or refused, and nothing else happens.
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

// Where the library looks for a space, some letters led it to code that it believes is never reached.
TEST(ForeignBytes, OfAConfigurationMayBeLettersOfAnyAlphabet) {
  for (const std::string text : {"[function\xd2\x99]\nsize = 3\n", "  u\xef\xbb\xaa [f{ unc", "[f\xc3\xa9]\n"})
    EXPECT_THROW(fuzz::fuzz_configuration(reinterpret_cast<const uint8_t*>(text.data()), text.size()), base::UserError);
}

// The library destroys what it has read by recursion.
TEST(ForeignBytes, OfAConfigurationThatAreNestedVeryDeepAreRefused) {
  const auto repeated = [](const std::string& text, size_t times) {
    std::string all;
    for (size_t i = 0; i < times; ++i)
      all += text;
    return all;
  };
  const std::string lines = repeated(repeated("a.", 900) + "a = [\n{", 200);
  for (const std::string& text : {repeated("a.", 200'000) + "a = 1\n", "[" + repeated("a.", 200'000) + "a]\n", lines})
    EXPECT_THROW(fuzz::fuzz_configuration(reinterpret_cast<const uint8_t*>(text.data()), text.size()), base::UserError);
}

} // namespace
} // namespace faultline::cli
