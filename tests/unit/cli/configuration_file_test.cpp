#include "cli/configuration_file.h"

#include "../temporary_folder.h"
#include "base/error.h"

#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline::cli {
namespace {

using Words = std::vector<std::string>;
using test::TemporaryFolder;

hunt::Configuration read(const std::string& text) {
  TemporaryFolder folder;
  return read_configuration(folder.write("faultline.toml", text));
}

// "line:column: what | hint"
std::string refusal(const std::string& text) {
  TemporaryFolder folder;
  const std::string path = folder.write("faultline.toml", text);
  try {
    read_configuration(path);
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with(path + ":")) << what;
    return what.substr(std::min(what.size(), path.size() + 1)) + " | " + error.hint;
  }
  return "accepted";
}

void expect_refused(const std::string& text, const std::string& place, const std::string& says) {
  const std::string message = refusal(text);
  EXPECT_TRUE(message.starts_with(place + ": ")) << text << "\n" << message;
  EXPECT_NE(message.find(says), std::string::npos) << text << "\n" << message;
}

TEST(ConfigurationFile, EveryKeyIsAnOptionOfTheCommandLine) {
  const hunt::Configuration file = read(R"(
threshold = 1e-6
budget = "500ms"
seed = 7
for = ["error", "exceptions"]
strategy = "bracket"
flags = ["-DN=8"]
range = "-1:1"
[function."gsl_sf_*"]
range = { x = "0:1e3", y = [0, 1.5], "A[3]" = [-1, 0] }
hold = { mode = 0, t = 0.1 }
size = { A = 32, B = [4, 4], C = "2x3" }
format = { x = "binary32" }
alias = { y = "x" }
output = ["result.val"]
bound = "result.err"
bound-factor = 10
ulps = 4
evals = 100000
floor = 1e-30
nonzero = true
oracle = "replay"
skip = false
loss-bits = 20
)");
  EXPECT_EQ(file.flags, Words{"-DN=8"});
  EXPECT_EQ(file.all.value("threshold"), "1e-06");
  EXPECT_EQ(file.all.value("budget"), "500ms");
  EXPECT_EQ(file.all.value("seed"), "7");
  EXPECT_EQ(file.all.value("for"), "error,exceptions");
  EXPECT_EQ(file.all.value("strategy"), "bracket");
  EXPECT_EQ(file.all.values("range"), Words{"-1:1"});
  ASSERT_EQ(file.sections.size(), 1u);
  EXPECT_EQ(file.sections[0].functions, "gsl_sf_*");
  const model::RawSettings& own = file.sections[0].raw;
  EXPECT_EQ(own.values("range"), (Words{"A[3]=-1:0", "x=0:1e3", "y=0:1.5"}));
  EXPECT_EQ(own.values("hold"), (Words{"mode=0", "t=0.1"}));
  EXPECT_EQ(own.values("size"), (Words{"A=32", "B=4x4", "C=2x3"}));
  EXPECT_EQ(own.values("format"), Words{"x=binary32"});
  EXPECT_EQ(own.values("alias"), Words{"y=x"});
  EXPECT_EQ(own.values("output"), Words{"result.val"});
  EXPECT_EQ(own.values("bound"), Words{"result.err"});
  EXPECT_EQ(own.value("bound-factor"), "10");
  EXPECT_EQ(own.value("ulps"), "4");
  EXPECT_EQ(own.value("evals"), "100000");
  EXPECT_EQ(own.value("floor"), "1e-30");
  EXPECT_EQ(own.value("nonzero"), "true");
  EXPECT_EQ(own.value("oracle"), "replay");
  EXPECT_EQ(own.value("skip"), "false");
  EXPECT_EQ(own.value("loss-bits"), "20");
}

TEST(ConfigurationFile, SectionsKeepTheirOrder) {
  const hunt::Configuration file =
      read("[function.z]\nseed = 1\n[function.a]\nseed = 2\n[function.\"m*\"]\nseed = 3\n");
  Words order;
  for (const hunt::Section& section : file.sections)
    order.push_back(section.functions);
  EXPECT_EQ(order, (Words{"z", "a", "m*"}));
}

TEST(ConfigurationFile, AnEmptyOneSaysNothing) {
  const hunt::Configuration file = read("# nothing yet\n");
  EXPECT_TRUE(file.sections.empty());
  EXPECT_TRUE(model::words_of(file.all).empty());
}

TEST(ConfigurationFile, PathsInItAreRelativeToIt) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("below"));
  folder.write("below/exact.c", "");
  const std::string path =
      folder.write("below/faultline.toml", "flags = [\"-Iinclude\"]\n[function.f]\nreference = \"exact.c:f\"\n");
  const hunt::Configuration file = read_configuration(path);
  EXPECT_EQ(file.flags, Words{"-Iinclude"}) << "options.cpp makes it relative to the folder, when it judges it";
  EXPECT_EQ(file.sections.at(0).raw.value("reference"), folder.path("below/exact.c") + ":f");
}

TEST(ConfigurationFile, AnUnknownKeyBringsTheNearestOnes) {
  expect_refused("seed = 1\nthresold = 1e-6\n", "2:1", "threshold");
  expect_refused("[function.f]\nrnage = { x = \"0:1\" }\n", "2:1", "range");
  expect_refused("[functions.f]\nseed = 1\n", "1:2", "function");
  expect_refused("site = [\"a.c:1\"]\n", "1:1", "unknown key 'site'");
  expect_refused("jobs = 4\n", "1:1", "unknown key 'jobs'");
  expect_refused("[function.f]\nflags = [\"-O3\"]\n", "2:1", "at the top");
}

TEST(ConfigurationFile, AValueThatTheCommandLineWouldRefuseIsRefusedWithItsPlace) {
  expect_refused("threshold = -1\n", "1:13", "threshold -1: is not a number above 0");
  expect_refused("threshold = nan\n", "1:13", "above 0");
  expect_refused("seed = 1.5\n", "1:8", "whole number");
  expect_refused("budget = \"soon\"\n", "1:10", "is not a time");
  expect_refused("strategy = \"magic\"\n", "1:12", "there is no such strategy");
  expect_refused("for = [\"error\", \"mistakes\"]\n", "1:7", "mistakes");
  expect_refused("[function.f]\nrange = { x = \"1:0\" }\n", "2:15", "low end is above");
  expect_refused("[function.f]\nrange = { x = [0] }\n", "2:15", "has no ':'");
  expect_refused("[function.f]\nsize = { A = 0 }\n", "2:14", "not a number of elements");
  expect_refused("[function.f]\nformat = { x = \"binary8\" }\n", "2:16", "not a float format");
  expect_refused("[function.f]\nreference = \"nowhere.c:f\"\n", "2:13", "no such file");
  expect_refused("oracle = \"delphi\"\n", "1:10", "no such oracle");
}

TEST(ConfigurationFile, AValueOfTheWrongTypeIsRefusedWithItsPlace) {
  expect_refused("threshold = true\n", "1:13", "not a number");
  expect_refused("threshold = 2020-01-01\n", "1:13", "a date or time");
  expect_refused("strategy = 3\n", "1:12", "not text");
  expect_refused("strategy = \"\"\n", "1:12", "empty");
  expect_refused("skip = \"yes\"\n", "1:8", "not true or false");
  expect_refused("for = []\n", "1:7", "empty list");
  expect_refused("output = [1]\n", "1:11", "not text");
  expect_refused("hold = 4\n", "1:8", "table of names");
  expect_refused("hold = { n = [1, 2] }\n", "1:14", "a list");
  expect_refused("range = { x = { low = 0 } }\n", "1:15", "a table");
  expect_refused("range = { x = [] }\n", "1:15", "empty list");
  expect_refused("range = { \"\" = \"0:1\" }\n", "1:11", "not a name");
  expect_refused("flags = 3\n", "1:9", "not text");
  expect_refused("function = 3\n", "1:12", "not a section");
  expect_refused("function.f = 3\n", "1:10", "not a section");
  expect_refused("[[function]]\n", "1:1", "not a section");
}

TEST(ConfigurationFile, MalformedTomlIsRefusedWithItsPlace) {
  expect_refused("seed = 1\nthreshold =\n", "2:12", "TOML");
  expect_refused("seed = 1\nseed = 2\n", "2:8", "TOML");
  expect_refused("[function.f\n", "1:12", "TOML");
  expect_refused("seed = 1\nrange = { y = [0, }1] }\nfloor = 1\n", "2:1", "TOML"); // an assertion of the library
  for (const std::string& text :
       {std::string("\xff\xfe\x00", 3), std::string("a\0b = 1", 7), std::string("\x80"),
        "x = " + std::string(5000, '['), "x = " + std::string(5000, '{'), std::string("\"\"\""),
        std::string("x = 1e999999999"), std::string("= ="), std::string("seed = 99999999999999999999")})
    EXPECT_NE(refusal(text), "accepted") << text.substr(0, 20);
}

TEST(ConfigurationFile, WhatCannotBeOneIsNotRead) {
  TemporaryFolder folder;
  EXPECT_THROW(read_configuration(folder.path("none.toml")), base::UserError);
  EXPECT_THROW(read_configuration(folder.path("")), base::UserError);
  const std::string huge = folder.write("huge.toml", "seed = 1\n");
  std::filesystem::resize_file(huge, 100 << 20);
  try {
    read_configuration(huge);
    FAIL() << "accepted";
  } catch (const base::UserError& error) {
    EXPECT_NE(std::string(error.what()).find("bytes"), std::string::npos) << error.what();
  }
}

TEST(NearestConfiguration, IsSoughtUpwardsFromTheSource) {
  TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("a/b/c"));
  std::filesystem::create_directories(folder.path("a/b/faultline.toml")); // a folder is none
  const std::string source = folder.write("a/b/c/f.c", ""), beside = folder.write("a/g.c", "");
  folder.write("faultline.toml", "");
  EXPECT_EQ(configuration_for({source}, {}), folder.path("faultline.toml"));
  folder.write("a/faultline.toml", "");
  EXPECT_EQ(configuration_for({source, beside}, {}), folder.path("a/faultline.toml"));
  folder.write("a/b/c/faultline.toml", "");
  EXPECT_EQ(configuration_for({source}, {}), folder.path("a/b/c/faultline.toml"));
  EXPECT_THROW(configuration_for({source, beside}, {}), base::UserError) << "two sets of settings for one program";
  model::RawSettings none, other, both;
  none.set("no-config", {"true"});
  other.set("config", {"other.toml"});
  both = other;
  both.set("no-config", {"true"});
  EXPECT_EQ(configuration_for({source}, none), "");
  EXPECT_EQ(configuration_for({source}, other), "other.toml");
  EXPECT_THROW(configuration_for({source}, both), base::UserError);
}

TEST(NearestConfiguration, OfAStrangerIsRefused) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  TemporaryFolder folder;
  const std::string source = folder.write("f.c", ""), file = folder.write("faultline.toml", "");
  constexpr uid_t stranger = 12345;
  ASSERT_EQ(chown(file.c_str(), stranger, gid_t(-1)), 0);
  EXPECT_THROW(configuration_for({source}, {}), base::UserError);
  model::RawSettings trusting;
  trusting.set("config", {file});
  EXPECT_EQ(configuration_for({source}, trusting), file);
  ASSERT_EQ(chown(source.c_str(), stranger, gid_t(-1)), 0);
  EXPECT_EQ(configuration_for({source}, {}), file) << "the owner of the source may";
}

} // namespace
} // namespace faultline::cli
