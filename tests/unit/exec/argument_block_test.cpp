// Code that takes a pointer to one number for an array must not write over our own memory.
#include "../session_fixture.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(ArgumentBlock, AnArrayWrittenThroughAPointerToOneNumberIsCaught) {
  exec::Session session =
      test::open_text("void f(double x, double* r) { for (int i = 0; i < 4096; ++i) r[i] = x * i; }");
  EXPECT_EQ(session.run({2}).outcome, exec::Outcome::overrun);
}

TEST(ArgumentBlock, TheSessionGoesOnAfterAnOverrun) {
  exec::Session session = test::open_text(
      "void f(double x, double* r) { r[0] = x + 1; for (int i = 0; x > 5 && i < 4096; ++i) r[i] = i; }");
  EXPECT_EQ(session.run({6}).outcome, exec::Outcome::overrun);
  const exec::Run run = session.run({2});
  EXPECT_EQ(run.outcome, exec::Outcome::returned);
  EXPECT_EQ(run.outputs[0].value, 3);
}

} // namespace
} // namespace faultline
