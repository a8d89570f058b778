// Residues of single operations: everything is compared with a replay in high precision.
#include "estimating.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "tape/intended.h"

#include <map>

namespace faultline::test {
namespace {

using numeric::BigFloat;
using ops::Op;

// Exact minus recorded, of a record.
long double true_error(const tape::Tape& tape, uint32_t record, const tape::Replay& replay) {
  BigFloat error(replay.values[record]);
  const BigFloat recorded(tape.exact(record), 64);
  mpfr_sub(error.raw(), error.raw(), recorded.raw(), MPFR_RNDN);
  return error.to_long_double();
}

// Every operation of the table that has a rounding error or hands one on, on operands that are wrong themselves.
constexpr const char* all_operations = R"(
  void f(T x, T y, int n, T* r) {
    T a = x * C(1.1), b = y / 3, p = a * a + C(0.1), u = a / (1 + M(fabs)(a));
    r[0] = a + b; r[1] = a - b; r[2] = a * b; r[3] = a / b; r[4] = M(fma)(a, b, p); r[5] = M(sqrt)(p); r[6] = -a;
    r[7] = M(fabs)(b); r[8] = M(fmin)(a, b); r[9] = M(fmax)(a, b); r[10] = M(fdim)(a, b); r[11] = M(copysign)(p, b);
    r[12] = M(floor)(a); r[13] = M(ceil)(a); r[14] = M(trunc)(a); r[15] = M(round)(a); r[16] = M(rint)(a);
    r[17] = B(roundeven)(a); r[18] = M(fmod)(a, b); r[19] = M(remainder)(a, b); r[20] = M(ldexp)(a, n);
    int exponent; T whole;
    r[21] = M(frexp)(a, &exponent); r[22] = M(modf)(a, &whole); r[23] = M(logb)(a); r[24] = M(hypot)(a, b);
    r[25] = M(cbrt)(a); r[26] = M(exp)(u); r[27] = M(exp2)(u); r[28] = M(exp10)(u); r[29] = M(expm1)(u);
    r[30] = M(log)(p); r[31] = M(log2)(p); r[32] = M(log10)(p); r[33] = M(log1p)(p); r[34] = M(pow)(p, u);
    r[35] = B(powi)(a, n); r[36] = M(sin)(a); r[37] = M(cos)(a); r[38] = M(tan)(u); r[39] = M(asin)(u);
    r[40] = M(acos)(u); r[41] = M(atan)(a); r[42] = M(atan2)(a, b); r[43] = M(sinh)(u); r[44] = M(cosh)(u);
    r[45] = M(tanh)(a); r[46] = M(asinh)(a); r[47] = M(acosh)(1 + p); r[48] = M(atanh)(u); r[49] = M(erf)(a);
    r[50] = M(erfc)(u); r[51] = M(tgamma)(2 + u); r[52] = M(lgamma)(2 + p); OTHER o = (OTHER)(a * b); r[53] = (T)(o * o + (OTHER)0.1); 
    T shifted = a + MAGIC; r[54] = shifted - MAGIC; T below = a - SHIFT; r[85] = below + SHIFT;
    T fused = B(fma)(a, a, MAGIC); r[86] = fused - MAGIC;
    r[55] = M(j0)(u); r[56] = M(j1)(u); r[57] = M(jn)(2, u); r[58] = M(y0)(p); r[59] = M(y1)(p); r[60] = M(yn)(2, p);
    r[61] = F(ModuloReal)(a, b, 0, 0); r[62] = F(ErfcScaled)(u); r[63] = F(Fraction)(a); r[64] = F(Nearest)(a, 1);
    COMPLEX z = __builtin_complex(u, b / (1 + M(fabs)(b))), w;
    w = M(cexp)(z); r[65] = __real__ w; r[66] = __imag__ w; w = M(clog)(z); r[67] = __real__ w; r[68] = __imag__ w;
    w = M(csqrt)(z); r[69] = __real__ w; r[70] = __imag__ w; w = M(csin)(z); r[71] = __real__ w; r[72] = __imag__ w;
    w = M(ccos)(z); r[73] = __real__ w; r[74] = __imag__ w; w = M(ctan)(z); r[75] = __real__ w; r[76] = __imag__ w;
    w = M(csinh)(z); r[77] = __real__ w; r[78] = __imag__ w; w = M(ccosh)(z); r[79] = __real__ w; r[80] = __imag__ w;
    w = M(ctanh)(z); r[81] = __real__ w; r[82] = __imag__ w; r[83] = M(cabs)(z); r[84] = M(carg)(z);
  })";
constexpr size_t operations = 87;

std::string source(const std::string& type, const std::string& suffix, const std::string& other,
                   const std::string& magic) {
  const std::string paste = suffix.empty() ? "" : "##" + suffix;
  const char* kind = suffix == "f" ? "4" : suffix == "l" ? "10" : "8";
  return fmt::format("#define _GNU_SOURCE\n#include <complex.h>\n#include <math.h>\n#include <stdbool.h>\n"
                     "typedef {0} T;\ntypedef {0} _Complex COMPLEX;\n#define M(name) name{1}\n"
                     "#define B(name) __builtin_##name{2}\n#define C(value) value{3}\n#define OTHER {4}\n"
                     "#define MAGIC {5}\nstatic volatile T SHIFT = {5};\n#define F(name) _FortranA##name##{6}\nT "
                     "F(ModuloReal)(T, T, const char*, int);\n"
                     "T F(ErfcScaled)(T); T F(Fraction)(T); T F(Nearest)(T, bool);\n{7}",
                     type, paste, paste, paste, other, magic, kind, all_operations);
}

struct Kind {
  const char* name;
  std::string text;
};
void PrintTo(const Kind& kind, std::ostream* stream) { *stream << kind.name; }

class OfFormat : public testing::TestWithParam<Kind> {};

// How far a residue may be off: 2^-8 of itself. Other operations than these few are carried out in x87's 64 bits, of
// which the C library gets the last wrong, on operands that have 64 bits too; or they follow a slope.
long double tolerance(const tape::Tape& tape, uint32_t record, long double error) {
  long double largest = 0;
  switch (tape.site(record).op) {
  case Op::fadd:
  case Op::fsub:
  case Op::fmul:
  case Op::fdiv:
  case Op::sqrt:
  case Op::fneg:
  case Op::fabs:
  case Op::fmin:
  case Op::fmax:
  case Op::fptrunc:
  case Op::fpext:
    return std::fabs(error) * 0x1p-8L + std::fabs(tape.exact(record)) * 0x1p-72L;
  default:
    for (int i = 0; i < ops::arity(tape.site(record).op); ++i)
      largest = std::max(largest, std::fabs(tape.exact(tape.operand(record, i))));
    return std::fabs(error) * 0x1p-6L + std::fabs(tape.exact(record)) * 0x1p-60L + largest * 0x1p-63L;
  }
}

TEST_P(OfFormat, ResidueOfEveryOperationIsTheExactOne) {
  exec::Session session = open_text(GetParam().text, ".c", "f", {.sizes = {{"r", {operations}}}});
  numeric::Rng rng(3);
  std::set<Op> seen;
  std::map<Op, int> with_error;
  tape::Residues residues;
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    exec::Input input(session.target().inputs.size());
    const int spread = i % 3 == 0 ? 20 : 0;
    for (size_t d : {0, 1})
      input[d] = float(std::ldexp(rng.uniform(-3, 3), spread == 0 ? 0 : int(rng.below(40)) - spread));
    input[2] = int(rng.below(9)) - 4;
    const tape::Tape tape = read(session, input);
    tape::note_intended_roundings(session, tape);
    const tape::Replay replay = tape::replay(tape, precision);
    residues.read(tape, all_outputs(tape));
    for (size_t output = 0; output < operations; ++output) {
      const uint32_t record = output_record(tape, output);
      ASSERT_NE(record, 0u) << "output " << output;
      const Op op = tape.site(record).op;
      seen.insert(op);
      for (int i = 0; i < ops::arity(op); ++i) // the sum with a large constant is what it is taken off from
        if (const uint32_t operand = tape.operand(record, i); !runtime::is_constant(operand))
          seen.insert(tape.site(operand).op);
      const long double expected = true_error(tape, record, replay);
      if (!std::isfinite(tape.exact(record)) || !std::isfinite(expected))
        continue;
      const tape::Shadow shadow = residues.shadow(tape, record);
      const long double exact = replay.values[record].to_long_double();
      const long double margin = tolerance(tape, record, expected);
      EXPECT_LE(std::fabs(shadow.error - expected), margin)
          << ops::name(op)
          << fmt::format(" of x = {}, y = {}, n = {}: {} instead of {}, value {}", input[0], input[1], input[2],
                         shadow.error, expected, tape.exact(record));
      EXPECT_LE(std::fabs(shadow.exact - exact), margin + std::fabs(exact) * 0x1p-63L) << ops::name(op);
      with_error[op] += margin < std::fabs(expected) / 8;
    }
  }
  for (int i = 0; i < ops::operation_count; ++i) {
    const Op op = Op(i);
    const bool from_c = op != Op::frexp && op != Op::fpext && op != Op::fptrunc; // frexp is recorded as ldexp
    if (from_c && !ops::is_leaf(op) && !ops::is_decision(op))
      EXPECT_TRUE(seen.contains(op)) << ops::name(op) << " was not compared";
  }
  EXPECT_TRUE(seen.contains(Op::fpext) || seen.contains(Op::fptrunc));
  for (Op op : {Op::fadd, Op::fmul, Op::fdiv, Op::sqrt, Op::fneg, Op::fabs, Op::fmin})
    EXPECT_GT(with_error[op], 100) << ops::name(op) << ": errors that the margin hides";
}

INSTANTIATE_TEST_SUITE_P(All, OfFormat,
                         testing::Values(Kind{"binary32", source("float", "f", "double", "0x1.8p23f")},
                                         Kind{"binary64", source("double", "", "float", "0x1.8p52")},
                                         Kind{"extended80", source("long double", "l", "double", "0x1.8p63L")}),
                         [](const auto& info) { return info.param.name; });

TEST(ResidueThroughForeignCode, IsUnknownIfRoundedValuesWentIn) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return 1 + scalb(x * 3, 1); }");
  EXPECT_TRUE(estimate(read(session, {0.1})).unknown);
  EXPECT_FALSE(estimate(read(session, {0.5})).unknown);
}

} // namespace
} // namespace faultline::test
