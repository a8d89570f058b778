// What a worker's supervisor makes of its end.
#include "jobs.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <unistd.h>

namespace faultline::exec {
namespace {

// A call as a session announces it.
void announce(Channel& line, long double x) {
  line.progress->inputs = 1;
  line.progress->values[0] = x;
  line.progress->call = line.progress->call + 1;
  line.progress->running = 1;
}
bool skipped(const Channel& line) {
  return std::find(line.skip.begin(), line.skip.end(), uint64_t(line.progress->call)) != line.skip.end();
}

TEST(Worker, ThatDiesInACallStartsAgainWithoutIt) {
  const Ended ended = run([](Channel& line) {
    for (int i = 1; i <= 5; ++i) {
      announce(line, i);
      if (i % 2 == 0 && !skipped(line))
        kill(getpid(), SIGKILL);
      line.progress->running = 0;
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

// The next worker runs what this one compiled, so nothing is taken that code under test could have written.
TEST(Worker, HandsOnObjectsThatWereMadeBeforeCodeRan) {
  const auto objects = std::make_shared<CompiledObjects>();
  const std::atomic<bool> stop = false;
  const auto run_one = [&](std::function<void(Channel&)> work) {
    bool completed = false;
    run_jobs({{.work = std::move(work),
               .on_message = [](std::string_view) { return true; },
               .on_death = [](const Death&) {},
               .on_end = [&](const JobEnd& end) { completed = end.completed; },
               .objects = objects}},
             1, {}, stop, [] {});
    return completed;
  };
  EXPECT_TRUE(run_one([](Channel&) {
    send_object({1, 2}, std::string(1 << 20, 'x'));
    code_begins();
    send_object({3, 4}, "late");
  }));
  ASSERT_NE(objects->find({1, 2}), nullptr);
  EXPECT_EQ(*objects->find({1, 2}), std::string(1 << 20, 'x'));
  EXPECT_EQ(objects->find({3, 4}), nullptr);
  EXPECT_TRUE(run_one([](Channel&) {
    if (!known_object({1, 2}) || known_object({3, 4}))
      std::abort();
  }));
  EXPECT_FALSE(run_one([](Channel&) {
    code_begins();
    const uint32_t forged[] = {~uint32_t(0) - 1, 16, 3, 0, 4, 0}; // what send_object would have written
    [[maybe_unused]] ssize_t written = write(3, forged, sizeof forged);
  }));
  EXPECT_EQ(objects->find({3, 4}), nullptr);
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

TEST(Worker, MayNotSendWhileItsConstructorsRun) {
  const Ended ended = run([](Channel& line) {
    code_begins();
    constructors_begin();
    line.send("done");
    _exit(0);
  });
  EXPECT_TRUE(ended.messages.empty());
  EXPECT_EQ(ended.corrupt, std::vector<std::string>{"static constructors wrote it"});
  EXPECT_EQ(ended.ends, std::vector<bool>{false});
  EXPECT_EQ(run([](Channel& line) {
              code_begins();
              constructors_begin();
              constructors_end();
              line.send("done");
            }).messages,
            std::vector<std::string>{"done"});
}

TEST(Worker, WhoseConstructorsEndItHasNotCompleted) {
  const Ended ended = run([](Channel&) {
    code_begins();
    constructors_begin();
    _exit(0);
  });
  ASSERT_EQ(ended.deaths.size(), 1u);
  EXPECT_TRUE(ended.deaths.front().in_constructors);
  EXPECT_EQ(ended.ends, std::vector<bool>{false});
}

TEST(Worker, SendsNoMoreThanItsJobAllows) {
  const auto run_with = [](size_t length, int messages) {
    Ended ended;
    const std::atomic<bool> stop = false;
    std::vector<Job> jobs;
    jobs.push_back(job_for(ended, [=](Channel& line) {
      for (int i = 0; i < messages; ++i)
        line.send(std::string(length, 'x'));
    }));
    jobs.back().longest_message = 1000;
    run_jobs(std::move(jobs), 1, {}, stop, [] {});
    return ended;
  };
  EXPECT_EQ(run_with(1000, 16).ends, std::vector<bool>{true});
  const Ended one_too_long = run_with(1001, 1), one_too_many = run_with(1000, 17);
  EXPECT_TRUE(one_too_long.messages.empty());
  EXPECT_EQ(one_too_many.messages.size(), 16u);
  for (const Ended& ended : {one_too_long, one_too_many}) {
    EXPECT_EQ(ended.corrupt.size(), 1u);
    EXPECT_EQ(ended.ends, std::vector<bool>{false});
  }
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
        line.progress->running = CallInProgress::nothing;
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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Worker, ThatSleepsIsKilledWhateverTheSharedMemorySays) {
  WorkerLimits limits;
  limits.asleep_seconds = 0.3;
  const auto start = std::chrono::steady_clock::now();
  const Ended ended = run(
      [](Channel& line) {
        announce(line, 7);
        line.progress->running = CallInProgress::nothing;
        for (;;)
          pause();
      },
      limits);
  ASSERT_EQ(ended.deaths.size(), 1u);
  EXPECT_TRUE(ended.deaths[0].hung);
  EXPECT_FALSE(ended.deaths[0].in_call);
  EXPECT_LT(seconds_since(start), 10);
  expect_no_child();
}

TEST(Worker, WhoseSharedMemoryIsWrittenOverCostsItsOwnResultAlone) {
  const Ended ended = run([](Channel& line) {
    std::fill_n(reinterpret_cast<volatile unsigned char*>(line.progress), sizeof(CallInProgress), 0xff);
    kill(getpid(), SIGKILL);
  });
  ASSERT_EQ(ended.deaths.size(), 1u);
  EXPECT_LE(ended.deaths[0].input.size(), CallInProgress::most_inputs);
  EXPECT_EQ(ended.ends, std::vector<bool>{false});
}

TEST(Worker, RestartsShareOneAllowance) {
  Ended ended;
  const std::atomic<bool> stop = false;
  std::vector<Job> jobs;
  jobs.push_back(job_for(ended, [](Channel& line) {
    code_begins();
    for (;;) { // calls of a tenth of a second each, of which each second one kills
      announce(line, 1);
      for (const auto start = std::chrono::steady_clock::now(); seconds_since(start) < 0.1;) {
      }
      if (line.progress->call % 2 == 0 && !skipped(line))
        kill(getpid(), SIGKILL);
    }
  }));
  jobs.back().seconds = 0.8;
  const auto start = std::chrono::steady_clock::now();
  run_jobs(std::move(jobs), 1, {}, stop, [] {});
  EXPECT_LT(seconds_since(start), 10);
  EXPECT_TRUE(ended.deaths.back().out_of_time);
  EXPECT_EQ(ended.ends, std::vector<bool>{false});
  expect_no_child();
}

TEST(Worker, ThatEndsItselfInACallHasNotCompleted) {
  WorkerLimits limits;
  limits.restarts = 0;
  const Ended ended = run(
      [](Channel& line) {
        announce(line, 3);
        _exit(0);
      },
      limits);
  ASSERT_EQ(ended.deaths.size(), 1u);
  EXPECT_TRUE(ended.deaths[0].in_call);
  EXPECT_EQ(ended.deaths[0].signal, 0);
  EXPECT_EQ(ended.ends, std::vector<bool>{false});
}

TEST(Worker, ThatSendsNonsenseEndsAndAnotherJobTakesItsPlace) {
  Ended first, second;
  const std::atomic<bool> stop = false;
  std::vector<Job> jobs;
  jobs.push_back(job_for(first, [](Channel& line) {
    for (;;)
      line.send("nonsense");
  }));
  jobs.back().on_message = [&](std::string_view message) {
    first.messages.emplace_back(message);
    return false;
  };
  jobs.back().then = [&](double) { return job_for(second, [](Channel& line) { line.send("sense"); }); };
  run_jobs(std::move(jobs), 1, {}, stop, [] {});
  EXPECT_EQ(first.messages.size(), 1u);
  EXPECT_EQ(first.ends, std::vector<bool>{false});
  EXPECT_EQ(second.messages, std::vector<std::string>{"sense"});
  EXPECT_EQ(second.ends, std::vector<bool>{true});
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
