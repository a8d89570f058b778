#include "solve/child.h"

#include <csignal>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace faultline::solve {
namespace {

TEST(Child, AnAnswerComesBackWhole) {
  const numeric::Bits large = numeric::Bits{7} << 100;
  const Result sat = run_in_child([&] { return Result{.answer = Answer::sat, .model = {1, large}}; }, {});
  EXPECT_EQ(sat.answer, Answer::sat);
  ASSERT_EQ(sat.model.size(), 2u);
  EXPECT_EQ(sat.model[0], numeric::Bits(1));
  EXPECT_TRUE(sat.model[1] == large);
  EXPECT_EQ(run_in_child([] { return Result{.answer = Answer::unsat}; }, {}).answer, Answer::unsat);
  EXPECT_EQ(run_in_child([] { return Result{.reason = "because"}; }, {}).reason, "because");
  // More than a pipe holds.
  const Result many =
      run_in_child([] { return Result{.answer = Answer::sat, .model = constraint::Model(50'000, 3)}; }, {});
  EXPECT_EQ(many.model, constraint::Model(50'000, 3));
}

TEST(Child, ACrashIsNoAnswerAndHarmsNobody) {
  const Result crashed = run_in_child(
      [] {
        raise(SIGSEGV);
        return Result{.answer = Answer::unsat};
      },
      {});
  EXPECT_EQ(crashed.answer, Answer::unknown);
  EXPECT_NE(crashed.reason.find("died"), std::string::npos);
  const Result left = run_in_child([]() -> Result { _exit(7); }, {});
  EXPECT_EQ(left.answer, Answer::unknown);
  EXPECT_FALSE(left.reason.empty());
}

TEST(Child, AnExceptionIsTheReason) {
  const Result thrown = run_in_child([]() -> Result { throw std::runtime_error("not today"); }, {});
  EXPECT_EQ(thrown.answer, Answer::unknown);
  EXPECT_EQ(thrown.reason, "not today");
}

TEST(Child, WorkWithoutEndIsKilled) {
  const Result slow = run_in_child(
      []() -> Result {
        for (;;)
          std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      {.seconds = 0.05});
  EXPECT_EQ(slow.answer, Answer::unknown);
  EXPECT_EQ(slow.reason, "out of time");
}

TEST(Child, MemoryHasALimit) {
  const Result large = run_in_child(
      [] {
        std::vector<char> much(size_t{1} << 30, 'x');
        volatile char* kept = much.data(); // or the compiler removes the unused memory
        return Result{.answer = kept[5] == 'x' ? Answer::unsat : Answer::sat};
      },
      {.memory = uint64_t{256} << 20});
  EXPECT_EQ(large.answer, Answer::unknown);
  EXPECT_EQ(large.reason, "out of memory");
}

TEST(Child, WhatItPrintsDoesNotReachTheUser) {
  testing::internal::CaptureStdout();
  run_in_child(
      [] {
        (void)!write(STDOUT_FILENO, "noise", 5);
        return Result{};
      },
      {});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

} // namespace
} // namespace faultline::solve
