// A fuse ends what takes too long, and nothing else.
#include "numeric/fuse.h"

#include <gtest/gtest.h>

namespace faultline::test {
namespace {

using numeric::BlownFuse;
using numeric::Fuse;

TEST(Fuse, WithoutOneNothingIsEnded) { EXPECT_NO_THROW(Fuse::check()); }

TEST(Fuse, HoldsWhileThereIsTime) {
  const Fuse fuse(3600);
  EXPECT_NO_THROW(Fuse::check());
}

TEST(Fuse, BlowsWhenTheTimeIsUp) {
  const Fuse fuse(-1);
  EXPECT_THROW(for (;;) Fuse::check(), BlownFuse);
}

TEST(Fuse, EndsWithItsScope) {
  { const Fuse fuse(0); }
  EXPECT_NO_THROW(Fuse::check());
}

TEST(Fuse, AnInnerOneCannotOutlastTheOuter) {
  const Fuse outer(0);
  {
    const Fuse inner(3600);
    EXPECT_THROW(for (;;) Fuse::check(), BlownFuse);
  }
  EXPECT_THROW(for (;;) Fuse::check(), BlownFuse);
}

TEST(Fuse, AnInnerOneThatBlewLeavesTheOuterAsItWas) {
  const Fuse outer(3600);
  {
    const Fuse inner(0);
    EXPECT_THROW(for (;;) Fuse::check(), BlownFuse);
  }
  EXPECT_NO_THROW(Fuse::check());
}

} // namespace
} // namespace faultline::test
