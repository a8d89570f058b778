#include "frontend/error.h"

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

TEST(Nearest, OffersNoWordThatIsAnother) {
  const Names operations{"floor", "fmod", "fma", "sin", "x"};
  EXPECT_EQ(nearest("foo", operations), Names{});
  EXPECT_EQ(nearest("y", operations), Names{});
  EXPECT_EQ(nearest("flor", operations), Names{"floor"});
  EXPECT_EQ(nearest("sni", operations), Names{"sin"}) << "two letters that changed places are one slip";
  EXPECT_EQ(nearest("", operations), Names{});
}

TEST(Nearest, CaseIsNoDifference) {
  EXPECT_EQ(nearest("ROOT", {"boot", "root", "Root"}), (Names{"Root", "root", "boot"}));
  EXPECT_EQ(nearest("ROOT", {"heron", "root"}), Names{"root"});
}

} // namespace
} // namespace faultline::frontend
