#include "ops/table.h"

#include "ops/bessel.h"
#include "ops/complex.h"
#include "ops/exponential.h"
#include "ops/forms.h"
#include "ops/rounding.h"
#include "ops/special.h"
#include "ops/trigonometric.h"

#include <cmath>
#include <span>

namespace faultline::ops {

namespace {

// Arithmetic, selection and conversions between formats.
constexpr auto first_operand = [](auto a, auto, auto) { return a; };

constexpr auto big_leaf = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, mpfr_srcptr) {
  if (a)
    mpfr_set(result, a, MPFR_RNDN);
  else
    mpfr_set_nan(result);
};

constexpr auto terms_over_result = [](double a, double b, double, double result) {
  return Gradient{std::fabs(a / result), std::fabs(b / result), 0};
};

// Uses long double, in which the product of two doubles neither overflows nor underflows.
constexpr auto fma_conditions = [](double a, double b, double c, double result) {
  const double product = static_cast<double>(std::fabs(static_cast<long double>(a) * b / result));
  return Gradient{product, product, std::fabs(c / result)};
};

// The choice of fmin and fmax: a NaN loses against a number.
bool first_is_min(double a, double b) { return a <= b || std::isnan(b); }
bool first_is_max(double a, double b) { return a >= b || std::isnan(b); }
template <auto is_first>
constexpr auto of_chosen = [](double a, double b, double, double) {
  return is_first(a, b) ? Gradient{1, 0, 0} : Gradient{0, 1, 0};
};

constexpr Entry arithmetic[] = {
    {.op = Op::none, .symbol = "", .native = first_operand, .big = big_leaf, .raises = nothing},
    {.op = Op::input, .native = first_operand, .big = big_leaf, .raises = nothing},
    {.op = Op::leaf, .symbol = "value", .native = first_operand, .big = big_leaf, .raises = nothing},
    // The outcome of an integer condition: like a leaf, it is given by the run.
    {.op = Op::decide, .symbol = "decision", .native = first_operand, .big = big_leaf, .raises = nothing},

    // Danger: the sum itself; it is zero where the terms cancel.
    {.op = Op::fadd,
     .symbol = "+",
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return a + b; },
     .big = big_binary<mpfr_add>,
     .partials = constantly<1, 1>,
     .conditions = terms_over_result,
     .danger = danger_at_result_zero,
     .raises = {overflows(infinite)}},
    {.op = Op::fsub,
     .symbol = "-",
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return a - b; },
     .big = big_binary<mpfr_sub>,
     .partials = constantly<1, -1>,
     .conditions = terms_over_result,
     .danger = danger_at_result_zero,
     .raises = {overflows(infinite)}},
    {.op = Op::fma,
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto c) { return std::fma(a, b, c); },
     .big = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) { mpfr_fma(result, a, b, c, MPFR_RNDN); },
     .partials =
         [](double a, double b, double, double) {
           return Gradient{b, a, 1};
         },
     .conditions = fma_conditions,
     .danger = danger_at_result_zero,
     .raises = {overflows(infinite), underflows(first != 0, second != 0, tiny)}},

    {.op = Op::fmul,
     .symbol = "*",
     .native = [](auto a, auto b, auto) { return a * b; },
     .big = big_binary<mpfr_mul>,
     .partials =
         [](double a, double b, double, double) {
           return Gradient{b, a, 0};
         },
     .conditions = constantly<1, 1>,
     .raises = {overflows(infinite), underflows(first != 0, second != 0, tiny)}},
    {.op = Op::fdiv,
     .symbol = "/",
     .native = [](auto a, auto b, auto) { return a / b; },
     .big = big_binary<mpfr_div>,
     .partials =
         [](double, double b, double, double result) {
           return Gradient{1 / b, -result / b, 0};
         },
     .conditions = constantly<1, 1>,
     .raises = {overflows(second != 0, infinite), underflows(first != 0, tiny),
                divides_by_zero(first != 0, second == 0), is_invalid(first == 0, second == 0)}},
    {.op = Op::sqrt,
     .native = [](auto a, auto, auto) { return std::sqrt(a); },
     .big = big_unary<mpfr_sqrt>,
     .partials = of_one([](double, double r) { return 0.5 / r; }),
     .conditions = constantly<0.5>,
     .monotone = increasing(mpfr_sqr, -0.0),
     .raises = {is_invalid(first < 0)}},

    {.op = Op::fneg,
     .symbol = "-",
     .native = [](auto a, auto, auto) { return -a; },
     .big = big_unary<mpfr_neg>,
     .partials = constantly<-1>,
     .conditions = constantly<1>,
     .raises = nothing},
    {.op = Op::fabs,
     .native = [](auto a, auto, auto) { return std::fabs(a); },
     .big = big_unary<mpfr_abs>,
     .partials = of_one([](double a, double) { return std::copysign(1, a); }),
     .conditions = constantly<1>,
     .raises = nothing},
    {.op = Op::copysign,
     .native = [](auto a, auto b, auto) { return std::copysign(a, b); },
     .big = big_binary<mpfr_copysign>,
     .partials = of_first([](double a, double b, double) { return std::signbit(a) == std::signbit(b) ? 1.0 : -1.0; }),
     .conditions = constantly<1>,
     .raises = nothing},

    {.op = Op::fmin,
     .native = [](auto a, auto b, auto) { return std::fmin(a, b); },
     .big = big_binary<mpfr_min>,
     .partials = of_chosen<first_is_min>,
     .conditions = of_chosen<first_is_min>,
     .raises = nothing},
    {.op = Op::fmax,
     .native = [](auto a, auto b, auto) { return std::fmax(a, b); },
     .big = big_binary<mpfr_max>,
     .partials = of_chosen<first_is_max>,
     .conditions = of_chosen<first_is_max>,
     .raises = nothing},
    // A subtraction where a > b, constant elsewhere. Danger: the difference, since the result does not change sign.
    {.op = Op::fdim,
     .potentially_unstable = true,
     .native = [](auto a, auto b, auto) { return std::fdim(a, b); },
     .big = big_binary<mpfr_dim>,
     .partials =
         [](double a, double b, double, double) {
           return a > b ? Gradient{1, -1, 0} : Gradient{};
         },
     .conditions = [](double a, double b, double c,
                      double result) { return a > b ? terms_over_result(a, b, c, result) : Gradient{}; },
     .danger = [](double a, double b, double, double) { return a - b; },
     .raises = {overflows(infinite)}},

    {.op = Op::fpext,
     .symbol = "(extend)",
     .native = first_operand,
     .big = big_unary<mpfr_set>,
     .partials = constantly<1>,
     .conditions = constantly<1>,
     .raises = nothing},
    {.op = Op::fptrunc,
     .symbol = "(float)",
     .native = first_operand,
     .big = big_unary<mpfr_set>,
     .partials = constantly<1>,
     .conditions = constantly<1>,
     .raises = {overflows(infinite), underflows(first != 0, tiny)}},
    {.op = Op::round_add,
     .symbol = "+",
     .native = [](auto a, auto b, auto) { return a + b; },
     .big = big_binary<mpfr_add>,
     .raises = {overflows(infinite)}},
    {.op = Op::round_sub,
     .symbol = "-",
     .native = [](auto a, auto b, auto) { return a - b; },
     .big = big_binary<mpfr_sub>,
     .raises = {overflows(infinite)}},
    {.op = Op::round_fma,
     .symbol = "fma",
     .native = [](auto a, auto b, auto c) { return std::fma(a, b, c); },
     .big = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) { mpfr_fma(result, a, b, c, MPFR_RNDN); },
     .raises = {overflows(infinite), underflows(first != 0, second != 0, tiny)}},
};

} // namespace

bool holds(const Condition& condition, numeric::Value x, numeric::Format format) {
  switch (condition.relation) {
  case Relation::below:
    return x < condition.value;
  case Relation::above:
    return x > condition.value;
  case Relation::at_least:
    return x >= condition.value;
  case Relation::at_most:
    return x <= condition.value;
  case Relation::beyond:
    return std::fabs(x) > condition.value;
  case Relation::equal:
    return x == condition.value;
  case Relation::unequal:
    return x != condition.value;
  case Relation::whole:
    return x == std::rint(x);
  case Relation::broken:
    return x != std::rint(x);
  case Relation::infinite:
    return std::isinf(x);
  case Relation::tiny:
    return std::fabs(x) < std::ldexp(1.0L, numeric::info(format).min_exponent);
  }
  return false;
}

namespace {

// Comparisons: 0 or 1. "Ordered" ones are false, "unordered" ones true, if an operand is NaN.
template <Op op>
constexpr auto native_comparison =
    [](auto a, auto b, auto) -> decltype(a) { return holds(op, order_between(a, b)) ? 1 : 0; };

template <Op op>
constexpr auto big_comparison = [](mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr) {
  const Traits order = mpfr_unordered_p(a, b) ? trait::unordered : order_between(mpfr_cmp(a, b), 0);
  mpfr_set_ui(result, holds(op, order) ? 1 : 0, MPFR_RNDN);
};

template <Op op> constexpr Entry compare(std::string_view symbol) {
  return {.op = op, .symbol = symbol, .native = native_comparison<op>, .big = big_comparison<op>, .raises = nothing};
}

constexpr Entry comparison[] = {
    compare<Op::cmp_oeq>("=="),        compare<Op::cmp_ogt>(">"),
    compare<Op::cmp_oge>(">="),        compare<Op::cmp_olt>("<"),
    compare<Op::cmp_ole>("<="),        compare<Op::cmp_one>("islessgreater"),
    compare<Op::cmp_ord>("isordered"), compare<Op::cmp_ueq>("!islessgreater"),
    compare<Op::cmp_ugt>("!(<=)"),     compare<Op::cmp_uge>("!(<)"),
    compare<Op::cmp_ult>("!(>=)"),     compare<Op::cmp_ule>("!(>)"),
    compare<Op::cmp_une>("!="),        compare<Op::cmp_uno>("isunordered"),
};

constexpr std::span<const Entry> families[] = {arithmetic,        rounding, exponential, trigonometric,
                                               complex_functions, special,  bessel,      comparison};

constexpr int entries_of(Op op) {
  int count = 0;
  for (const auto family : families)
    for (const Entry& candidate : family)
      count += candidate.op == op;
  return count;
}

constexpr const Entry* find(Op op) {
  for (const auto family : families)
    for (const Entry& candidate : family)
      if (candidate.op == op)
        return &candidate;
  return nullptr;
}

constexpr std::array<const Entry*, operation_count> table{
#define FAULTLINE_OPERATION_ENTRY(name, arity, traits) find(Op::name),
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_ENTRY)
#undef FAULTLINE_OPERATION_ENTRY
};

#define FAULTLINE_OPERATION_CHECK(name, arity, traits)                                                                 \
  static_assert(entries_of(Op::name) == 1, "an operation needs one entry in the table: " #name);
FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_CHECK)
#undef FAULTLINE_OPERATION_CHECK

Gradient without_nan(Gradient gradient) {
  for (double& component : gradient)
    component = component == component ? component : 0;
  return gradient;
}

} // namespace

const Entry& entry(Op op) { return *table[static_cast<size_t>(op)]; }

bool potentially_unstable(Op op) { return entry(op).potentially_unstable; }
std::string_view symbol(Op op) {
  const std::string_view symbol = entry(op).symbol;
  return symbol.data() ? symbol : name(op);
}

double evaluate(Op op, double a, double b, double c) { return entry(op).native.binary64(a, b, c); }
float evaluate32(Op op, float a, float b, float c) { return entry(op).native.binary32(a, b, c); }
long double evaluate80(Op op, long double a, long double b, long double c) {
  return entry(op).native.extended80(a, b, c);
}

numeric::Value evaluate(Op op, numeric::Format format, numeric::Value a, numeric::Value b, numeric::Value c) {
  switch (numeric::carrier(format)) {
  case numeric::Format::binary32:
    return numeric::nearest(evaluate32(op, float(a), float(b), float(c)), format);
  case numeric::Format::binary64:
    return evaluate(op, double(a), double(b), double(c));
  default:
    return evaluate80(op, a, b, c);
  }
}

void evaluate(Op op, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) {
  // Repeated squaring in exact arithmetic may reach numbers far beyond all formats. They would exhaust memory, and MPFR
  // would end the process. The result is then unknown.
  constexpr mpfr_exp_t most_bits = 1 << 20;
  const auto huge = [](mpfr_srcptr x) { return mpfr_regular_p(x) && mpfr_get_exp(x) > most_bits; };
  if (has(op, trait::reduces) && (huge(a) || (is_complex_part(op) && huge(b))))
    mpfr_set_nan(result);
  else
    entry(op).big(result, a, b, c);
}

Gradient partials(Op op, double a, double b, double c, double result) {
  return without_nan(entry(op).partials(a, b, c, result));
}

Gradient conditions(Op op, double a, double b, double c, double result) {
  return without_nan(entry(op).conditions(a, b, c, result));
}

double danger(Op op, double a, double b, double c, double result) { return entry(op).danger(a, b, c, result); }

} // namespace faultline::ops
