// Compiler flags from files: ordinary ones are taken or dropped, those that make a compiler run or write something are
// refused by name.
#include "frontend/compiling/flag_filter.h"

#include "frontend/compiling/compilation_database.h"
#include "frontend/error.h"

#include "../temporary_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sstream>

namespace faultline::frontend {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string filtered(const std::string& flags, Trust trust = Trust::no) {
  return fmt::format("{}", fmt::join(flags_from_file(words(flags), "data.json", trust), " "));
}

std::string refusal(const std::vector<std::string>& flags) {
  try {
    const std::vector<std::string> taken = flags_from_file(flags, "data.json", Trust::no);
    return fmt::format("taken: {}", fmt::join(taken, " "));
  } catch (const UserError& error) {
    EXPECT_EQ(error.status, status_usage);
    EXPECT_NE(error.hint.find("--trust-flags"), std::string::npos) << error.hint;
    return error.what();
  }
}

TEST(FlagFilter, WhatSelectsTheCodeIsTaken) {
  for (const char* flags :
       {"-std=c++20", "-DNDEBUG -D N=3 -UX -U Y", "-Iinclude -I /usr/include/eigen3 -isystem /x -iquote y -idirafter z",
        "-O3 -g -g1 -ggdb3 -gdwarf-4",
        "-march=native -mtune=generic -mavx2 -mno-fma -mfpmath=sse -m64 -mlong-double-64",
        "-ffast-math -fno-math-errno -ffp-contract=fast -frounding-math -ffp-model=strict -fno-signed-zeros",
        "-fopenmp -pthread -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -fno-builtin -fno-builtin-sin",
        "-fstack-protector-strong -fcf-protection -ffile-prefix-map=/build=. -flto=auto -ffat-lto-objects",
        "--sysroot=/ -stdlib=libc++ -x c++ -xc -target x86_64-linux-gnu --target=x86_64-pc-linux-gnu",
        "-cpp -fdefault-real-8 -ffixed-line-length-132 -ffree-form -fsanitize=undefined -fsanitize-trap=all"})
    EXPECT_EQ(filtered(flags), flags);
}

TEST(FlagFilter, WhatCannotMatterIsDropped) {
  for (const char* flags :
       {"-Wall -Wextra -Werror=format-security -w -pedantic -Wno-unused -Rpass=x",
        "-MD -MMD -MP -MF a.d -MTa.o -MQ a.o -MJ a.json -M -MM",
        "-o a.o -oa.o -c -S -E -emit-llvm -save-temps=obj -pipe",
        "-Wl,-z,now -Wa,--noexecstack -L/usr/lib -lm -l m -shared -Xlinker -x -rdynamic -pie -z now",
        "-ftime-trace -ftime-trace=/tmp/t -fproc-stat-report=/tmp/t -fsave-optimization-record -fdump-tree-all",
        "-foptimization-record-file=/tmp/t -fprofile-arcs -ftest-coverage --coverage -fstack-usage -gsplit-dwarf",
        "-fdiagnostics-color=always -fmax-errors=3 -Wp,-MD,/tmp/t -specs=/usr/lib/rpm/redhat/redhat-hardened-cc1",
        "-fmodules-ts -fmodule-mapper=a.modmap -fdeps-format=p1689r5 @a.o.modmap --param=ssp-buffer-size=4 -v -###"})
    EXPECT_EQ(filtered(flags), "") << flags;
}

TEST(FlagFilter, WhatRunsOrWritesSomethingIsRefusedByName) {
  for (const char* flags : {"-fplugin=/x/evil.so",
                            "-fpass-plugin=/x/evil.so",
                            "-fplugin-arg-x-y",
                            "-Xclang -load -Xclang /x/evil.so",
                            "-Xclang -plugin",
                            "-Xflang -load",
                            "-load /x/evil.so",
                            "-mllvm -load=/x/evil.so",
                            "-mllvm=-load=x",
                            "-mmlir --load-dialect-plugin=x",
                            "-mlink-builtin-bitcode x",
                            "-Xpreprocessor -load",
                            "-Wp,-load,x",
                            "@/x/response",
                            "-B/x",
                            "-B /x",
                            "--config=/x",
                            "--config /x",
                            "-ccc-install-dir /x",
                            "-cc1",
                            "-fmodules",
                            "-fmodules-cache-path=/x",
                            "-x ir",
                            "-xassembler",
                            "--target=nvptx64",
                            "-serialize-diagnostics /x",
                            "--driver-mode=cl",
                            "-resource-dir /x",
                            "-Xarch_host -load",
                            "/x/other.c",
                            "-",
                            "-I",
                            "-fno-plugin=x",
                            "-fembed-offload-object=x",
                            "-fopenmp-targets=x",
                            "-dependency-file x",
                            "--analyze",
                            "-gcc-toolchain x"})
    EXPECT_NE(refusal(words(flags)).find("data.json: the compiler flag '" + words(flags)[0]), std::string::npos)
        << flags << ": " << refusal(words(flags));
}

TEST(FlagFilter, AValueIsNoWayPastIt) {
  EXPECT_EQ(filtered("-I -fplugin=x"), "-I -fplugin=x"); // a folder of that name, to the compilers, too
  EXPECT_NE(refusal({"-D", "@/x/response"}).find("'-D @/x/response'"), std::string::npos);
  EXPECT_NE(refusal({"-o", "@/x/response"}).find("not taken"), std::string::npos);
  EXPECT_NE(refusal({std::string("-I\0x", 4), "-DX"}).find("the compiler flag"), std::string::npos);
  EXPECT_NE(refusal({"-include@/x/response"}).find("'-include@/x/response'"), std::string::npos);
  EXPECT_NE(refusal({"-Wp,-D", "-I", "-fplugin=x"}).find("'-Wp,-D'"), std::string::npos); // -D would swallow the -I
  EXPECT_NE(refusal({"-J", "", "-I", "-fplugin=x"}).find("'-J "), std::string::npos);
  EXPECT_NE(refusal({"-pipe", "-fplugin=x"}).find("'-fplugin=x'"), std::string::npos);
}

TEST(FlagFilter, HeadersOfPrecompiledOnesAreReadAsText) {
  const char* as_text = "-Xclang -include -Xclang pch.hxx";
  EXPECT_EQ(filtered("-Winvalid-pch -Xclang -include-pch -Xclang pch.hxx.pch -Xclang -include -Xclang pch.hxx"),
            as_text);
  EXPECT_EQ(filtered("-include pch.hxx"), as_text);
  EXPECT_NE(refusal(words("-Xclang -include -Xclang -load")).find("not taken"), std::string::npos);
}

TEST(FlagFilter, ModulesOfFortranAreReadAndNotWritten) {
  EXPECT_EQ(filtered("-J mod -Jmod2 -module-dir m"), "-Imod -Imod2 -Im");
}

TEST(FlagFilter, MacrosForThePreprocessorAreKept) {
  EXPECT_EQ(filtered("-Wp,-D_FORTIFY_SOURCE=3,-MD,x,-D_GLIBCXX_ASSERTIONS"),
            "-D_FORTIFY_SOURCE=3 -D_GLIBCXX_ASSERTIONS");
}

TEST(FlagFilter, TrustTakesWhatCanMatter) {
  EXPECT_EQ(filtered("-fplugin=x -Wall -Xclang -load -Xclang x -o y @r", Trust::yes),
            "-fplugin=x -Xclang -load -Xclang x @r");
}

TEST(FlagFilter, ADatabaseMayNameALauncher) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("a.c", "");
  const std::string database = folder.write("compile_commands.json", fmt::format(R"([{{"directory": "/", "file": "{0}",
                   "command": "/usr/bin/ccache /usr/bin/cc -DN=8 -o {0}.o -c {0}"}}])",
                                                                                 file));
  EXPECT_EQ(CompilationDatabase(database, {file}, Trust::no).entry_for(file).flags, std::vector<std::string>{"-DN=8"});
}

} // namespace
} // namespace faultline::frontend
