// The lifter alone, with the calls that instrumented code would make.
#include "runtime/lift.h"

#include "runtime/abi.h"
#include "runtime/tape_memory.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::runtime {
namespace {

using numeric::Format;
using ops::Op;

SiteTable table_of(std::initializer_list<Site> sites) {
  SiteTable table;
  table.sites.resize(first_program_site);
  table.sites.insert(table.sites.end(), sites);
  return table;
}
constexpr uint32_t site = first_program_site;

struct Lift : testing::Test {
  void start(std::initializer_list<Site> sites, long precision = 128) {
    table = table_of(sites);
    table.constants = {{3, Format::binary64}};
    lifter = std::make_unique<Lifter>(table, precision);
    begin_run();
    lifter->begin(__builtin_frame_address(0), 1'000'000'000);
  }
  uint32_t leaf(long double value) { return lifter->leaf(value, Format::extended80); }

  SiteTable table;
  std::unique_ptr<Lifter> lifter;
};

TEST_F(Lift, AnOperationIsExactWhereTheMachineRounds) {
  start({{Op::fadd, Format::binary64, Format::binary64, "", "", 0, 0},
         {Op::fsub, Format::binary64, Format::binary64, "", "", 0, 0}});
  uint32_t large = leaf(1e16L);
  uint32_t sum = lifter->operation(site, large, leaf(1), 0);
  EXPECT_EQ(lifter->native(sum), 1e16L); // what memory holds
  EXPECT_EQ(lifter->native(lifter->operation(site + 1, sum, large, 0)), 1);
}

TEST_F(Lift, ConstantsAreOperands) {
  start({{Op::fdiv, Format::binary64, Format::binary64, "", "", 0, 0}});
  EXPECT_EQ(lifter->native(lifter->operation(site, leaf(1), constant_flag | 0, 0)), 1.0 / 3);
}

TEST_F(Lift, NativeValuesAreRoundedToTheFormatOfTheSite) {
  start({{Op::fdiv, Format::binary32, Format::binary32, "", "", 0, 0},
         {Op::fdiv, Format::binary64, Format::binary64, "", "", 0, 0},
         {Op::fdiv, Format::extended80, Format::extended80, "", "", 0, 0}});
  EXPECT_EQ(lifter->native(lifter->operation(site, leaf(1), leaf(3), 0)), 1.0f / 3);
  EXPECT_EQ(lifter->native(lifter->operation(site + 1, leaf(1), leaf(3), 0)), 1.0 / 3);
  EXPECT_EQ(lifter->native(lifter->operation(site + 2, leaf(1), leaf(3), 0)), 1.0L / 3);
}

TEST_F(Lift, NativeValuesUnderflowAndOverflowAsTheFormatDoes) {
  start({{Op::fmul, Format::binary32, Format::binary32, "", "", 0, 0}});
  EXPECT_EQ(lifter->native(lifter->operation(site, leaf(0x1p-100L), leaf(0x1.8p-49L), 0)),
            0x1p-148L); // a tie of subnormals
  EXPECT_TRUE(std::isinf(lifter->native(lifter->operation(site, leaf(0x1p100L), leaf(0x1p100L), 0))));
}

TEST_F(Lift, EveryComparisonIsDecidedAsItsNameSays) {
  for (int op = int(Op::cmp_oeq); op <= int(Op::cmp_uno); ++op) {
    start({{Op(op), Format::binary64, Format::binary64, "", "", 0, 0}});
    const long double nan = std::nanl("");
    for (auto [a, b] : {std::pair<long double, long double>{1, 2},
                        {2, 1},
                        {1, 1},
                        {nan, 1},
                        {1, nan},
                        {0.0L, -0.0L},
                        {INFINITY, INFINITY}}) {
      const bool unordered = a != a || b != b;
      const std::string name(ops::name(Op(op)));
      bool expected = false;
      if (name == "cmp_ord" || name == "cmp_uno") {
        expected = (name == "cmp_uno") == unordered;
      } else {
        const std::string relation = name.substr(5);
        expected = relation == "eq"   ? a == b
                   : relation == "ne" ? a < b || a > b
                   : relation == "lt" ? a < b
                   : relation == "le" ? a <= b
                   : relation == "gt" ? a > b
                                      : a >= b;
        expected = expected || (unordered && name[4] == 'u');
      }
      EXPECT_EQ(lifter->compare(site, leaf(a), leaf(b)), expected) << name << " " << a << " " << b;
      EXPECT_EQ(lifter->decisions().back().outcome, expected);
    }
  }
}

TEST_F(Lift, ThePathDependsOnEveryDecision) {
  start({{Op::cmp_olt, Format::binary64, Format::binary64, "", "", 0, 0}});
  auto path = [&](std::initializer_list<long double> values) {
    lifter->begin(__builtin_frame_address(0), 1000);
    for (long double value : values)
      lifter->compare(site, leaf(value), leaf(0));
    return lifter->path();
  };
  EXPECT_EQ(path({-1, 1, 1}), path({-2, 3, 4}));
  EXPECT_NE(path({-1, 1, 1}), path({1, -1, 1}));
  EXPECT_NE(path({-1, 1}), path({-1, 1, 1}));
}

TEST_F(Lift, IntegersOutOfRangeStayWhatTheMachineMadeOfThem) {
  start({{Op::to_int, Format::binary64, Format::binary64, "", "", 0, 0}});
  EXPECT_EQ(lifter->to_int(site, leaf(-7.9L), 0), -7);
  EXPECT_EQ(lifter->to_int(site, leaf(1e30L), INT64_MIN), INT64_MIN);
  EXPECT_EQ(lifter->to_int(site, leaf(std::nanl("")), 5), 5);
}

TEST_F(Lift, CountsOperationsAgainstTheLimit) {
  start({{Op::fadd, Format::binary64, Format::binary64, "", "", 0, 0}});
  lifter->begin(__builtin_frame_address(0), 2);
  uint32_t one = leaf(1);
  lifter->operation(site, one, one, 0);
  lifter->operation(site, one, one, 0);
  EXPECT_FALSE(lifter->over_limit());
  lifter->operation(site, one, one, 0);
  EXPECT_TRUE(lifter->over_limit());
}

TEST_F(Lift, ValuesInMemoryOutliveACollection) {
  start({{Op::fadd, Format::binary64, Format::binary64, "", "", 0, 0}});
  static double cell;
  set_shadow(&cell, leaf(0.625L));
  for (int i = 0; i < 3'000'000; ++i) {
    volatile uint32_t lost = leaf(i);
    (void)lost;
  }
  uint32_t index = shadow_index(&cell);
  ASSERT_NE(index, 0u);
  EXPECT_EQ(lifter->native(index), 0.625L);
}

} // namespace
} // namespace faultline::runtime
