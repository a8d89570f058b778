#include "base/process.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline::base {
namespace {

TEST(Program, SaysHowItEndedAndWhatItSaid) {
  const ProgramEnd end = run({"sh", "-c", "echo one; echo two >&2; exit 3"}, {10});
  EXPECT_TRUE(end.started);
  EXPECT_EQ(end.status, 3);
  EXPECT_FALSE(end.succeeded());
  EXPECT_EQ(end.output, "one\ntwo\n");
  EXPECT_TRUE(run({"true"}, {10}).succeeded());
  EXPECT_EQ(run({"sh", "-c", "kill -SEGV $$"}, {10}).signal, SIGSEGV);
}

TEST(Program, AMissingProgramIsNoFailureOfTheProgram) { EXPECT_FALSE(run({"there-is-no-such-program"}, {10}).started); }

TEST(Program, DoesNotOutliveItsTimeEvenWithItsOutputClosed) {
  for (const char* script : {"sleep 60", "exec >&- 2>&-; sleep 60", "sleep 60 & wait"}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(run({"sh", "-c", script}, {0.2}).timed_out) << script;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << script;
  }
}

TEST(Program, ALotOfOutputNeitherBlocksNorFillsMemory) {
  const ProgramEnd end = run({"head", "-c", "5000000", "/dev/zero"}, {20});
  EXPECT_TRUE(end.succeeded());
  EXPECT_LE(end.output.size(), size_t(1) << 20);
}

TEST(Program, IsNotStartedIfThePreparationRefuses) {
  try {
    run({"true"}, {}, {.prepare = [] { return std::string("not today"); }});
    FAIL();
  } catch (const StartRefused& refused) {
    EXPECT_STREQ(refused.what(), "not today");
  }
}

TEST(Program, HasItsVariablesFolderAndLimits) {
  const ProgramEnd end = run({"sh", "-c", "pwd; echo $BASE_TEST; ulimit -v"}, {},
                             {.directory = "/usr", .environment = {"BASE_TEST=one two"}, .memory = uint64_t(1) << 30});
  EXPECT_EQ(end.output, "/usr\none two\n1048576\n");
}

// Every end of the pipe that is not named would keep its reader waiting.
TEST(Process, GetsTheDescriptorsThatAreNamedAndNoOthers) {
  Pipe first, second, hidden;
  ASSERT_EQ(fcntl(hidden.writing.number(), F_SETFD, 0), 0);
  Process process = Process::copy(
      [&] {
        const bool open = fcntl(hidden.writing.number(), F_GETFD) >= 0 && hidden.writing.number() > 4;
        return write_all(3, open ? "open" : "one") && write_all(4, "two") ? 0 : 1;
      },
      {.kept = {first.writing.number(), second.writing.number()}});
  EXPECT_TRUE(process.wait().succeeded());
  char text[8] = {};
  ASSERT_EQ(read(first.reading.number(), text, sizeof text), 3);
  EXPECT_STREQ(text, "one");
  ASSERT_EQ(read(second.reading.number(), text, sizeof text), 3);
  EXPECT_STREQ(text, "two");
}

TEST(Process, DiesWithTheProcessThatStartedIt) {
  Pipe line;
  Process parent = Process::copy(
      [] {
        Process child = Process::copy([] { return pause(); }, {.kept = {ProcessOptions::first_kept}});
        write_all(ProcessOptions::first_kept, "x");
        return pause();
      },
      {.kept = {line.writing.number()}});
  line.writing.close();
  char text[2];
  ASSERT_EQ(read(line.reading.number(), text, sizeof text), 1);
  parent.kill();
  EXPECT_EQ(read(line.reading.number(), text, sizeof text), 0); // the child has closed its end, too
}

TEST(Process, IsKilledWithItsGroupWhenItsValueGoes) {
  Pipe line;
  {
    const Process process = Process::start({"sh", "-c", "sleep 60 & echo x >&3; wait"},
                                           {.kept = {line.writing.number()}, .own_group = true});
    line.writing.close();
    char text[2];
    ASSERT_EQ(read(line.reading.number(), text, sizeof text), 2);
  }
  char text[2];
  EXPECT_EQ(read(line.reading.number(), text, sizeof text), 0);
}

TEST(Process, AnEndIsAwaitedForAsLongAsIsAsked) {
  Process process = Process::start({"sleep", "60"});
  EXPECT_FALSE(process.wait(0.01));
  EXPECT_FALSE(process.poll());
  process.send(SIGTERM);
  const std::optional<ProcessEnd> end = process.wait(20);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGTERM);
}

} // namespace
} // namespace faultline::base
