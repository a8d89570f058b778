// What a worker cannot do, whatever the code under test tries.
#include "../temporary_folder.h"
#include "jobs.h"

#include "base/landlock.h"
#include "exec/guard.h"
#include "exec/sandbox.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

struct Deed {
  std::string name;
  long (*attempt)(const char* file);
  int refused_with = EPERM;
};
void PrintTo(const Deed& deed, std::ostream* stream) { *stream << deed.name; }

class Sandbox : public testing::TestWithParam<Deed> {};

TEST_P(Sandbox, Refuses) {
  test::TemporaryFolder folder;
  const std::string file = folder.write("kept.txt", "kept");
  const Ended ended = run([&](Channel& line) {
    errno = 0;
    const long result = GetParam().attempt(file.c_str());
    line.send(fmt::format("{} {}", result, errno));
  });
  ASSERT_EQ(ended.messages, std::vector<std::string>{fmt::format("-1 {}", GetParam().refused_with)});
  EXPECT_EQ(ended.ends, std::vector<bool>{true});
  EXPECT_EQ(folder.read("kept.txt"), "kept");
  EXPECT_FALSE(std::filesystem::exists(folder.path("kept.txt.new")));
  expect_no_child();
}

std::string beside(const char* file) { return std::string(file) + ".new"; }

// Signals are number 0: asked for, never sent, should the filter be missing.
INSTANTIATE_TEST_SUITE_P(
    All, Sandbox,
    testing::Values(
        Deed{"opening_for_writing", [](const char* file) -> long { return open(file, O_WRONLY); }, EROFS},
        Deed{"opening_for_reading_and_writing", [](const char* file) -> long { return open(file, O_RDWR); }, EROFS},
        Deed{"creating", [](const char* file) -> long { return open(beside(file).c_str(), O_CREAT | O_WRONLY, 0600); },
             EROFS},
        Deed{"creating_the_old_way",
             [](const char* file) -> long { return syscall(SYS_creat, beside(file).c_str(), 0600); }, EROFS},
        Deed{"opening_by_the_newest_call",
             [](const char* file) -> long {
               unsigned long how[3] = {O_WRONLY, 0, 0};
               return syscall(SYS_openat2, AT_FDCWD, file, how, sizeof how);
             }},
        Deed{"removing", [](const char* file) -> long { return unlink(file); }},
        Deed{"renaming", [](const char* file) -> long { return rename(file, beside(file).c_str()); }},
        Deed{"truncating", [](const char* file) -> long { return truncate(file, 0); }},
        Deed{"making_a_folder", [](const char* file) -> long { return mkdir(beside(file).c_str(), 0700); }},
        Deed{"changing_permissions", [](const char* file) -> long { return chmod(file, 0); }},
        Deed{"linking", [](const char* file) -> long { return symlink(file, beside(file).c_str()); }},
        Deed{"forking", [](const char*) -> long { return syscall(SYS_fork); }},
        Deed{"forking_through_the_library", [](const char*) -> long { return fork(); }},
        Deed{"executing",
             [](const char*) -> long {
               char* none[] = {nullptr};
               return execve("/bin/true", none, none);
             }},
        Deed{"opening_a_socket", [](const char*) -> long { return socket(AF_INET, SOCK_STREAM, 0); }},
        Deed{"opening_a_local_socket", [](const char*) -> long { return socket(AF_UNIX, SOCK_STREAM, 0); }},
        Deed{"killing_the_parent", [](const char*) -> long { return kill(getppid(), 0); }},
        Deed{"killing_everybody", [](const char*) -> long { return kill(-1, 0); }},
        Deed{"killing_its_group", [](const char*) -> long { return kill(0, 0); }},
        Deed{"killing_a_thread_of_the_parent", [](const char*) -> long { return syscall(SYS_tkill, getppid(), 0); }},
        Deed{"being_traced", [](const char*) -> long { return syscall(SYS_ptrace, 0, 0, 0, 0); }},
        Deed{"reading_a_file", [](const char* file) -> long { return open(file, O_RDONLY); }, EACCES},
        Deed{"reading_a_folder", [](const char*) -> long { return open("/", O_RDONLY | O_DIRECTORY); }, EACCES},
        Deed{"reading_its_own_memory", [](const char*) -> long { return open("/proc/self/mem", O_RDONLY); }, EACCES},
        Deed{"reading_the_supervisors_environment",
             [](const char*) -> long { return open(fmt::format("/proc/{}/environ", getppid()).c_str(), O_RDONLY); },
             EACCES},
        Deed{"having_signals_sent_to_the_parent", [](const char*) -> long { return fcntl(3, F_SETOWN, getppid()); }},
        Deed{"having_signals_sent_to_a_group",
             [](const char*) -> long {
               f_owner_ex group = {F_OWNER_PGRP, getppid()};
               return fcntl(3, F_SETOWN_EX, &group);
             }},
        Deed{"choosing_the_signal", [](const char*) -> long { return fcntl(3, F_SETSIG, SIGKILL); }},
        Deed{"asking_for_signals", [](const char*) -> long { return fcntl(3, F_SETFL, O_ASYNC); }},
        Deed{"asking_for_signals_by_another_call",
             [](const char*) -> long {
               int on = 1;
               return ioctl(3, FIOASYNC, &on);
             }},
        Deed{"locking_a_file",
             [](const char*) -> long {
               struct flock lock = {};
               return fcntl(1, F_SETLK, &lock);
             }},
        Deed{"typing_into_a_terminal", [](const char*) -> long { return ioctl(0, TIOCSTI, "x"); }},
        Deed{"taking_a_terminal", [](const char*) -> long { return ioctl(0, TIOCSCTTY, 1); }},
        Deed{"changing_the_attributes_of_a_file",
             [](const char*) -> long {
               int flags = FS_IMMUTABLE_FL;
               return ioctl(0, FS_IOC_SETFLAGS, &flags);
             }},
        Deed{"poisoning_memory", [](const char*) -> long { return madvise(nullptr, 0, 100); }},
        Deed{"taking_memory_from_the_machine", [](const char*) -> long { return madvise(nullptr, 0, 101); }},
        Deed{"raising_its_limits_by_an_address_with_a_zero_half",
             [](const char*) -> long {
               void* where = mmap(reinterpret_cast<void*>(0x100000000), 4096, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
               *static_cast<rlimit*>(where) = {RLIM_INFINITY, RLIM_INFINITY};
               return syscall(SYS_prlimit64, 0, RLIMIT_AS, where, nullptr);
             }},
        Deed{"raising_its_limits",
             [](const char*) -> long {
               rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
               return setrlimit(RLIMIT_AS, &all);
             }}),
    [](const auto& info) { return info.param.name; });

TEST(Worker, ReadsTheFoldersThatItMayReadAndNoOthers) {
  if (!base::has_landlock())
    GTEST_SKIP() << "this kernel cannot tell paths apart";
  test::TemporaryFolder folder, other;
  const std::string file = folder.write("text.txt", "read me"), secret = other.write("secret.txt", "no");
  WorkerLimits limits;
  limits.confinement.readable = {folder.path("")};
  const Ended ended = run(
      [&](Channel& line) {
        char text[8] = {};
        const int descriptor = open(file.c_str(), O_RDONLY);
        const bool whole = read(descriptor, text, 7) == 7;
        line.send(fmt::format("{} {} {} {}", whole, text, open(secret.c_str(), O_RDONLY), open(file.c_str(), O_RDWR)));
      },
      limits);
  EXPECT_EQ(ended.messages, std::vector<std::string>{"true read me -1 -1"});
}

TEST(Worker, MaySignalItselfAndAskWhatATerminalIs) {
  const Ended ended = run([&](Channel& line) {
    std::signal(SIGUSR1, SIG_IGN);
    const int answer = kill(getpid(), SIGUSR1);
    line.send(fmt::format("{} {} {} {}", answer, isatty(1), errno == ENOTTY, fcntl(1, F_GETFL) >= 0));
  });
  EXPECT_EQ(ended.messages, std::vector<std::string>{"0 0 true true"});
}

TEST(Worker, HasNoMoreMemoryThanItsLimit) {
  WorkerLimits limits;
  limits.memory = 64u << 20;
  const Ended ended = run(
      [](Channel& line) {
        auto get = [](size_t bytes) {
          return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
        };
        line.send(fmt::format("{} {}", get(16u << 20), get(128u << 20)));
      },
      limits);
  EXPECT_EQ(ended.messages, std::vector<std::string>{"true false"});
}

TEST(Worker, WritesToNobodysTerminal) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Ended ended = run([](Channel& line) {
    const bool written = write(1, "noise", 5) == 5 && write(2, "noise", 5) == 5;
    std::printf("noise\n");
    std::fflush(stdout);
    char c;
    line.send(fmt::format("{} {}", written, read(0, &c, 1)));
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(ended.messages, std::vector<std::string>{"true 0"}) << "and reads nothing";
}

TEST(Worker, SeesNoDescriptorOfTheSupervisor) {
  const int descriptor = open("/dev/null", O_RDWR); // as the output file of a hunt would be
  ASSERT_GT(descriptor, 2);
  const Ended ended = run([](Channel& line) {
    std::string open_ones;
    for (int i = 0; i < 64; ++i)
      if (fcntl(i, F_GETFD) >= 0)
        open_ones += fmt::format("{} ", i);
    line.send(open_ones);
  });
  close(descriptor);
  EXPECT_EQ(ended.messages, std::vector<std::string>{"0 1 2 3 "});
}

} // namespace
} // namespace faultline::exec
