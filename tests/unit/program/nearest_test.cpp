#include "base/error.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

using Names = std::vector<std::string>;

TEST(Nearest, OffersWhatASlipCouldHaveMeant) {
  const Names names{"--threshold", "--seed", "--size", "--strategy"};
  EXPECT_EQ(base::nearest("--treshold", names).front(), "--threshold");
  EXPECT_EQ(base::nearest("--thr", names), Names{"--threshold"}) << "the beginning of a name";
  EXPECT_EQ(base::nearest("frobnicate the whole thing", names), Names{});
  EXPECT_LE(base::nearest("--s", names, 2).size(), 2u);
  EXPECT_EQ(base::nearest(std::string(100000, 'x'), names), Names{});
}

TEST(Nearest, OffersNoWordThatIsAnother) {
  const Names operations{"floor", "fmod", "fma", "sin", "x"};
  EXPECT_EQ(base::nearest("foo", operations), Names{});
  EXPECT_EQ(base::nearest("y", operations), Names{});
  EXPECT_EQ(base::nearest("flor", operations), Names{"floor"});
  EXPECT_EQ(base::nearest("sni", operations), Names{"sin"}) << "two letters that changed places are one slip";
  EXPECT_EQ(base::nearest("", operations), Names{});
}

TEST(Nearest, CaseIsNoDifference) {
  EXPECT_EQ(base::nearest("ROOT", {"boot", "root", "Root"}), (Names{"Root", "root", "boot"}));
  EXPECT_EQ(base::nearest("ROOT", {"heron", "root"}), Names{"root"});
}

} // namespace
} // namespace faultline::program
