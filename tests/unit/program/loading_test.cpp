// Several files: one that does not compile, one that is not in the database, functions that two of them define.
#include "../temporary_folder.h"
#include "base/error.h"
#include "program/compile.h"
#include "program/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace faultline::program {
namespace {

class Loading : public testing::Test {
protected:
  std::vector<std::string> names(Program& program) {
    std::vector<std::string> names;
    for (const model::Target& target : program.targets({}))
      names.push_back(target.function);
    return names;
  }
  std::string advice(const std::string& file, const std::string& text) {
    try {
      Program::load({{folder.write(file, text)}, {}, ""});
    } catch (const base::UserError& error) {
      return error.hint;
    }
    return "it compiles";
  }
  test::TemporaryFolder folder;
  const std::string good = folder.write("good.c", "double good(double x) { return x + 1; }\n");
};

TEST_F(Loading, AFileThatDoesNotCompileIsLeftOut) {
  const std::string bad = folder.write("bad.c", "int warn(void);\n#include \"nowhere.h\"\ndouble bad(double x);\n");
  Program program = Program::load({{bad, good}, {}, ""});
  EXPECT_EQ(names(program), std::vector<std::string>{"good"});
  EXPECT_EQ(program.left_out_remark(), fmt::format("1 of 2 files is left out, as it does not compile: {}", bad));
  ASSERT_EQ(program.remarks().size(), 1u);
  EXPECT_NE(program.remarks()[0].find("bad.c:2:10: fatal error: 'nowhere.h' file not found"), std::string::npos)
      << program.remarks()[0];
  EXPECT_NE(program.remarks()[0].find("try: name the folder of nowhere.h"), std::string::npos) << program.remarks()[0];
  EXPECT_THROW(Program::load({{bad}, {}, ""}), base::UserError);
  EXPECT_THROW(Program::load({{bad, folder.write("worse.c", "double")}, {}, ""}), base::UserError);
}

TEST_F(Loading, AHeaderThatLiesElsewhereIsNamed) {
  folder.write("deep/include/sub/there.h", "");
  const std::string hint = advice("a.c", "#include \"sub/there.h\"\n");
  EXPECT_NE(hint.find("deep/include"), std::string::npos) << hint;
  EXPECT_EQ(hint.find("deep/include/sub"), std::string::npos) << hint;
}

TEST_F(Loading, AHeaderThatABuildMakesIsToldApart) {
  EXPECT_NE(advice("src/a.c", "#include \"config.h\"\n").find("config.h is made by the build: run configure"),
            std::string::npos);
  folder.write("numbers.h.in", "");
  const std::string hint = advice("a.c", "#include <numbers.h>\n");
  EXPECT_NE(hint.find("numbers.h is made by the build, from "), std::string::npos) << hint;
}

TEST_F(Loading, AHeaderBesideTheFolderIsNamedUnlessAnybodyMayHavePutItThere) {
  folder.write("include/aside.h", "");
  const std::string hint = advice("src/a.c", "#include <aside.h>\n");
  EXPECT_NE(hint.find("aside.h is in "), std::string::npos) << hint;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  folder.write("include/strange.h", "");
  const std::string careful = advice("src/a.c", "#include <strange.h>\n");
  EXPECT_NE(careful.find("name the folder of strange.h"), std::string::npos) << careful;
}

TEST_F(Loading, OldCIsToldApart) {
  EXPECT_NE(advice("a.c", "double f(x) double x; { return elsewhere(x); }\n").find("-std=gnu89"), std::string::npos);
}

TEST_F(Loading, AModuleThatIsNowhereIsNamed) {
  const std::string hint = advice("a.f90", "subroutine s(x)\n use elsewhere\n real(8) :: x\nend subroutine\n");
  EXPECT_NE(hint.find("no file defines module elsewhere"), std::string::npos) << hint;
}

TEST_F(Loading, AFileThatIsNotInTheDatabaseIsCompiledAsItsNeighbour) {
  const std::string near = folder.write("src/near.c", "double near_(double x) { return x + WORD; }\n");
  const std::string far = folder.write("other/far.c", "double far_(double x) { return x + WORD; }\n");
  const std::string unlisted =
      folder.write("src/unlisted.c", "double unlisted(double x) { return x + WORD + NEAR; }\n");
  const std::string below = folder.write("src/below/it.c", "double it(double x) { return x + NEAR; }\n");
  const std::string database = folder.write("compile_commands.json", fmt::format(R"([
      {{"directory": "/", "file": "{0}", "command": "cc -DWORD=1 -c {0}"}},
      {{"directory": "/", "file": "{0}", "command": "cc -DWRONG -c {0}"}},
      {{"directory": "/", "file": "{1}", "command": "cc -DWORD=2 -DNEAR=3 -c {1}"}}])",
                                                                                 far, near));
  Program program = Program::load({{near, far, unlisted, below}, {}, database});
  EXPECT_EQ(names(program).size(), 4u);
  ASSERT_EQ(program.remarks().size(), 2u);
  for (const std::string& remark : program.remarks())
    EXPECT_NE(remark.find("it is compiled with the flags of " + near), std::string::npos) << remark;
}

TEST_F(Loading, AFunctionThatTwoFilesDefineIsEachFilesOwn) {
  const std::string one = folder.write("one.c", "static double state = 1;\ndouble next(void) { return state; }\n"
                                                "double first(double x) { return x + next(); }\n");
  const std::string two =
      folder.write("two.c", "__attribute__((noinline)) double next(void) { return 2; }\n"
                            "double second(double x) { return x + next(); }\nint main(void) { return 0; }\n");
  const std::string three = folder.write(
      "three.c", "double next(void);\ndouble third(double x) { return x + next(); }\nint main(void) { return 1; }\n");
  Program program = Program::load({{one, two, three}, {}, ""});
  ASSERT_EQ(program.remarks().size(), 1u);
  EXPECT_EQ(program.remarks()[0],
            fmt::format("{} keeps its own next, which {} defines, too: other files use the first", two, one));
  EXPECT_EQ(names(program), (std::vector<std::string>{"next", "first", "second", "third"}));
}

} // namespace
} // namespace faultline::program
