// The residues of operations against MPFR: v + residue is the result of the exact operands.
#include "run/rules.h"

#include "numeric/bigfloat.h"
#include "numeric/random.h"
#include "run/abi.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <random>

namespace faultline::run {
namespace {

using llvm::Value;
using numeric::BigFloat;

struct Operands {
  double v, a, b, c, ra, rb, rc;
};
using Emit = Residue (*)(Rules&, llvm::ArrayRef<Value*>);
constexpr int precision = 400;

// A function that computes a residue, compiled.
class Compiled {
public:
  Compiled(Emit emit, uint32_t place) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("rules", *context);
    llvm::Type* number = llvm::Type::getDoubleTy(*context);
    auto* function = llvm::Function::Create(llvm::FunctionType::get(number, std::vector<llvm::Type*>(7, number), false),
                                            llvm::Function::ExternalLinkage, "residue", *module);
    Builder builder(llvm::BasicBlock::Create(*context, "", function));
    Rules rules(builder, place);
    std::vector<Value*> operands;
    for (llvm::Argument& argument : function->args())
      operands.push_back(&argument);
    builder.CreateRet(rules.placed(emit(rules, operands)));
    EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
    jit_ = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    llvm::cantFail(jit_->addIRModule({std::move(module), std::move(context)}));
    code_ = llvm::cantFail(jit_->lookup("residue")).toPtr<Code>();
  }

  double operator()(const Operands& o) const { return code_(o.v, o.a, o.b, o.c, o.ra, o.rb, o.rc); }

private:
  using Code = double (*)(double, double, double, double, double, double, double);
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  Code code_ = nullptr;
};

struct Rule {
  const char* name;
  Emit emit;
  double (*compute)(double, double, double);
  void (*exactly)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr);
  bool positive = false;
};

const Rule rules[] = {
    {"sum", [](Rules& r, llvm::ArrayRef<Value*> x) { return r.sum(x[0], x[1], x[2], {x[4]}, {x[5]}); },
     [](double a, double b, double) { return a + b; },
     [](mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) { mpfr_add(r, a, b, MPFR_RNDN); }},
    {"difference", [](Rules& r, llvm::ArrayRef<Value*> x) { return r.difference(x[0], x[1], x[2], {x[4]}, {x[5]}); },
     [](double a, double b, double) { return a - b; },
     [](mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) { mpfr_sub(r, a, b, MPFR_RNDN); }},
    {"product", [](Rules& r, llvm::ArrayRef<Value*> x) { return r.product(x[0], x[1], x[2], {x[4]}, {x[5]}); },
     [](double a, double b, double) { return a * b; },
     [](mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) { mpfr_mul(r, a, b, MPFR_RNDN); }},
    {"quotient", [](Rules& r, llvm::ArrayRef<Value*> x) { return r.quotient(x[0], x[1], x[2], {x[4]}, {x[5]}); },
     [](double a, double b, double) { return a / b; },
     [](mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) { mpfr_div(r, a, b, MPFR_RNDN); }},
    {"root", [](Rules& r, llvm::ArrayRef<Value*> x) { return r.root(x[0], x[1], {x[4]}); },
     [](double a, double, double) { return std::sqrt(a); },
     [](mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) { mpfr_sqrt(r, a, MPFR_RNDN); }, true},
    {"fused",
     [](Rules& r, llvm::ArrayRef<Value*> x) { return r.fused(x[0], x[1], x[2], x[3], {x[4]}, {x[5]}, {x[6]}); },
     [](double a, double b, double c) { return std::fma(a, b, c); },
     [](mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) { mpfr_fma(r, a, b, c, MPFR_RNDN); }},
    {"magnitude", [](Rules& r, llvm::ArrayRef<Value*> x) { return r.magnitude(x[0], x[1], {x[4]}); },
     [](double a, double, double) { return std::fabs(a); },
     [](mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) { mpfr_abs(r, a, MPFR_RNDN); }},
};

BigFloat exact_operand(double value, double residue) {
  BigFloat sum(static_cast<long double>(value), precision);
  const BigFloat error(static_cast<long double>(residue), precision);
  mpfr_add(sum.raw(), sum.raw(), error.raw(), MPFR_RNDN);
  return sum;
}

// Random operands of all sizes of residues, from none to larger than the value.
struct Sampler {
  std::mt19937_64 random{1};
  double number(bool positive) {
    const double mantissa = 1 + double(random() >> 12) * 0x1p-52;
    const double magnitude = std::ldexp(mantissa, int(random() % 41) - 20);
    return positive || random() % 2 ? magnitude : -magnitude;
  }
  double residue(double value, bool positive) {
    switch (random() % 4) {
    case 0:
      return 0;
    case 1:
      return std::ldexp(number(positive), -52) * value;
    case 2:
      return std::ldexp(value, -1 - int(random() % 60));
    default:
      return value * (positive ? 0.75 : 3 * (double(random() >> 11) * 0x1p-53 - 0.5));
    }
  }
};

double exact_residue(const Rule& rule, const Operands& o) {
  BigFloat exact(precision);
  const BigFloat a = exact_operand(o.a, o.ra), b = exact_operand(o.b, o.rb), c = exact_operand(o.c, o.rc);
  rule.exactly(exact.raw(), a.raw(), b.raw(), c.raw());
  mpfr_sub_d(exact.raw(), exact.raw(), o.v, MPFR_RNDN);
  return exact.to_double();
}

// The parts that add up to a residue, some of which may cancel.
double scale_of(const Operands& o) {
  const double parts = std::fabs(o.ra / o.a) + std::fabs(o.rb / o.b) + 0x1p-53;
  return std::fabs(o.v) * parts + std::fabs(o.ra) + std::fabs(o.rb) + std::fabs(o.rc);
}

TEST(Rules, ResiduesAreThoseOfExactOperands) {
  for (const Rule& rule : rules) {
    const Compiled compiled(rule.emit, 0);
    Sampler sampler;
    for (int i = 0; i < 20'000; ++i) {
      Operands o = {0, sampler.number(rule.positive), sampler.number(false), sampler.number(false), 0, 0, 0};
      if (i % 3 == 0) // cancels
        o.b = -o.a * (1 + std::ldexp(1, -int(sampler.random() % 53)));
      o.ra = sampler.residue(o.a, rule.positive);
      o.rb = sampler.residue(o.b, false);
      o.rc = sampler.residue(o.c, false);
      if (std::fabs(o.b + o.rb) < 0.1 * std::fabs(o.b)) // a quotient's error would be that of a cancelled divisor
        o.rb = 0;
      o.v = rule.compute(o.a, o.b, o.c);
      const double expected = exact_residue(rule, o), got = compiled(o);
      const double error = std::fabs(got - expected) / scale_of(o);
      ASSERT_LT(error, 0x1p-46) << rule.name << ' ' << o.a << ' ' << o.b << ' ' << o.c << ' ' << o.ra << ' ' << o.rb
                                << ": " << got << ", exactly " << expected;
    }
  }
}

uint64_t place_in(double residue) {
  uint64_t bits;
  std::memcpy(&bits, &residue, sizeof bits);
  return bits & place_bits;
}

double with_place(double residue, uint64_t place) {
  uint64_t bits;
  std::memcpy(&bits, &residue, sizeof bits);
  bits = (bits & ~place_bits) | place;
  std::memcpy(&residue, &bits, sizeof bits);
  return residue;
}

TEST(Rules, AResidueNamesThePlaceOfItsLargestPart) {
  const Compiled sum(rules[0].emit, 7), product(rules[2].emit, 7);
  const double small = with_place(1e-15, 3), large = with_place(1e-12, 5);
  EXPECT_EQ(place_in(sum({3, 1, 2, 0, small, large, 0})), 5u);
  EXPECT_EQ(place_in(sum({3, 1, 2, 0, large, small, 0})), 5u);
  EXPECT_EQ(place_in(sum({0.1 + 0.2, 0.1, 0.2, 0, 0, 0, 0})), 7u) << "its own rounding";
  EXPECT_EQ(place_in(product({2e6, 2e6, 1, 0, small, large, 0})), 5u);
  EXPECT_EQ(place_in(product({2e-6, 1, 2e-6, 0, large, small, 0})), 3u) << "the other operand is tiny";
}

TEST(Rules, ACancellationIsToBlameForTheDigitsItLoses) {
  const Compiled difference(
      [](Rules& r, llvm::ArrayRef<Value*> x) {
        Residue result = r.difference(x[0], x[1], x[2], {x[4]}, {x[5]});
        r.blame(result, r.cancellation(x[0], r.peak_of(x[1], nullptr), result.value));
        return result;
      },
      7);
  EXPECT_EQ(place_in(difference({0x1p-40, 1 + 0x1p-40, 1, 0, with_place(1e-16, 3), 0, 0})), 7u);
  EXPECT_EQ(place_in(difference({0.5, 1.5, 1, 0, with_place(1e-16, 3), 0, 0})), 3u);
}

TEST(Rules, AnExactResultHasAPlainZero) {
  const Compiled sum(rules[0].emit, 7);
  EXPECT_EQ(sum({3, 1, 2, 0, 0, 0, 0}), 0) << "a place alone would be a subnormal number, and slow";
}

} // namespace
} // namespace faultline::run
