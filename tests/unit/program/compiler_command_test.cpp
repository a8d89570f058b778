// What a compiler's command line does, and which of them are probes.
#include "program/capture/command.h"

#include "../temporary_folder.h"
#include "program/capture/wrapper.h"

#include <gtest/gtest.h>

namespace faultline::program {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> sources(const CompilerCommand& command) {
  Words files;
  for (const CompiledSource& source : command.sources)
    files.push_back(source.file);
  return files;
}

TEST(CompilerCommand, NamesTheObjectOfEachSource) {
  const CompilerCommand named = parse_command(Driver::cc, {"-O2", "-c", "src/a.c", "-o", "out/b.o"});
  EXPECT_EQ(named.kind, CommandKind::compile);
  EXPECT_EQ(named.sources.front().object, "out/b.o");
  const CompilerCommand usual = parse_command(Driver::cc, {"-c", "src/a.c", "b.c"});
  ASSERT_EQ(sources(usual), (Words{"src/a.c", "b.c"}));
  EXPECT_EQ(usual.sources[0].object, "a.o");
  EXPECT_EQ(usual.sources[1].object, "b.o");
}

TEST(CompilerCommand, KnowsWhichWordsAreValues) {
  const CompilerCommand command = parse_command(
      Driver::cc, {"-MF", "dep.c", "-T", "script.c", "-I", "inc.c", "-Xlinker", "x.c", "-oout.o", "-c", "real.c"});
  EXPECT_EQ(sources(command), Words{"real.c"});
  EXPECT_EQ(command.output, "out.o");
  EXPECT_EQ(command.flags, (Words{"-MF", "dep.c", "-I", "inc.c", "-Xlinker", "x.c"}));
}

TEST(CompilerCommand, LeavesToTheCompilerWhatWritesNoObject) {
  for (const Words& words :
       {Words{"a.o", "b.o", "-o", "app"}, Words{"-E", "a.c"}, Words{"-S", "a.c"}, Words{"-M", "a.c"},
        Words{"-fsyntax-only", "a.c"}, Words{"--version"}, Words{"-v"}, Words{"-print-prog-name=ld"},
        Words{"-###", "-c", "a.c"}, Words{"-c", "-xc", "-"}, Words{"-c", "a.h"},
        Words{"-c", "-x", "c++-header", "a.hpp"}, Words{"-c", "a.c", "-o", "/dev/null"}, Words{}})
    EXPECT_EQ(parse_command(Driver::cc, words).kind, CommandKind::other) << testing::PrintToString(words);
  EXPECT_EQ(parse_command(Driver::cc, {"a.c", "b.o", "-o", "app"}).kind, CommandKind::compile_and_link);
}

TEST(CompilerCommand, TellsLanguagesByEndingDriverAndFlag) {
  const auto language = [](Driver driver, const Words& words) { return parse_command(driver, words).sources.back(); };
  EXPECT_EQ(language(Driver::cc, {"-c", "a.c"}).language, Language::c);
  EXPECT_EQ(language(Driver::cxx, {"-c", "a.c"}).given, "c++");
  EXPECT_EQ(language(Driver::cc, {"-c", "a.ii"}).given, "c++-cpp-output");
  EXPECT_EQ(language(Driver::cc, {"-c", "-x", "c++", "a.c"}).language, Language::cxx);
  EXPECT_EQ(language(Driver::cc, {"-c", "-x", "c++", "a.c", "-x", "none", "b.c"}).language, Language::c);
  EXPECT_EQ(language(Driver::fc, {"-c", "a.F90"}).language, Language::fortran);
  EXPECT_EQ(language(Driver::cc, {"-c", "a.S"}).obstacle, "assembly");
}

TEST(CompilerCommand, ReadsResponseFiles) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("words", "-c 'a b.c'\n-DX=\\\"y\\\" @" + folder.write("more", "-O2") + "\n");
  EXPECT_EQ(expand_response_files({"@" + file, "@missing"}), (Words{"-c", "a b.c", "-DX=\"y\"", "-O2", "@missing"}));
}

TEST(CompilerCommand, DoesWithoutLinkTimeOptimisation) {
  EXPECT_EQ(without_lto({"-flto=auto", "-O2", "-flto-partition=none", "-c", "a.c"}),
            (Words{"-O2", "-c", "a.c", "-fno-lto"}));
  EXPECT_EQ(without_lto({"-O2", "-c", "a.c"}), (Words{"-O2", "-c", "a.c"}));
}

TEST(Probe, IsWhatBuildSystemsAskBeforeTheyBuild) {
  const auto probes = [](const Words& words, const std::string& directory) {
    return is_probe(parse_command(Driver::cc, words), directory);
  };
  EXPECT_TRUE(probes({"-c", "conftest.c"}, "/p"));
  EXPECT_TRUE(probes({"conftest.c", "-o", "conftest"}, "/p"));
  EXPECT_TRUE(probes({"-c", "_configtest.c"}, "/p"));
  EXPECT_TRUE(probes({"-c", "/p/b/CMakeFiles/CMakeScratch/TryCompile-x/a.c"}, "/p"));
  EXPECT_TRUE(probes({"-c", "CMakeCCompilerId.c"}, "/p/b/CMakeFiles/3.25.1/CompilerIdC"));
  EXPECT_TRUE(probes({"-c", "a.c", "-o", "CMakeFiles/cmTC_1f.dir/a.o"}, "/p"));
  EXPECT_TRUE(probes({"-c", "/p/b/meson-private/tmpx/testfile.c"}, "/p"));
  EXPECT_FALSE(probes({"-c", "confluent.c"}, "/p/config"));
  EXPECT_FALSE(probes({"-c", "a.c", "-o", "CMakeFiles/app.dir/a.o"}, "/p/b"));
}

} // namespace
} // namespace faultline::program
