// Ready-made meanings of GSL's functions against the references of bench gsl, which were written apart from them: what
// both know must be the same, and what is a pole or outside of the domain for one must be no number for the other.
#include "benchmarks/gsl/reference.h"
#include "numeric/random.h"
#include "oracle/meaning/catalogue.h"
#include "oracle/meaning/evaluation.h"
#include "oracle/meaning/parser.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace faultline::test {
namespace {

using benchmarks::Exact;
using oracle::MeaningValue;

constexpr int samples = 60;

// Everyday numbers of every size, halves, and now and then anything.
double draw(numeric::Rng& rng) {
  const uint64_t sort = rng.below(10);
  const double sign = rng.below(3) == 0 ? -1 : 1;
  if (sort == 0)
    return sign * double(rng.below(80)) / 2;
  if (sort == 1)
    return sign * std::ldexp(rng.uniform(1, 2), int(rng.below(2000)) - 1000);
  if (sort < 5)
    return sign * rng.uniform(0, 1.2);
  return sign * std::ldexp(rng.uniform(1, 2), int(rng.below(20)) - 10);
}

bool agree(const numeric::BigFloat& a, const numeric::BigFloat& b) {
  if (a == b)
    return true;
  numeric::BigFloat difference(128);
  mpfr_sub(difference.raw(), a.raw(), b.raw(), MPFR_RNDN);
  // What neither overflows nor underflows a double is compared; beyond that both are an infinity or nothing.
  const double size = std::max(a.log2_magnitude(), b.log2_magnitude());
  return size < -1080 || (size > 1100 && a.is_negative() == b.is_negative()) || difference.log2_magnitude() < size - 60;
}

struct Tally {
  int values = 0, only_reference = 0, only_meaning = 0;
};

void compare(const std::string& function, size_t arguments, Tally& tally, int count) {
  for (const oracle::CatalogueEntry* entry : oracle::catalogue_entries()) {
    if (entry->name != function)
      continue;
    const frontend::Target target = oracle::target_of(*entry);
    const std::vector<oracle::ReadyMeaning> ready = oracle::ready_meanings(target);
    ASSERT_EQ(ready.size(), 1u) << function;
    const oracle::Expression expression = oracle::parse_meaning(ready[0].expression, ready[0].names);
    numeric::Rng rng = numeric::Rng(1).fork(function);
    for (int i = 0; i < count; ++i) {
      std::vector<double> values;
      std::vector<long double> inputs;
      for (const frontend::Cell& cell : target.inputs) {
        const double value = cell.type.floating ? draw(rng) : double(rng.below(12));
        const bool mode = cell.name == "mode";
        inputs.push_back(mode ? 0 : value);
        if (!mode)
          values.push_back(value);
      }
      ASSERT_EQ(values.size(), arguments) << function;
      const Exact exact = benchmarks::gsl_reference(function, values);
      const MeaningValue mine = oracle::evaluate(expression, ready[0].names, inputs, numeric::Format::binary64);
      std::string at = function;
      for (const double value : values)
        at += fmt::format(" {}", value);
      if (exact.kind == Exact::Kind::value && mine.kind == MeaningValue::Kind::value) {
        ++tally.values;
        EXPECT_TRUE(agree(exact.value, mine.reference.value))
            << at << ": " << mine.reference.value.to_string(20) << " for " << exact.value.to_string(20);
      }
      const bool known = exact.kind != Exact::Kind::unknown && mine.kind != MeaningValue::Kind::unknown;
      const bool has_value = exact.kind == Exact::Kind::value, mine_has = mine.kind == MeaningValue::Kind::value;
      if (known && has_value && !mine_has) {
        ++tally.only_reference;
        ADD_FAILURE() << at << ": the meaning says " << mine.why << ", the reference " << exact.value.to_string(20);
      }
      if (known && !has_value && mine_has) {
        ++tally.only_meaning; // GSL's own domain may be smaller: there it reports an error, and nothing is judged
        if (getenv("FAULTLINE_VERBOSE"))
          fmt::print("{}: only the meaning has a value, {}\n", at, mine.reference.value.to_string(10));
      }
      if (mine.kind == MeaningValue::Kind::unknown && has_value && getenv("FAULTLINE_VERBOSE"))
        fmt::print("{}: unknown: {}\n", at, mine.why);
    }
  }
}

TEST(MeaningAgreement, OfEveryFunctionOfTheSuite) {
  Tally tally;
  int functions = 0;
  for (const benchmarks::GslReference& reference : benchmarks::gsl_references()) {
    const int before = tally.values;
    compare(reference.function, size_t(reference.arguments), tally, reference.arguments == 1 ? samples : samples / 2);
    functions += tally.values > before;
    if (reference.arguments == 1)
      EXPECT_GT(tally.values, before + samples / 8) << reference.function << " is hardly compared";
    else if (getenv("FAULTLINE_VERBOSE") && tally.values == before)
      fmt::print("{}: no meaning\n", reference.function);
  }
  EXPECT_GE(functions, 107);
  fmt::print("{} functions, {} values; only the reference {}, only the meaning {}\n", functions, tally.values,
             tally.only_reference, tally.only_meaning);
}

} // namespace
} // namespace faultline::test
