#include "frontend/names/nearest.h"

#include <gtest/gtest.h>

namespace faultline::frontend {
namespace {

using Names = std::vector<std::string>;

TEST(Nearest, OffersWhatASlipCouldHaveMeant) {
  const Names names{"--threshold", "--seed", "--size", "--strategy"};
  EXPECT_EQ(nearest("--treshold", names).front(), "--threshold");
  EXPECT_EQ(nearest("--thr", names), Names{"--threshold"}) << "the beginning of a name";
  EXPECT_EQ(nearest("frobnicate the whole thing", names), Names{});
  EXPECT_LE(nearest("--s", names, 2).size(), 2u);
  EXPECT_EQ(nearest(std::string(100000, 'x'), names), Names{});
}

} // namespace
} // namespace faultline::frontend
