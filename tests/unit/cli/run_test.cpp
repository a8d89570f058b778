// Exit statuses and messages of everything that goes wrong before any code is compiled.
#include "cli/command_line.h"

#include "../../golden/sample_report.h"
#include "report/junit.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

struct Ended {
  int status;
  std::string out, err;
};

Ended faultline(std::vector<std::string> words) {
  words.insert(words.begin(), "faultline");
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run(static_cast<int>(arguments.size()), arguments.data());
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

void expect_usage_error(const std::vector<std::string>& words, const std::string& message) {
  const Ended ended = faultline(words);
  EXPECT_EQ(ended.status, 2) << message;
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(ended.err.starts_with("faultline: error: " + message)) << ended.err;
  EXPECT_NE(ended.err.find("\n  try: "), std::string::npos) << ended.err;
}

class Running : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "faultline-run-XXXXXX").string();
    ASSERT_TRUE(mkdtemp(name.data()));
    folder_ = name;
    std::ofstream(file("foo.c")) << "double foo(double x) { return x; }\n";
    std::ofstream(file("saved.json")) << report::json_text(golden::sample_report());
    std::ofstream(file("broken.json")) << "{\"faultline\": \"0.1.0\", \"schema\": 1, \"command\": 7}";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::filesystem::path folder_;
};

TEST_F(Running, HelpAndVersionAreResults) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"-h"},
                                                {"help"},
                                                {"hunt", "--help"},
                                                {"list", "-h"},
                                                {"explain", "--help"},
                                                {"replay", "--help"},
                                                {"report", "--help"},
                                                {"worker", "--help"}}) {
    const Ended ended = faultline(words);
    EXPECT_EQ(ended.status, 0);
    EXPECT_NE(ended.out.find("Examples:"), std::string::npos) << words[0];
    EXPECT_EQ(ended.err, "");
  }
  EXPECT_TRUE(faultline({"--version"}).out.starts_with("faultline "));
}

TEST_F(Running, HelpWithACommandIsItsHelp) {
  for (const std::string command : {"hunt", "list", "explain", "cover", "solve", "completion"}) {
    const Ended asked = faultline({"help", command});
    EXPECT_EQ(asked.status, 0);
    EXPECT_EQ(asked.out, faultline({command, "--help"}).out);
    EXPECT_NE(asked.out, faultline({"--help"}).out);
  }
  EXPECT_EQ(faultline({"help"}).out, faultline({"--help"}).out);
  EXPECT_EQ(faultline({"help", "help"}).out, faultline({"--help"}).out);
  expect_usage_error({"help", "hnut"}, "unknown command 'hnut'\n  try: hunt");
  expect_usage_error({"help", "nonsense"}, "unknown command 'nonsense'\n  try: one of hunt, ");
}

TEST_F(Running, TheGeneralHelpNamesEveryCommandAndEverySuite) {
  const std::string text = faultline({"--help"}).out;
  for (const Command& command : all_commands())
    EXPECT_NE(text.find(std::string("\n  ") + command.name + " "), std::string::npos) << command.name;
  for (const std::string& suite : words_of(Operand::suites))
    EXPECT_NE(text.find(suite), std::string::npos) << suite;
}

TEST_F(Running, WrongShells) {
  expect_usage_error({"completion"}, "no shell given");
  expect_usage_error({"completion", "ksh"}, "unknown shell 'ksh'\n  try: faultline completion bash, zsh or fish");
  expect_usage_error({"completion", "bash", "zsh"}, "unexpected word 'zsh'");
}

TEST_F(Running, WrongCommands) {
  expect_usage_error({}, "no command given");
  expect_usage_error({"hnt"}, "unknown command 'hnt'\n  try: hunt");
  expect_usage_error({"cover", "x.c"}, "x.c: no such file");
  expect_usage_error({"solve"}, "no problem given");
  expect_usage_error({"--"}, "unknown command '--'");
  expect_usage_error({""}, "unknown command ''");
}

TEST_F(Running, WrongHunts) {
  expect_usage_error({"hunt", file("fo.c")}, file("fo.c") + ": no such file\n  try: " + file("foo.c"));
  expect_usage_error({"hunt", file("foo.f90")}, file("foo.f90") + ": no such file\n  try: " + file("foo.c"));
  expect_usage_error({"hunt", file("far.c")}, file("far.c") + ": no such file\n  try: check the path");
  expect_usage_error({"hunt", file("foo.c"), "--range", "x=2:1"}, "--range x=2:1: the low end is above the high end");
  expect_usage_error({"hunt", file("foo.c"), "-o", file("no/x.json")},
                     "-o " + file("no/x.json") + ": cannot be written");
  expect_usage_error({"hunt", file("foo.c"), "-o", "x.pdf"}, "-o x.pdf: the ending does not say what to write");
  expect_usage_error({"explain", file("foo.c"), "--at", "x=1"}, "explain is for one function");
  expect_usage_error({"explain", file("foo.c"), "-f", "foo", "--at", "x=one"}, "--at x=one: 'one' is not a number");
  expect_usage_error({"list"}, "no source file given");
}

TEST_F(Running, SavedFindingsThatAreNone) {
  expect_usage_error({"replay"}, "no file of findings given");
  expect_usage_error({"replay", file("gone.json")}, file("gone.json") + ": No such file");
  expect_usage_error({"report", folder_.string()}, folder_.string() + ": is a folder");
  expect_usage_error({"replay", folder_.string()}, file("broken.json") + ": command: is number, not a list");
  expect_usage_error({"replay", file("foo.c")}, file("foo.c") + ": is not JSON");
  expect_usage_error({"report", file("broken.json")}, file("broken.json") + ": command: is number, not a list");
  expect_usage_error({"replay", file("saved.json")}, file("saved.json") + ": the saved command: foo.c: no such file");
  expect_usage_error({"replay", file("saved.json"), "more"}, "unexpected word 'more'");
  expect_usage_error({"replay", file("saved.json"), "--", "-O3"}, "replay takes no compiler flags");
}

TEST_F(Running, SavedFindingsAreRendered) {
  const Ended text = faultline({"report", file("saved.json")});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("1 error, 1 warning, 3 notes in 5 functions (5 findings)"), std::string::npos);
  EXPECT_EQ(faultline({"report", file("saved.json"), "-o", "-"}).out, report::json_text(golden::sample_report()));
}

} // namespace
} // namespace faultline::cli
