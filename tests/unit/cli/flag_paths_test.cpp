#include "cli/configuration_file.h"

#include <gtest/gtest.h>

namespace faultline::cli {
namespace {

using Words = std::vector<std::string>;

TEST(FlagPaths, AreThoseOfTheFolderThatTheFileIsIn) {
  EXPECT_EQ(flags_relative_to("lib", {"-Iinclude", "-I", "../include", "-isystem", "sys", "-include", "all.h"}),
            (Words{"-Ilib/include", "-I", "include", "-isystem", "lib/sys", "-include", "lib/all.h"}));
  EXPECT_EQ(flags_relative_to("lib", {"-isystemsys", "-iquoteq", "-Jmod", "-I."}),
            (Words{"-isystemlib/sys", "-iquotelib/q", "-Jlib/mod", "-Ilib/"}));
}

TEST(FlagPaths, LeaveEverythingElseAlone) {
  const Words flags{"-DN=8", "-O3", "-std=c++20", "-I/usr/include", "-isystem", "/opt", "-D", "include", "-ffast-math"};
  EXPECT_EQ(flags_relative_to("lib", flags), flags);
  EXPECT_EQ(flags_relative_to("", {"-Iinclude", "-I", "b"}), (Words{"-Iinclude", "-I", "b"}));
  EXPECT_EQ(flags_relative_to("lib", {"-I"}), Words{"-I"}) << "the compiler will complain";
}

} // namespace
} // namespace faultline::cli
