#include "solve/interval/monotone.h"

#include "constraint/evaluate.h"
#include "numeric/random.h"
#include "solve/interval/propagation.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::BinaryFormat;
using constraint::Bits;
using ops::Op;

constexpr BinaryFormat eight_bits{4, 4}, four_bits{2, 2};

Domain point(BinaryFormat format, Bits bits) { return only(constraint::float_sort(format), bits); }
bool has(const Domain& domain, BinaryFormat format, Bits bits) {
  return format.is_nan(bits) ? domain.nan : domain.numbers.has(format.order(bits));
}

// A box around the point: sometimes the point, sometimes all, sometimes in between.
Domain around(BinaryFormat format, Bits bits, numeric::Rng& rng) {
  const Domain all = whole(constraint::float_sort(format));
  if (rng.below(8) == 0)
    return all;
  const bool nan = format.is_nan(bits);
  const Int128 centre = nan ? Int128(rng.below(uint64_t(format.highest()))) : format.order(bits);
  const uint64_t spread = uint64_t(1) << rng.below(8);
  Domain domain{{std::max(format.lowest(), centre - Int128(rng.below(spread))),
                 std::min(format.highest(), centre + Int128(rng.below(spread)))},
                nan || rng.below(4) == 0};
  if (nan && rng.coin())
    domain.numbers = {};
  return domain;
}

std::string shown(const Domain& domain) {
  return "[" + std::to_string(long(domain.numbers.low)) + ", " + std::to_string(long(domain.numbers.high)) + "]" +
         (domain.nan ? " or NaN" : "");
}

std::string shown(const Scope& scope) {
  return shown(scope.result) + " from " + shown(scope.operands[0]) + ", " + shown(scope.operands[1]);
}

class EveryOperation : public testing::TestWithParam<Op> {};
class EveryOperationOfTwo : public testing::TestWithParam<Op> {};

// Every pair of operands of the 8-bit format is a solution of r = a op b; none may be lost, whatever the boxes are.
TEST_P(EveryOperation, KeepsEverySolutionOfAn8BitFormat) {
  const Op op = GetParam();
  const bool two = ops::arity(op) == 2;
  numeric::Rng rng(11);
  for (unsigned a = 0; a < 256; ++a)
    for (unsigned b = 0; b < (two ? 256u : 1u); ++b)
      for (int box = 0; box < (two ? 2 : 60); ++box) {
        const Bits r = constraint::apply(op, eight_bits, a, b);
        const Scope before{around(eight_bits, r, rng), {around(eight_bits, a, rng), around(eight_bits, b, rng)}};
        Scope scope = before;
        project_operation(op, eight_bits, eight_bits, false, scope);
        filter_by_ulp_max(op, eight_bits, scope);
        ASSERT_TRUE(has(scope.result, eight_bits, r) && has(scope.operands[0], eight_bits, a) &&
                    (!two || has(scope.operands[1], eight_bits, b)))
            << ops::name(op) << " of " << a << ", " << b << " is " << unsigned(r) << "; " << shown(before) << " became "
            << shown(scope);
      }
}

// x op x, one term.
TEST_P(EveryOperationOfTwo, KeepsEverySolutionWithOneOperandTwice) {
  const Op op = GetParam();
  numeric::Rng rng(12);
  for (unsigned a = 0; a < 256; ++a)
    for (int box = 0; box < 200; ++box) {
      const Bits r = constraint::apply(op, eight_bits, a, a);
      Scope scope{around(eight_bits, r, rng), {around(eight_bits, a, rng)}};
      project_operation(op, eight_bits, eight_bits, true, scope);
      ASSERT_TRUE(has(scope.result, eight_bits, r) && has(scope.operands[0], eight_bits, a)) << ops::name(op) << a;
    }
}

const auto named = [](const auto& info) { return std::string(ops::name(info.param)); };
INSTANTIATE_TEST_SUITE_P(Operations, EveryOperationOfTwo,
                         testing::Values(Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::fmin, Op::fmax, Op::pow), named);
INSTANTIATE_TEST_SUITE_P(Operations, EveryOperation,
                         testing::Values(Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt, Op::fabs, Op::fneg, Op::fmin,
                                         Op::fmax, Op::floor, Op::ceil, Op::trunc, Op::round, Op::roundeven, Op::exp,
                                         Op::log, Op::log1p, Op::cbrt, Op::acos, Op::asin, Op::atan, Op::tanh, Op::erfc,
                                         Op::acosh, Op::remainder, Op::fmod, Op::sin, Op::pow),
                         named);

std::vector<Range> all_ranges(BinaryFormat format) {
  std::vector<Range> ranges;
  for (Int128 low = format.lowest(); low <= format.highest(); ++low)
    for (Int128 high = low; high <= format.highest(); ++high)
      ranges.push_back({low, high});
  return ranges;
}

// All boxes of a 4-bit format for both operands and a third of those for the result: nothing is lost, and for sums and
// differences the ends are solutions themselves, since monotone projections are as tight as intervals can be.
TEST(Projection, IsExactOnAllBoxesOfA4BitFormat) {
  const std::vector<Range> ranges = all_ranges(four_bits);
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv}) {
    size_t turn = 0;
    for (const Range& x : ranges)
      for (const Range& y : ranges) {
        const Range& z = ranges[turn++ * 7 % ranges.size()];
        Scope exact{{}, {}};
        for (Int128 a = x.low; a <= x.high; ++a)
          for (Int128 b = y.low; b <= y.high; ++b) {
            const Bits r = constraint::apply(op, four_bits, four_bits.at(a), four_bits.at(b));
            if (four_bits.is_nan(r) || !z.has(four_bits.order(r)))
              continue;
            exact.result = join(exact.result, point(four_bits, r));
            exact.operands[0] = join(exact.operands[0], point(four_bits, four_bits.at(a)));
            exact.operands[1] = join(exact.operands[1], point(four_bits, four_bits.at(b)));
          }
        const Scope before{{z, false}, {Domain{x, false}, Domain{y, false}}};
        Scope scope = before;
        project_operation(op, four_bits, four_bits, false, scope);
        const auto covers = [](const Domain& outer, const Domain& inner) {
          return inner.empty() || join(outer, inner) == outer;
        };
        ASSERT_TRUE(covers(scope.result, exact.result) && covers(scope.operands[0], exact.operands[0]) &&
                    covers(scope.operands[1], exact.operands[1]))
            << ops::name(op) << ": " << shown(before) << " became " << shown(scope) << ", exact is " << shown(exact);
        if (z == Range{four_bits.lowest(), four_bits.highest()} && !exact.result.empty()) {
          ASSERT_EQ(shown(scope.result), shown(exact.result)) << ops::name(op) << ": " << shown(before);
        }
      }
  }
}

TEST(Projection, ConversionsKeepEverySolution) {
  constexpr BinaryFormat narrow{3, 3}, longer{3, 5}, wider{5, 3};
  numeric::Rng rng(13);
  for (const auto& [from, to] :
       {std::pair(eight_bits, narrow), std::pair(narrow, eight_bits), std::pair(longer, wider)})
    for (unsigned a = 0; a < (1u << from.width()); ++a)
      for (int box = 0; box < 100; ++box) {
        const Bits r = numeric::converted(a, from, to);
        Scope scope{around(to, r, rng), {around(from, a, rng)}};
        project_operation(Op::fptrunc, from, to, false, scope);
        ASSERT_TRUE(has(scope.result, to, r) && has(scope.operands[0], from, a)) << a;
      }
}

class EveryDirection : public testing::TestWithParam<numeric::Rounding> {};
INSTANTIATE_TEST_SUITE_P(Directions, EveryDirection,
                         testing::Values(numeric::Rounding::nearest_away, numeric::Rounding::up,
                                         numeric::Rounding::down, numeric::Rounding::to_zero));

// As for nearest: every pair of operands of the 8-bit format, and x op x.
TEST_P(EveryDirection, KeepsEverySolutionOfAn8BitFormat) {
  numeric::Rng rng(16);
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv, Op::sqrt}) {
    const bool two = ops::arity(op) == 2;
    for (unsigned a = 0; a < 256; ++a)
      for (unsigned b = 0; b < (two ? 256u : 60u); ++b) {
        const bool twice = two && b % 16 == 0;
        const Bits second = twice ? a : b;
        const Bits r = constraint::apply_rounded(op, GetParam(), eight_bits, eight_bits, a, second);
        const Scope before{around(eight_bits, r, rng), {around(eight_bits, a, rng), around(eight_bits, second, rng)}};
        Scope scope = before;
        project_operation(op, eight_bits, eight_bits, twice, scope, GetParam());
        ASSERT_TRUE(has(scope.result, eight_bits, r) && has(scope.operands[0], eight_bits, a) &&
                    (!two || twice || has(scope.operands[1], eight_bits, second)))
            << ops::name(op) << " of " << a << ", " << unsigned(second) << " is " << unsigned(r) << "; "
            << shown(before) << " became " << shown(scope);
      }
  }
}

// All boxes of a 4-bit format for both operands: results are as tight as intervals can be.
TEST_P(EveryDirection, IsExactOnAllBoxesOfA4BitFormat) {
  const std::vector<Range> ranges = all_ranges(four_bits);
  const Range all{four_bits.lowest(), four_bits.highest()};
  for (const Op op : {Op::fadd, Op::fsub, Op::fmul, Op::fdiv})
    for (const Range& x : ranges)
      for (const Range& y : ranges) {
        Domain exact;
        for (Int128 a = x.low; a <= x.high; ++a)
          for (Int128 b = y.low; b <= y.high; ++b)
            if (const Bits r =
                    constraint::apply_rounded(op, GetParam(), four_bits, four_bits, four_bits.at(a), four_bits.at(b));
                !four_bits.is_nan(r))
              exact = join(exact, point(four_bits, r));
        Scope scope{{all, false}, {Domain{x, false}, Domain{y, false}}};
        project_operation(op, four_bits, four_bits, false, scope, GetParam());
        if (!exact.empty())
          ASSERT_EQ(shown(scope.result), shown(exact))
              << ops::name(op) << shown(Domain{x, false}) << shown(Domain{y, false});
      }
}

TEST_P(EveryDirection, ConversionsAndFmaKeepEverySolution) {
  constexpr BinaryFormat narrow{3, 3}, wider{5, 3};
  numeric::Rng rng(17);
  for (const auto& [from, to] : {std::pair(eight_bits, narrow), std::pair(eight_bits, wider)})
    for (unsigned a = 0; a < (1u << from.width()); ++a)
      for (int box = 0; box < 60; ++box) {
        const Bits r = constraint::apply_rounded(Op::fptrunc, GetParam(), from, to, a);
        Scope scope{around(to, r, rng), {around(from, a, rng)}};
        project_operation(Op::fptrunc, from, to, false, scope, GetParam());
        ASSERT_TRUE(has(scope.result, to, r) && has(scope.operands[0], from, a)) << a;
      }
  for (int i = 0; i < 10'000; ++i) {
    const Bits a = rng.below(256), b = rng.below(256), c = rng.below(256);
    const Bits r = constraint::apply_rounded(Op::fma, GetParam(), eight_bits, eight_bits, a, b, c);
    Scope scope{around(eight_bits, r, rng),
                {around(eight_bits, a, rng), around(eight_bits, b, rng), around(eight_bits, c, rng)}};
    project_operation(Op::fma, eight_bits, eight_bits, false, scope, GetParam());
    ASSERT_TRUE(has(scope.result, eight_bits, r) && has(scope.operands[0], eight_bits, a) &&
                has(scope.operands[1], eight_bits, b) && has(scope.operands[2], eight_bits, c))
        << unsigned(a) << " " << unsigned(b) << " " << unsigned(c);
  }
}

TEST(Projection, FmaKeepsEverySampledSolution) {
  numeric::Rng rng(14);
  for (int i = 0; i < 60'000; ++i) {
    const Bits a = rng.below(256), b = rng.below(256), c = rng.below(256);
    const Bits r = constraint::apply(Op::fma, eight_bits, a, b, c);
    Scope scope{around(eight_bits, r, rng),
                {around(eight_bits, a, rng), around(eight_bits, b, rng), around(eight_bits, c, rng)}};
    project_operation(Op::fma, eight_bits, eight_bits, false, scope);
    ASSERT_TRUE(has(scope.result, eight_bits, r) && has(scope.operands[0], eight_bits, a) &&
                has(scope.operands[1], eight_bits, b) && has(scope.operands[2], eight_bits, c))
        << unsigned(a) << " " << unsigned(b) << " " << unsigned(c);
  }
}

TEST(Projection, RelationsKeepEverySolution) {
  numeric::Rng rng(15);
  const constraint::Sort sort = constraint::float_sort(eight_bits);
  std::vector<constraint::Node> nodes;
  for (const Op op : {Op::cmp_oeq, Op::cmp_ogt, Op::cmp_oge, Op::cmp_olt, Op::cmp_ole, Op::cmp_one, Op::cmp_ord,
                      Op::cmp_ueq, Op::cmp_ugt, Op::cmp_uge, Op::cmp_ult, Op::cmp_ule, Op::cmp_une, Op::cmp_uno})
    nodes.push_back({constraint::Form::comparison, op, {}, constraint::boolean_sort, {}, 0});
  nodes.push_back({constraint::Form::same, Op::none, {}, constraint::boolean_sort, {}, 0});
  for (int tested = 0; tested <= int(constraint::Class::positive); ++tested)
    nodes.push_back(
        {constraint::Form::classification, Op::none, constraint::Class(tested), constraint::boolean_sort, {}, 0});
  for (const constraint::Node& node : nodes)
    for (unsigned a = 0; a < 256; ++a)
      for (unsigned b = 0; b < 256; ++b) {
        const Bits x = eight_bits.is_nan(a) ? eight_bits.nan() : Bits(a);
        const Bits y = eight_bits.is_nan(b) ? eight_bits.nan() : Bits(b);
        const Bits r = constraint::evaluate(node, sort, {x, y, 0});
        Scope scope{rng.coin() ? either_domain
                    : r        ? true_domain
                               : false_domain,
                    {around(eight_bits, a, rng), around(eight_bits, b, rng)}};
        project_relation(node, sort, scope);
        const bool second = node.form != constraint::Form::classification;
        ASSERT_TRUE(scope.result.numbers.has(Int128(r)) && has(scope.operands[0], eight_bits, a) &&
                    (!second || has(scope.operands[1], eight_bits, b)))
            << ops::name(node.op) << " " << int(node.tested) << " of " << a << ", " << b;
      }
}

TEST(UlpMax, BoundsTheTermsOfASmallSum) {
  // z = 1: nothing beyond 2^54 can have a neighbour that is one away.
  const BinaryFormat format = numeric::binary64;
  Scope scope{point(format, numeric::bits_of(1.0)),
              {whole(constraint::float_sort(format)), whole(constraint::float_sort(format))}};
  scope.result.nan = scope.operands[0].nan = scope.operands[1].nan = false;
  filter_by_ulp_max(Op::fadd, format, scope);
  EXPECT_EQ(numeric::double_of(format.at(scope.operands[0].numbers.high), format), 0x1p53);
  EXPECT_EQ(numeric::double_of(format.at(scope.operands[1].numbers.low), format), -0x1p53);
}

} // namespace
} // namespace faultline::solve
