// Bounds of small functions: never below an error that is there, and not far above.
#include "proving.h"

#include "numeric/random.h"

namespace faultline::test {
namespace {

using prove::Measure;

struct Subject {
  std::string name, text;
  std::vector<prove::InputDimension> inputs;
  double most; // what the bound may be, at most
};
void PrintTo(const Subject& subject, std::ostream* stream) { *stream << subject.name; }

class Bounded : public testing::TestWithParam<Subject> {};

TEST_P(Bounded, NoErrorIsAboveTheBound) {
  const Subject& subject = GetParam();
  Proof proof(subject.text, subject.inputs);
  proof.run();
  ASSERT_TRUE(proof.proof->complete()) << proof.proof->open().front().reason;
  EXPECT_LE(proof.proven(), subject.most);
  numeric::Rng rng(1);
  double largest = 0;
  for (int i = 0; i < 3'000; ++i) {
    exec::Input input;
    for (const prove::InputDimension& side : subject.inputs) {
      const double value = rng.uniform(side.range.low, side.range.high);
      input.push_back(std::clamp(side.format == numeric::Format::binary32 ? double(float(value)) : value,
                                 side.range.low, side.range.high));
    }
    const double error = proof.true_error(input);
    ASSERT_LE(error, proof.proven()) << double(input[0]);
    largest = std::max(largest, error);
  }
  EXPECT_GT(largest * 20, proof.proven()) << "the bound is of the errors' size";
}

// What the bounds may be: by hand, roundings times slopes, with some room.
INSTANTIATE_TEST_SUITE_P(
    All, Bounded,
    testing::Values(
        Subject{"sum", "double f(double x, double y) { return x + y; }", {doubles(0, 1), doubles(0, 1)}, 0x1.01p-53},
        Subject{"horner",
                "double f(double x) { double s = 0; for (int i = 0; i < 8; i++) s = s * x + 1.0 / (i + 1); return s; }",
                {doubles(-1, 1)},
                3e-15},
        Subject{"newton",
                "double f(double x) { double y = x; for (int i = 0; i < 5; i++) y = 0.5 * (y + x / y); return y; }",
                {doubles(1, 4)},
                4e-16},
        Subject{"branch",
                "#include <math.h>\ndouble f(double x) { if (x < 0.5) return x * x; return sqrt(x) + 1; }",
                {doubles(0, 2)},
                4e-16},
        Subject{
            "functions",
            "#include <math.h>\ndouble f(double x, double y) { return sin(x * y) + exp(x / 3) * log(y) - pow(x, y) / "
            "sqrt(x + y) + atan2(y, x); }",
            {doubles(0.5, 2), doubles(1, 3)},
            5e-15},
        Subject{"single",
                "#include <math.h>\nfloat f(float x) { return 1.0f / (1.0f + expf(-x)); }",
                {floats(-20, 20)},
                2.5e-7},
        Subject{
            "euler",
            "double f(double x) { double v = 0; for (int i = 0; i < 10; i++) { v = v + 0.125 * (1 - x); x = x + 0.125 "
            "* v; } return x; }",
            {doubles(0, 1)},
            4e-15},
        Subject{"table",
                "static const double t[4] = {0.1, 0.2, 0.4, 0.8};\n"
                "double f(double x) { int i = (int)x; return t[i] * x; }",
                {doubles(0, 3.5)},
                5e-16},
        Subject{"larger",
                "#include <math.h>\ndouble f(double x, double y) { return fmax(x / 3, fmax(y / 3, (x + y) / 7)); }",
                {doubles(0, 3), doubles(0, 3)},
                2.3e-16},
        Subject{"length",
                "#include <math.h>\nfloat f(float x, float y) { return sqrtf(x * x + y * y); }",
                {floats(-1, 1), floats(-1, 1)},
                2e-7},
        Subject{"lowpass",
                "double f(double x) { double y = 0; for (int i = 0; i < 100; i++) y += 0.1 * (x - y); return y; }",
                {doubles(0, 1)},
                2e-15},
        Subject{"constants", "double f(double x) { return (1.0 / 3) * (1.0 / 3) * x; }", {doubles(1, 2)}, 5.2e-17},
        Subject{"remainder",
                "#include <math.h>\ndouble f(double x) { double part; return fmod(x * 3, 2) + modf(x / 3, &part); }",
                {doubles(1.4, 1.9)},
                1e-15},
        Subject{"gamma",
                "#include <math.h>\ndouble f(double x) { return tgamma(x) + lgamma(x); }",
                {doubles(0.5, 3)},
                1e-14}),
    [](const auto& info) { return info.param.name; });

// All floats of the range, one after the other.
TEST(BranchAndBound, HoldsForEveryFloatOfARange) {
  const char* code = "#include <math.h>\nfloat f(float x) { return sqrtf(x * x + 1.0f) - 1.0f; }";
  Proof proof(code, {floats(0.5, 0.50390625)});
  proof.run();
  double worst = 0;
  for (float x = 0.5F; x <= 0.50390625F; x = std::nextafter(x, 1.0F))
    worst = std::max(worst, proof.true_error({x}));
  EXPECT_LE(worst, proof.proven());
  EXPECT_GT(worst * 1.2, proof.proven());
}

TEST(BranchAndBound, RoundedInputsCount) {
  const char* code = "double f(double x) { return 3 * x; }";
  Proof exact(code, {doubles(1, 1.25)});
  Proof rounded(code, {{numeric::Format::binary64, {1, 1.25}, {.absolute = 0, .rounded = true}}});
  Proof given(code, {{numeric::Format::binary64, {1, 1.25}, {.absolute = 1e-6, .rounded = false}}});
  for (Proof* proof : {&exact, &rounded, &given})
    proof->run();
  EXPECT_EQ(exact.proven(), 0x1p-52);
  EXPECT_NEAR(rounded.proven(), 0x1p-52 + 3 * 0x1p-53, 1e-18);
  EXPECT_NEAR(given.proven(), 3e-6, 1e-12);
}

TEST(BranchAndBound, PolesAreOpenAndTheRestIsProved) {
  Proof proof("double f(double x) { return 1 / x; }", {doubles(-1, 1)});
  proof.run(5'000);
  EXPECT_FALSE(proof.proof->complete());
  double open = 0;
  for (const prove::OpenBox& box : proof.proof->open())
    open += box.box[0].high - box.box[0].low;
  EXPECT_LT(open, 1e-300);
}

TEST(BranchAndBound, BitsOfAFloatHaveNoProof) {
  const char* bits =
      "double f(double x) { union { double d; unsigned long u; } v = { x }; return v.u & 1 ? x * 3 : x; }";
  Proof branch(bits, {doubles(1, 2)});
  branch.run(100);
  EXPECT_FALSE(branch.proof->complete());
  const char* address =
      "double f(double x) { union { double d; unsigned long u; } v = { x }; double t[2] = { x + 1, x * 3 "
      "}; return t[v.u & 1]; }";
  Proof access(address, {doubles(1, 2)});
  EXPECT_FALSE(access.session().sites().unsettled.empty());
}

TEST(BranchAndBound, HeldIntegersDecideNothing) {
  Proof proof(
      "double f(const double* a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i * (n - 2)]; return s; }",
      {doubles(0, 1), doubles(0, 1), doubles(0, 1), doubles(3, 3)}, {{"a", {3}}});
  proof.run(2'000);
  EXPECT_TRUE(proof.session().sites().unsettled.empty());
  EXPECT_TRUE(proof.proof->complete());
  EXPECT_EQ(proof.paths(), 1u);
}

// 1 + 2^-53 rounds to 1, though floats below 1 are nearer to each other.
TEST(BranchAndBound, RoundedInputsMayLieAboveAPowerOfTwo) {
  prove::InputDimension input = test::doubles(1, 1);
  input.error.rounded = true;
  Proof proof("double f(double x) { return -x; }", {input});
  proof.run();
  EXPECT_EQ(proof.proven(), 0x1p-53);
}

} // namespace
} // namespace faultline::test
