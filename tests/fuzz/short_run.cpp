#include "short_run.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::fuzz {
namespace {

enum class Ending { read, refused, surprised };

std::string shown(const std::string& text) { return text.substr(0, 4000); }

Ending run(Target target, const std::string& text) {
  try {
    target(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    return Ending::read;
  } catch (const base::UserError&) {
    return Ending::refused;
  } catch (const std::exception& surprise) {
    ADD_FAILURE() << surprise.what() << "\nwith\n" << shown(text);
  }
  return Ending::surprised;
}

} // namespace

void expect_no_surprise(Target target, const Material& material, Mutate mutate, const ShortRun& limits) {
  for (const std::string& seed : material.seeds)
    ASSERT_EQ(run(target, seed), Ending::read) << "a seed is no good:\n" << shown(seed);
  numeric::Rng rng(1);
  size_t read = 0, refused = 0;
  for (size_t i = 0; i < limits.mutants; ++i)
    switch (run(target, mutate(material, rng))) {
    case Ending::read:
      ++read;
      break;
    case Ending::refused:
      ++refused;
      break;
    case Ending::surprised:
      return; // one is enough
    }
  EXPECT_GE(read, limits.read);
  EXPECT_GE(refused, limits.refused);
}

} // namespace faultline::fuzz
