// A compiler that does not come to its own end: its limits of time, memory and output. Shell commands stand for it.
#include "program/compiling/compiler_process.h"

#include "../temporary_folder.h"

#include "base/error.h"

#include <chrono>
#include <gtest/gtest.h>

namespace faultline::program {
namespace {

std::string complaint_about(const std::vector<std::string>& command, const CompilerLimits& limits) {
  try {
    run_compiler(command, "", "f.c", limits);
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_inconclusive);
    return error.what();
  }
  return "no complaint";
}

TEST(CompilerProcess, IsStoppedWhenItsTimeIsUp) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(complaint_about({"sleep", "60"}, {.seconds = 0.2}),
            "f.c: the compiler was stopped after 0.2 s, which is its limit");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST(CompilerProcess, IsStoppedWithWhatItHasStarted) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(complaint_about({"sh", "-c", "sleep 60 & wait"}, {.seconds = 0.2}),
            "f.c: the compiler was stopped after 0.2 s, which is its limit");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

// Ten million macros: some gigabytes.
TEST(CompilerProcess, GetsNoMoreMemoryThanItsLimit) {
  const std::vector<std::string> command = {
      "sh", "-c",
      "printf '#define A(x) x x x x x x x x x x\\n#define B(x) A(A(A(A(A(A(A(x)))))))\\nint i = 0 B(+1);' |"
      " exec clang-19 -x c -c -o - -"};
  EXPECT_EQ(complaint_about(command, {.memory = uint64_t(1) << 29}),
            "f.c: the compiler needs more than 512 MiB of memory, which is its limit");
}

TEST(CompilerProcess, WritesNoMoreThanItsLimit) {
  EXPECT_EQ(complaint_about({"sh", "-c", "exec head -c 9000000 /dev/zero"}, {.output = 1 << 20}),
            "f.c: the compiler writes more than 1 MiB, which is its limit");
}

TEST(CompilerProcess, IsStartedAgainIfSomebodyKillsIt) {
  const test::TemporaryFolder folder;
  const std::string once = "[ -e seen ] || { touch seen; kill -9 $$; }; echo done";
  EXPECT_EQ(run_compiler({"sh", "-c", once}, folder.path(), "f.c").output, "done\n");
}

// Harnesses are left out, and files, if they do not compile; not for this.
TEST(CompilerProcess, ThatIsKilledAgainAndAgainSaysNothingAboutTheFile) {
  EXPECT_THROW(run_compiler({"sh", "-c", "kill -9 $$"}, "", "f.c"), CompilerKilled);
}

TEST(CompilerProcess, HasItsOwnStatusWithinItsLimits) {
  const CompilerRun run = run_compiler({"sh", "-c", "echo words; echo complaints >&2; exit 3"}, "", "f.c");
  EXPECT_EQ(run.status, 3);
  EXPECT_EQ(run.output, "words\n");
  EXPECT_EQ(run.errors, "complaints\n");
}

} // namespace
} // namespace faultline::program
