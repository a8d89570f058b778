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

TEST(ArgumentBlock, ReadingBehindOneArrayDoesNotFindAnother) {
  exec::Session session =
      test::open_text("double f(int n, const double* a, const double* b) {\n"
                      "  double s = 0;\n  for (int i = 0; i < n; ++i) s += a[i];\n  return s + b[0];\n}",
                      ".c", "f", {.sizes = {{"a", {3}}, {"b", {3}}}});
  EXPECT_EQ(session.run({3, 1, 2, 4, 8, 0, 0}).outputs[0].value, 15);
  EXPECT_EQ(session.run({4, 1, 2, 4, 8, 0, 0}).outcome, exec::Outcome::overrun);
}

TEST(ArgumentBlock, WhatIsWrittenBeforeAnArrayIsGoneInTheNextRun) {
  exec::Session session =
      test::open_text("double f(int n, double* a) { a[-1] += n; return a[-1]; }", ".c", "f", {.sizes = {{"a", {3}}}});
  EXPECT_EQ(session.run({1, 0, 0, 0}).outputs[0].value, 1);
  EXPECT_EQ(session.run({1, 0, 0, 0}).outputs[0].value, 1);
}

} // namespace
} // namespace faultline
