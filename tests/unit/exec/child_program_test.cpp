#include "exec/child_program.h"

#include "../temporary_folder.h"
#include "exec/native_program.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace faultline::exec {
namespace {

constexpr uint64_t memory = uint64_t(1) << 30;

TEST(ChildProgram, SaysHowItEndedAndWhatItSaid) {
  const ChildEnd end = run_program({"sh", "-c", "echo one; echo two >&2; exit 3"}, {10});
  EXPECT_TRUE(end.started);
  EXPECT_EQ(end.status, 3);
  EXPECT_FALSE(end.succeeded());
  EXPECT_EQ(end.output, "one\ntwo\n");
  EXPECT_TRUE(run_program({"true"}, {10}).succeeded());
  EXPECT_EQ(run_program({"sh", "-c", "kill -SEGV $$"}, {10}).signal, SIGSEGV);
}

TEST(ChildProgram, AMissingProgramIsNoFailureOfTheProgram) {
  EXPECT_FALSE(run_program({"there-is-no-such-program"}, {10}).started);
}

TEST(ChildProgram, DoesNotOutliveItsTimeEvenWithItsOutputClosed) {
  for (const char* script : {"sleep 60", "exec >&- 2>&-; sleep 60", "sleep 60 & wait"}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(run_program({"sh", "-c", script}, {0.2}).timed_out) << script;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << script;
  }
}

TEST(ChildProgram, ALotOfOutputNeitherBlocksNorFillsMemory) {
  const ChildEnd end = run_program({"head", "-c", "5000000", "/dev/zero"}, {20});
  EXPECT_TRUE(end.succeeded());
  EXPECT_LE(end.output.size(), size_t(1) << 20);
}

TEST(ChildProgram, OneThatIsConfinedCannotWriteFilesOrStartProcesses) {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("written");
  EXPECT_FALSE(run_program({"touch", file}, {10, memory}).succeeded());
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(run_program({"sh", "-c", "true; /bin/true; true"}, {10, memory}).succeeded());
  EXPECT_TRUE(run_program({"echo", "hello"}, {10, memory}).succeeded());
  EXPECT_TRUE(run_program({"touch", file}, {10}).succeeded()) << "a compiler has to";
}

TEST(NativeProgram, SaysInOneLineWhyThereIsNone) {
  const NativeProgram broken("no bitcode", "int main(void) { return 0; }", MainProgram::c);
  EXPECT_FALSE(broken.problem().empty());
  EXPECT_EQ(broken.problem().find('\n'), std::string::npos);
}

} // namespace
} // namespace faultline::exec
