// Ready-made meanings against values that mpmath gives, computed from definitions: integrals, series, closed forms.
// Those of GSL are compared in gsl_meanings_test.cpp.
#include "known_c.h"
#include "known_cpp_fortran.h"

#include "oracle/meaning/catalogue.h"
#include "oracle/meaning/evaluation.h"
#include "oracle/meaning/parser.h"

#include <gtest/gtest.h>
#include <set>
#include <string_view>

namespace faultline::test {
namespace {

// All that are known.
std::vector<KnownMeaning> known() {
  std::vector<KnownMeaning> all(std::begin(known_c), std::end(known_c));
  all.insert(all.end(), std::begin(known_cpp_fortran), std::end(known_cpp_fortran));
  return all;
}

// The entry of this name with as many inputs, all of which can be what it takes.
const oracle::CatalogueEntry* entry_for(const KnownMeaning& one) {
  for (const oracle::CatalogueEntry* entry : oracle::catalogue_entries()) {
    const model::Target target = oracle::target_of(*entry);
    if (std::string_view(entry->name) != one.function || std::string_view(entry->output) != one.output ||
        target.inputs.size() != one.inputs.size())
      continue;
    bool fits = true;
    for (size_t i = 0; i < one.inputs.size(); ++i)
      fits = fits && (target.inputs[i].type.floating || one.inputs[i] == (long double)(long)(one.inputs[i]));
    if (fits)
      return entry;
  }
  return nullptr;
}

const oracle::ReadyMeaning* ready_for(const oracle::CatalogueEntry& entry,
                                      const std::vector<oracle::ReadyMeaning>& ready) {
  const size_t output = *entry.output ? size_t(entry.output[1] - '0') : 0;
  for (const oracle::ReadyMeaning& one : ready)
    if (one.output == output)
      return &one;
  return nullptr;
}

TEST(Catalogue, AgreesWithDefinitions) {
  for (const KnownMeaning& one : known()) {
    const oracle::CatalogueEntry* entry = entry_for(one);
    ASSERT_NE(entry, nullptr) << one.function;
    const std::vector<oracle::ReadyMeaning> all = oracle::ready_meanings(oracle::target_of(*entry));
    const oracle::ReadyMeaning* ready = ready_for(*entry, all);
    ASSERT_NE(ready, nullptr) << one.function;
    const oracle::MeaningValue value = oracle::evaluate(oracle::parse_meaning(ready->expression, ready->names),
                                                        ready->names, one.inputs, numeric::Format::binary64);
    ASSERT_EQ(value.kind, oracle::MeaningValue::Kind::value) << one.function << ": " << value.why;
    numeric::BigFloat wanted(200), difference(200);
    mpfr_set_str(wanted.raw(), one.value, 10, MPFR_RNDN);
    mpfr_sub(difference.raw(), value.reference.value.raw(), wanted.raw(), MPFR_RNDN);
    EXPECT_LT(difference.log2_magnitude(), wanted.log2_magnitude() - 60)
        << one.function << " = " << value.reference.value.to_string(25) << ", not " << one.value;
  }
}

TEST(Catalogue, IsAllCompared) {
  std::set<std::string> compared;
  for (const KnownMeaning& one : known())
    compared.insert(one.function + std::string(one.output) + std::to_string(one.inputs.size()));
  for (const oracle::CatalogueEntry* entry : oracle::catalogue_entries())
    if (!std::string_view(entry->name).starts_with("gsl_"))
      EXPECT_TRUE(compared.contains(entry->name + std::string(entry->output) +
                                    std::to_string(oracle::target_of(*entry).inputs.size())))
          << entry->name;
}

TEST(Catalogue, EveryExpressionIsRead) {
  for (const oracle::CatalogueEntry* entry : oracle::catalogue_entries())
    for (const oracle::ReadyMeaning& ready : oracle::ready_meanings(oracle::target_of(*entry)))
      EXPECT_NO_THROW(oracle::parse_meaning(ready.expression, ready.names)) << entry->name;
}

model::Target target(const char* name, size_t inputs, numeric::Format format = numeric::Format::binary64) {
  model::Target made;
  made.function = made.symbol = name;
  for (size_t i = 0; i < inputs; ++i)
    made.inputs.push_back({"x" + std::to_string(i), {.format = format}});
  made.outputs.push_back({"return", {.format = format}});
  return made;
}

TEST(Catalogue, DemandsTheSignature) {
  EXPECT_EQ(oracle::ready_meanings(target("erf", 1)).size(), 1u);
  EXPECT_TRUE(oracle::ready_meanings(target("erf", 2)).empty());
  EXPECT_TRUE(oracle::ready_meanings(target("erf", 1, numeric::Format::binary32)).empty());
  EXPECT_EQ(oracle::ready_meanings(target("erff", 1, numeric::Format::binary32)).size(), 1u);
  EXPECT_TRUE(oracle::ready_meanings(target("erff", 1)).empty());
  EXPECT_TRUE(oracle::ready_meanings(target("jn", 2)).empty()); // an integer and a double
  EXPECT_TRUE(oracle::ready_meanings(target("dgamma", 1)).empty());
  EXPECT_EQ(oracle::ready_meanings(target("dgamma_", 1)).size(), 1u);
  EXPECT_TRUE(oracle::ready_meanings(target("gamma", 1)).empty());
  model::Target gamma = target("gamma", 1);
  gamma.file = "/src/cephes/gamma.c";
  EXPECT_EQ(oracle::ready_meanings(gamma).size(), 1u);
}

TEST(Catalogue, FindsTheValueOfGslsStruct) {
  model::Target made = target("gsl_sf_bessel_J0_e", 1);
  made.outputs = {{"return", {.floating = false}}, {"result.val", {}}, {"result.err", {}}};
  const std::vector<oracle::ReadyMeaning> ready = oracle::ready_meanings(made);
  ASSERT_EQ(ready.size(), 1u);
  EXPECT_EQ(ready[0].output, 1u);
}

} // namespace
} // namespace faultline::test
