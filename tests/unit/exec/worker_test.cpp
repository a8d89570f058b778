// What a worker cannot do, whatever the code under test tries; and what its supervisor makes of its end.
#include "../temporary_folder.h"

#include "exec/guard.h"
#include "exec/sandbox.h"
#include "exec/worker.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

struct Ended {
  std::vector<std::string> messages;
  std::vector<Death> deaths;
  std::vector<bool> ends;
};

Job job_for(Ended& ended, std::function<void(Channel&)> work) {
  Job job;
  job.work = std::move(work);
  job.on_message = [&](std::string_view message) { ended.messages.emplace_back(message); };
  job.on_death = [&](const Death& death) { ended.deaths.push_back(death); };
  job.on_end = [&](bool completed) { ended.ends.push_back(completed); };
  return job;
}

Ended run(std::function<void(Channel&)> work, const WorkerLimits& limits = {}) {
  Ended ended;
  const std::atomic<bool> stop = false;
  std::vector<Job> jobs;
  jobs.push_back(job_for(ended, std::move(work)));
  run_jobs(std::move(jobs), 1, limits, stop, [] {});
  return ended;
}

void expect_no_child() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

struct Deed {
  std::string name;
  long (*attempt)(const char* file);
};
void PrintTo(const Deed& deed, std::ostream* stream) { *stream << deed.name; }

class Sandbox : public testing::TestWithParam<Deed> {};

TEST_P(Sandbox, RefusesWithPermissionDenied) {
  test::TemporaryFolder folder;
  const std::string file = folder.write("kept.txt", "kept");
  const Ended ended = run([&](Channel& line) {
    errno = 0;
    const long result = GetParam().attempt(file.c_str());
    line.send(fmt::format("{} {}", result, errno));
  });
  ASSERT_EQ(ended.messages, std::vector<std::string>{fmt::format("-1 {}", EPERM)});
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
        Deed{"opening_for_writing", [](const char* file) -> long { return open(file, O_WRONLY); }},
        Deed{"opening_for_reading_and_writing", [](const char* file) -> long { return open(file, O_RDWR); }},
        Deed{"creating", [](const char* file) -> long { return open(beside(file).c_str(), O_CREAT | O_WRONLY, 0600); }},
        Deed{"creating_the_old_way",
             [](const char* file) -> long { return syscall(SYS_creat, beside(file).c_str(), 0600); }},
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
        Deed{"raising_its_limits",
             [](const char*) -> long {
               rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
               return setrlimit(RLIMIT_AS, &all);
             }}),
    [](const auto& info) { return info.param.name; });

TEST(Worker, MayReadFilesAndSignalItself) {
  test::TemporaryFolder folder;
  const std::string file = folder.write("text.txt", "read me");
  const Ended ended = run([&](Channel& line) {
    char text[8] = {};
    const int descriptor = open(file.c_str(), O_RDONLY);
    const bool whole = read(descriptor, text, 7) == 7;
    std::signal(SIGUSR1, SIG_IGN);
    line.send(fmt::format("{} {} {}", whole, text, kill(getpid(), SIGUSR1)));
  });
  EXPECT_EQ(ended.messages, std::vector<std::string>{"true read me 0"});
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

// A call as a session announces it.
void announce(Channel& line, long double x) {
  line.flight->inputs = 1;
  line.flight->values[0] = x;
  line.flight->call = line.flight->call + 1;
  line.flight->running = 1;
}
bool skipped(const Channel& line) {
  return std::find(line.skip.begin(), line.skip.end(), uint64_t(line.flight->call)) != line.skip.end();
}

TEST(Worker, ThatDiesInACallStartsAgainWithoutIt) {
  const Ended ended = run([](Channel& line) {
    for (int i = 1; i <= 5; ++i) {
      announce(line, i);
      if (i % 2 == 0 && !skipped(line))
        kill(getpid(), SIGKILL);
      line.flight->running = 0;
      line.send(std::to_string(i));
    }
  });
  ASSERT_EQ(ended.deaths.size(), 2u);
  for (const Death& death : ended.deaths) {
    EXPECT_EQ(death.signal, SIGKILL);
    EXPECT_TRUE(death.in_call);
    EXPECT_FALSE(death.hung);
  }
  EXPECT_EQ(ended.deaths[0].input, Input{2});
  EXPECT_EQ(ended.deaths[1].input, Input{4});
  EXPECT_EQ(ended.messages, (std::vector<std::string>{"1", "1", "2", "3", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(ended.ends, std::vector<bool>{true});
  expect_no_child();
}

TEST(Worker, ThatDiesAgainAndAgainIsGivenUp) {
  WorkerLimits limits;
  limits.restarts = 3;
  const Ended ended = run(
      [](Channel& line) {
        for (int i = 1;; ++i) {
          announce(line, i);
          if (!skipped(line))
            kill(getpid(), SIGKILL);
        }
      },
      limits);
  EXPECT_EQ(ended.deaths.size(),
            5u); // the first, three restarts, and the last attempt, which is to stop before the first
  EXPECT_EQ(ended.ends, std::vector<bool>{false});
  expect_no_child();
}

TEST(Worker, ThatDiesOutsideOfACallIsNotStartedAgain) {
  const Ended ended = run([](Channel&) { kill(getpid(), SIGKILL); });
  ASSERT_EQ(ended.deaths.size(), 1u);
  EXPECT_FALSE(ended.deaths[0].in_call);
  EXPECT_EQ(ended.ends, std::vector<bool>{false});
}

TEST(Worker, WhoseMessagesAreCorruptIsNotWaitedForInVain) {
  const Ended ended = run([](Channel&) {
    const std::string garbage(1 << 20, '\xff'); // more than the pipe holds
    [[maybe_unused]] ssize_t written = write(3, garbage.data(), garbage.size());
  });
  EXPECT_TRUE(ended.messages.empty());
  EXPECT_EQ(ended.ends.size(), 1u);
  expect_no_child();
}

TEST(Worker, ThatHangsInACallIsKilled) {
  WorkerLimits limits;
  limits.silence_seconds = 0.3;
  const auto start = std::chrono::steady_clock::now();
  const Ended ended = run(
      [](Channel& line) {
        announce(line, 7);
        while (!skipped(line))
          pause();
        line.send("went on");
      },
      limits);
  ASSERT_EQ(ended.deaths.size(), 1u);
  EXPECT_TRUE(ended.deaths[0].hung);
  EXPECT_EQ(ended.deaths[0].input, Input{7});
  EXPECT_EQ(ended.messages, std::vector<std::string>{"went on"});
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5);
  expect_no_child();
}

TEST(Worker, SendsLongMessagesWhole) {
  std::string text(3'000'000, 'x');
  text += "end";
  const Ended ended = run([&](Channel& line) {
    line.send(text);
    line.send("");
    line.send("last");
  });
  EXPECT_EQ(ended.messages, (std::vector<std::string>{text, "", "last"}));
  EXPECT_EQ(ended.ends, std::vector<bool>{true});
}

TEST(Worker, AllJobsAreDoneInParallelOrNot) {
  for (int parallel : {1, 2, 5}) {
    std::vector<Ended> ended(4);
    std::vector<Job> jobs;
    for (size_t i = 0; i < ended.size(); ++i)
      jobs.push_back(job_for(ended[i], [i](Channel& line) { line.send(std::to_string(i)); }));
    const std::atomic<bool> stop = false;
    int idle = 0;
    run_jobs(std::move(jobs), parallel, {}, stop, [&] { ++idle; });
    for (size_t i = 0; i < ended.size(); ++i) {
      EXPECT_EQ(ended[i].messages, std::vector<std::string>{std::to_string(i)});
      EXPECT_EQ(ended[i].ends, std::vector<bool>{true});
    }
    EXPECT_GT(idle, 0);
    expect_no_child();
  }
}

TEST(Worker, IsKilledWhenTheHuntIsStopped) {
  Ended first, second;
  std::atomic<bool> stop = false;
  std::vector<Job> jobs;
  jobs.push_back(job_for(first, [](Channel& line) {
    line.send("here");
    for (;;)
      pause();
  }));
  jobs.push_back(job_for(second, [](Channel&) {}));
  run_jobs(std::move(jobs), 1, {}, stop, [&] { stop = !first.messages.empty(); });
  EXPECT_EQ(first.messages, std::vector<std::string>{"here"});
  EXPECT_EQ(first.ends, std::vector<bool>{false});
  EXPECT_EQ(second.ends, std::vector<bool>{false});
  expect_no_child();
}

} // namespace
} // namespace faultline::exec
