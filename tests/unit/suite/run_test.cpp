// Exit statuses and messages of everything that goes wrong before any suite is run.
#include "suite/bench.h"

#include "../temporary_folder.h"

#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

struct Ended {
  int status;
  std::string out, err;
};

Ended bench(std::vector<std::string> words) {
  words.insert(words.begin(), "faultline-bench");
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run(static_cast<int>(arguments.size()), arguments.data());
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

void expect_usage_error(const std::vector<std::string>& words, const std::string& message) {
  const Ended ended = bench(words);
  EXPECT_EQ(ended.status, 2) << message;
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(ended.err.starts_with("faultline: error: " + message)) << ended.err;
  EXPECT_NE(ended.err.find("\n  try: "), std::string::npos) << ended.err;
}

TEST(Benches, HelpIsAResult) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"}, {"gsl", "--help"}, {"smt", "-h"}}) {
    const Ended ended = bench(words);
    EXPECT_EQ(ended.status, 0);
    EXPECT_NE(ended.out.find("Examples:"), std::string::npos) << words[0];
    EXPECT_EQ(ended.err, "");
  }
}

TEST(Benches, ThatCannotBeRunAreRefused) {
  const test::TemporaryFolder folder;
  expect_usage_error({}, "no suite given");
  expect_usage_error({"gls"}, "there is no suite 'gls'");
  expect_usage_error({"gsl", folder.path("")}, folder.path("") + ": there is no gsl.bc in this folder");
  expect_usage_error({"gsl", "--strategy", "auto,fast"}, "--strategy auto,fast: there is no strategy 'fast'");
  expect_usage_error({"gsl", "--compare", "random,random"}, "--compare random,random: random is given twice");
  expect_usage_error({"gsl", "--strategy", "none", "--compare", "none"}, "there is nothing to do");
  expect_usage_error({"gsl", "--arguments", "2"}, "--arguments 2: is not a number of arguments");
  expect_usage_error({"gsl", "--evals", "0"}, "--evals 0: must not be 0");
  expect_usage_error({"gsl", "-o", folder.path("x.txt")}, "-o " + folder.path("x.txt") + ": the ending does not say");
  expect_usage_error({"gsl", "--", "-O2"}, "bench takes no compiler flags");
}

} // namespace
} // namespace faultline::suite
