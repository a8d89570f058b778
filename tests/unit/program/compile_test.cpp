// From source to bitcode: compilers, flags, compilation databases, LLVM IR, and the messages when it fails.
#include "program/compile.h"

#include "../temporary_folder.h"
#include "base/error.h"
#include "program/program.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace faultline::program {
namespace {

using test::TemporaryFolder;

std::vector<std::string> names(Program program) {
  std::vector<std::string> all;
  for (const model::Target& target : program.targets({}))
    all.push_back(target.function);
  return all;
}

// The error that loading (and listing) ends with.
base::UserError error_of(const Sources& sources) {
  try {
    Program::load(sources).targets({});
  } catch (const base::UserError& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return {0, ""};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void shell(const std::string& command) { ASSERT_EQ(std::system(command.c_str()), 0) << command; }

TEST(LanguageOf, IsToldByTheEnding) {
  EXPECT_EQ(language_of("a.c"), Language::c);
  for (const char* file : {"a.cpp", "a.cc", "a.cxx", "a.C", "b/c.d/a.c++"})
    EXPECT_EQ(language_of(file), Language::cxx) << file;
  for (const char* file : {"a.f90", "a.F90", "a.f", "a.for", "a.f08"})
    EXPECT_EQ(language_of(file), Language::fortran) << file;
  EXPECT_EQ(language_of("a.bc"), Language::bitcode);
  EXPECT_EQ(language_of("a.ll"), Language::assembly);
  for (const char* file : {"a", "a.py", "c", ".c", "a.c.txt"})
    EXPECT_EQ(language_of(file), Language::unknown) << file;
}

TEST(Compile, TakesCAndCxxAndFortran) {
  TemporaryFolder folder;
  EXPECT_EQ(names(Program::load({{folder.write("a.c", "double f(double x) { return x; }")}, {}, ""})),
            std::vector<std::string>{"f"});
  EXPECT_EQ(names(Program::load({{folder.write("a.cpp", "namespace n { double f(double x) { return x; } }")}, {}, ""})),
            std::vector<std::string>{"n::f"});
  EXPECT_EQ(
      names(Program::load(
          {{folder.write("a.f90", "real(8) function f(x)\nreal(8), intent(in) :: x\nf = x\nend function\n")}, {}, ""})),
      std::vector<std::string>{"f"});
}

TEST(Compile, ASyntaxErrorIsToldInTheCompilersWords) {
  TemporaryFolder folder;
  for (auto [name, text] : {std::pair{"a.c", "double f(double x) {\n  retrun x;\n}\n"},
                            {"a.cpp", "double f(double x) {\n  retrun x;\n}\n"}}) {
    base::UserError error = error_of({{folder.write(name, text)}, {}, ""});
    EXPECT_EQ(error.status, base::status_unsuitable);
    EXPECT_TRUE(contains(error.what(), std::string(name) + ":2:")) << error.what();
    EXPECT_TRUE(contains(error.what(), "retrun")) << error.what();
    EXPECT_FALSE(error.hint.empty());
  }
  base::UserError fortran =
      error_of({{folder.write("a.f90", "real(8) function f(x)\nreal(8) :: x\nf = = x\nend function\n")}, {}, ""});
  EXPECT_EQ(fortran.status, base::status_unsuitable);
  EXPECT_TRUE(contains(fortran.what(), "a.f90:3:")) << fortran.what();
}

TEST(Compile, AMissingFileOrAFolderIsWrongUsage) {
  TemporaryFolder folder;
  base::UserError missing = error_of({{folder.path("nowhere.c")}, {}, ""});
  EXPECT_EQ(missing.status, base::status_usage);
  EXPECT_TRUE(contains(missing.what(), "nowhere.c")) << missing.what();
  EXPECT_EQ(error_of({{folder.path()}, {}, ""}).status, base::status_usage);
  EXPECT_EQ(error_of({{}, {}, ""}).status, base::status_usage);
}

TEST(Compile, AnUnknownEndingIsWrongUsage) {
  TemporaryFolder folder;
  base::UserError error = error_of({{folder.write("a.py", "x = 1")}, {}, ""});
  EXPECT_EQ(error.status, base::status_usage);
  EXPECT_TRUE(contains(error.hint, ".f90")) << error.hint;
}

TEST(Compile, FlagsReachTheCompilerAsTheyAre) {
  TemporaryFolder folder;
  std::string file = folder.write("a.c", "#ifdef YES\nstatic const char text[] = TEXT;\ndouble f(double x) { return x; "
                                         "}\n_Static_assert(sizeof text == 7, \"\");\n#endif\n");
  EXPECT_EQ(names(Program::load({{file}, {"-DYES", "-DTEXT=\"a b $x\" \"\""}, ""})), std::vector<std::string>{"f"});
  folder.write("include/with space/a.h", "double g(double);\n");
  std::string other = folder.write("b.c", "#include <a.h>\ndouble g(double x) { return x; }\n");
  EXPECT_EQ(names(Program::load({{other}, {"-I" + folder.path("include/with space")}, ""})),
            std::vector<std::string>{"g"});
}

TEST(Compile, AFileThatLooksLikeAnOptionIsAFile) {
  TemporaryFolder folder;
  folder.write("-Dx.c", "double f(double x) { return x; }");
  EXPECT_FALSE(compile("-Dx.c", {}, {.directory = folder.path()}).empty());
}

TEST(Compile, LeavesNothingBehind) {
  TemporaryFolder folder;
  std::string file = folder.write(
      "a.f90",
      "module m\ncontains\nreal(8) function f(x)\nreal(8), intent(in) :: x\nf = x\nend function\nend module\n");
  auto before = std::filesystem::current_path();
  TemporaryFolder elsewhere;
  std::filesystem::current_path(elsewhere.path());
  Program::load({{file}, {}, ""});
  std::filesystem::current_path(before);
  int files = 0;
  for (const std::string& place : {folder.path(), elsewhere.path()})
    files += int(std::distance(std::filesystem::directory_iterator(place), {}));
  EXPECT_EQ(files, 1);
}

TEST(Program, LinksSeveralFiles) {
  TemporaryFolder folder;
  std::string a = folder.write("a.c", "double g(double);\ndouble f(double x) { return g(x) + 1; }");
  std::string b = folder.write("b.cpp", "extern \"C\" double g(double x) { return x * 2; }");
  EXPECT_EQ(names(Program::load({{a, b}, {}, ""})), (std::vector<std::string>{"f", "g"}));
  EXPECT_EQ(names(Program::load({{b, a}, {}, ""})), (std::vector<std::string>{"g", "f"}))
      << "in the order of the files";
}

TEST(Program, ReadsBitcodeAndAssembly) {
  TemporaryFolder folder;
  std::string source =
      folder.write("a.c", "static double g(double x) { return x * 2; }\ndouble f(double x) { return g(x); }\n");
  shell("clang-19 -O2 -g -c -emit-llvm " + source + " -o " + folder.path("a.bc"));
  shell("clang-19 -O2 -g -S -emit-llvm " + source + " -o " + folder.path("a.ll"));
  for (const char* name : {"a.bc", "a.ll"}) {
    Program program = Program::load({{folder.path(name)}, {}, ""});
    auto found = program.find({"f"}, {});
    EXPECT_EQ(found.at(0).line, 2) << name;
    program.reduce_to(found[0]);
  }
}

TEST(Program, BitcodeWithoutDebugInformationSaysSo) {
  TemporaryFolder folder;
  shell("clang-19 -O2 -c -emit-llvm " + folder.write("a.c", "double f(double x) { return x; }") + " -o " +
        folder.path("a.bc"));
  try {
    Program::load({{folder.path("a.bc")}, {}, ""}).find({"f"}, {});
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_TRUE(contains(error.what(), "-g")) << error.what();
  }
}

TEST(Program, MalformedBitcodeIsAnErrorAndNoCrash) {
  TemporaryFolder folder;
  shell("clang-19 -O2 -g -c -emit-llvm " +
        folder.write("a.c", "double g(double);\ndouble f(double x) { return g(x) / x; }") + " -o " +
        folder.path("a.bc"));
  std::string whole = folder.read("a.bc");
  std::vector<std::string> damaged = {"", "BC", "this is no bitcode", whole.substr(0, 100)};
  for (size_t part = 1; part < 8; ++part)
    damaged.push_back(whole.substr(0, whole.size() * part / 8 / 4 * 4));
  for (const std::string& content : damaged) {
    std::string file = folder.write("damaged.bc", content);
    EXPECT_EXIT(
        {
          try {
            Program program = Program::load({{file}, {}, ""});
            program.reduce_to(program.find({"f"}, {}).at(0));
          } catch (const base::UserError& error) {
            _exit(error.status);
          }
          _exit(0);
        },
        testing::ExitedWithCode(base::status_unsuitable), "")
        << content.size() << " of " << whole.size() << " bytes";
  }
}

TEST(Program, MalformedAssemblyIsAnErrorAndNoCrash) {
  TemporaryFolder folder;
  const std::string head = "target triple = \"x86_64-pc-linux-gnu\"\n";
  const std::string debug = "!llvm.module.flags = !{!0}\n!0 = !{i32 2, !\"Debug Info Version\", i32 3}\n";
  const std::string use_before_definition =
      "define double @f(double %x) {\n  %a = fadd double %b, 1.0\n  %b = fadd double %x, 1.0\n  ret double %a\n}\n";
  for (const std::string& content :
       {std::string("no assembly"), head + "define double @f(double %x) { ret float %x }\n",
        head + "define double @f(\n", head + use_before_definition, head + use_before_definition + debug}) {
    std::string file = folder.write("damaged.ll", content);
    EXPECT_EXIT(
        {
          try {
            Program program = Program::load({{file}, {}, ""});
            program.targets({});
            program.find({"f"}, {});
          } catch (const base::UserError& error) {
            _exit(error.status);
          }
          _exit(0);
        },
        testing::ExitedWithCode(base::status_unsuitable), "")
        << content;
  }
}

TEST(Program, AnotherMachinesBitcodeIsRefused) {
  TemporaryFolder folder;
  base::UserError error = error_of({{folder.write("a.ll", "target triple = \"aarch64-linux-gnu\"\n")}, {}, ""});
  EXPECT_EQ(error.status, base::status_unsuitable);
  EXPECT_TRUE(contains(error.what(), "aarch64")) << error.what();
}

// A compilation database whose command defines VALUE as `"a b"` (with the quotes), and a source that needs it.
struct Database : testing::Test {
  TemporaryFolder folder;
  std::string source = folder.write("src/a.c", "#include \"a.h\"\nstatic const char* value = VALUE;\ndouble f(double "
                                               "x) { return x + (value[1] == 'b') + SEPARATOR * 0; }\n"
                                               "_Static_assert(sizeof VALUE == 4 && SEPARATOR == 10, \"flags\");\n");
  void SetUp() override { folder.write("include/a.h", "\n"); }

  void database(const std::string& how, const std::string& file = "src/a.c") {
    folder.write("compile_commands.json",
                 "[ { \"directory\": \"" + folder.path() + "\", \"file\": \"" + file + "\", " + how + " } ]");
  }
  void expect_found() { EXPECT_EQ(names(Program::load({{source}, {}, folder.path()})), std::vector<std::string>{"f"}); }
};

TEST_F(Database, ArgumentsAreTakenAsTheyAre) {
  database(
      R"("arguments": ["cc", "-Iinclude", "-DVALUE=\"a b\"", "-DSEPARATOR=10", "-MD", "-MF", "a.d", "-c", "src/a.c", "-o", "a.o"])");
  expect_found();
}

TEST_F(Database, CommandsAreSplitAsAShellWould) {
  database(R"("command": "/usr/bin/cc -Iinclude -DVALUE='\"a b\"' -DSEPARATOR=10 -c src/a.c -o a.o")");
  expect_found();
  database(R"("command": "cc -Iinclude \"-DVALUE=\\\"a b\\\"\" -D SEPARATOR=10   -o a.o -c src/a.c")");
  expect_found();
  database(R"("command": "cc -Iinclude -DVALUE=\\\"a\\ b\\\" -DSEPARATOR=10 -c src/a.c")");
  expect_found();
}

TEST_F(Database, ABackslashInDoubleQuotesStaysBeforeAnOrdinaryLetter) {
  database(R"("command": "cc -Iinclude '-DVALUE=\"a b\"' \"-DSEPARATOR='\\n'\" -c src/a.c")");
  expect_found();
}

TEST_F(Database, TheFileMayBeNamedInTwoWays) {
  database(R"("arguments": ["cc", "-Iinclude", "-DVALUE=\"a b\"", "-DSEPARATOR=10", "-c", ")" + source + R"("])");
  expect_found();
  database(R"("arguments": ["cc", "-Iinclude", "-DVALUE=\"a b\"", "-DSEPARATOR=10", "-c", "src/a.c"])", source);
  expect_found();
}

TEST_F(Database, FlagsAfterTheDashesAreAdded) {
  database(R"("arguments": ["cc", "-Iinclude", "-DVALUE=\"a b\"", "-c", "src/a.c"])");
  EXPECT_EQ(names(Program::load({{source}, {"-DSEPARATOR=10"}, folder.path("compile_commands.json")})),
            std::vector<std::string>{"f"});
}

TEST_F(Database, AFileOfALanguageThatIsNotListedIsWrongUsage) {
  database(R"("arguments": ["flang", "-c", "src/a.f90"])", "src/a.f90");
  base::UserError error = error_of({{folder.write("b.c", "double f(double x) { return x; }")}, {}, folder.path()});
  EXPECT_EQ(error.status, base::status_usage);
  EXPECT_TRUE(contains(error.what(), "b.c")) << error.what();
}

TEST_F(Database, AMissingOrMalformedDatabaseIsWrongUsage) {
  EXPECT_EQ(error_of({{source}, {}, folder.path("nowhere")}).status, base::status_usage);
  for (const char* content : {"", "{", "{}", "[", "3"}) {
    folder.write("compile_commands.json", content);
    EXPECT_EQ(error_of({{source}, {}, folder.path()}).status, base::status_usage) << content;
  }
  folder.write("compile_commands.json", "[1, {}, {\"file\": 3}, {\"file\": \"x.c\"}]");
  EXPECT_EQ(error_of({{source}, {}, folder.path()}).status, base::status_usage);
}

} // namespace
} // namespace faultline::program
