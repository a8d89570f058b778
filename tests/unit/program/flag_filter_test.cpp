// Compiler flags from files: ordinary ones are taken or dropped, those that make a compiler run or write something are
// refused by name.
#include "program/compiling/flag_filter.h"

#include "base/error.h"
#include "program/compiling/compilation_database.h"
#include "program/compiling/option_table.h"

#include "../temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace faultline::program {
namespace {

using Words = std::vector<std::string>;

Words words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

Words taken_of(const Words& flags) { return flags_from_file(flags, {"data.json", ProjectFolders()}, Trust::no); }

std::string filtered(const std::string& flags, Trust trust = Trust::no) {
  return fmt::format("{}", fmt::join(flags_from_file(words(flags), {"data.json", ProjectFolders()}, trust), " "));
}

std::string refusal(const Words& flags) {
  try {
    return fmt::format("taken: {}", fmt::join(taken_of(flags), " "));
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    EXPECT_NE(error.hint.find("--trust-flags"), std::string::npos) << error.hint;
    return error.what();
  }
}

// No value for flags that are not accepted.
std::optional<Words> accepted(const Words& flags) {
  try {
    return taken_of(flags);
  } catch (const base::UserError&) {
    return std::nullopt;
  }
}

// Parses flags as one of the compilers does.
std::vector<CompilerOption> parsed(const Words& flags, Compilers compiler) {
  std::vector<CompilerOption> options;
  for (size_t at = 0; at < flags.size(); at += options.back().words.size())
    options.push_back(read_option(flags, at, compiler));
  return options;
}

TEST(FlagFilter, WhatSelectsTheCodeIsTaken) {
  for (const char* flags :
       {"-std=c++20", "-DNDEBUG -DN=3 -UX -UY -DF(x,y)=x+y -DS=\"a,b\" -DEMPTY=",
        "-Iinclude -I/usr/include/eigen3 -isystem/opt/x -iquotey -idirafterz",
        "-O3 -g -ggdb3 -gdwarf-4 -gline-tables-only -Og -Ofast -O0",
        "-march=native -mtune=generic -mavx2 -mno-fma -mfpmath=sse -m64 -mlong-double-64 -mno-red-zone "
        "-mrecip=div,sqrt",
        "-ffast-math -fno-math-errno -ffp-contract=fast -frounding-math -ffp-model=strict -fno-signed-zeros",
        "-fopenmp -pthread -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -fno-builtin -fno-builtin-sin",
        "-fstack-protector-strong -fcf-protection=full -ffile-prefix-map=/build=. -flto=thin -ffat-lto-objects",
        "--sysroot=/ -isysroot/ -stdlib=libc++ -xc++ -xc --target=x86_64-pc-linux-gnu --target=x86_64-linux-gnu",
        "-cpp -fdefault-real-8 -ffixed-line-length=132 -ffree-form -fsanitize=undefined -fsanitize-trap=all"})
    EXPECT_EQ(filtered(flags), flags);
}

TEST(FlagFilter, WhatHasSeveralFormsGetsOne) {
  for (const auto& [given, canonical] : std::map<std::string, std::string>{
           {"-D N=3 -U Y", "-DN=3 -UY"},
           {"-I include --include-directory a --include-directory=b", "-Iinclude -Ia -Ib"},
           {"-isystem /usr/x -isysroot / --sysroot /", "-isystem/usr/x -isysroot/ --sysroot=/"},
           {"-x c++ -target x86_64-linux-gnu", "-xc++ --target=x86_64-linux-gnu"},
           {"-g1 -O --std=c99 -trigraphs", "-gline-tables-only -O1 -std=c99 -ftrigraphs"},
           {"-ftree-vectorize -flto -fcf-protection -ftemplate-depth-9", "-fvectorize -flto=full -fcf-protection=full "
                                                                         "-ftemplate-depth=9"}})
    EXPECT_EQ(filtered(given), canonical);
}

// The flags of Debian's packages, of Fedora's, and of CMake, Meson and autotools.
TEST(FlagFilter, BuildsOfDistributionsAreAccepted) {
  const ProjectFolders project({FAULTLINE_ROOT "/configure"});
  for (const char* flags :
       {"-g -O2 -ffile-prefix-map=/build/gsl-2.7.1+dfsg=. -fstack-protector-strong -fstack-clash-protection -Wformat "
        "-Werror=format-security -fcf-protection -Wdate-time -D_FORTIFY_SOURCE=2 -DHAVE_CONFIG_H -I. -I.. -MT x.lo -MD "
        "-MP -MF .deps/x.Tpo -c -fPIC -DPIC -o .libs/x.o",
        "-O2 -flto=auto -ffat-lto-objects -fexceptions -g -grecord-gcc-switches -pipe -Wall "
        "-Wp,-U_FORTIFY_SOURCE,-D_FORTIFY_SOURCE=3 -Wp,-D_GLIBCXX_ASSERTIONS "
        "-specs=/usr/lib/rpm/redhat/redhat-hardened-cc1 -fstack-protector-strong "
        "-specs=/usr/lib/rpm/redhat/redhat-annobin-cc1 -m64 -march=x86-64 -mtune=generic "
        "-fasynchronous-unwind-tables -fstack-clash-protection -fcf-protection -fno-omit-frame-pointer "
        "-mno-omit-leaf-frame-pointer",
        "-DFOO_EXPORTS -isystem /usr/include/eigen3 -O3 -DNDEBUG -std=gnu++17",
        "-fdiagnostics-color=always -DNDEBUG -D_FILE_OFFSET_BITS=64 -Wall -Winvalid-pch -std=c11 -O3 -fPIC -pthread "
        "-MD "
        "-MQ a.o -MF a.o.d -o a.o -c",
        "-Wsign-compare -DNDEBUG -g -fwrapv -O2 -Wall -I/usr/include/python3.11 -fno-strict-aliasing "
        "-fno-semantic-interposition -fvisibility=hidden -funroll-loops -fno-plt -fopenmp -msse3",
        // numpy, OpenBLAS, FFTW, glibc, Linux, Qt, scipy
        "-fno-strict-overflow -Wsign-compare -DNDEBUG -fwrapv -O2 -Wall -g -fPIC -DNPY_INTERNAL_BUILD=1 "
        "-ftrapping-math "
        "-std=c99 -O3 -msse -msse2 -Ibuild/src.linux-x86_64-3.11/numpy/core/src/common",
        "-O2 -DMAX_STACK_ALLOC=2048 -DEXPRECISION -DF_INTERFACE_GFORT -fPIC -DDYNAMIC_ARCH -DVERSION=\"0.3.21\" -mavx2 "
        "-mfma -mssse3 -msse4.1 -mavx512f -UASMNAME -DASMNAME= -DASMFNAME=_ -DCHAR_CNAME=\"\" -I.",
        "-O3 -fomit-frame-pointer -fstrict-aliasing -fno-schedule-insns -fno-web -fno-loop-interchange --param "
        "inline-unit-growth=1000 -malign-double -mtune=native",
        "-std=gnu11 -fgnu89-inline -O2 -fmerge-all-constants -frounding-math -fno-common -ftls-model=initial-exec "
        "-fno-math-errno -ffp-contract=off -D_LIBC_REENTRANT -include config.h -DMODULE_NAME=libm -nostdinc -isystem "
        "/usr/lib/gcc/x86_64-linux-gnu/12/include -isystem /usr/include -U_FORTIFY_SOURCE",
        "-nostdinc -include include/linux/kconfig.h -D__KERNEL__ -std=gnu11 -fshort-wchar -funsigned-char -fno-PIE "
        "-mno-sse -mno-80387 -mno-fp-ret-in-387 -mpreferred-stack-boundary=3 -mno-red-zone -mcmodel=kernel "
        "-mindirect-branch=thunk-extern -fno-jump-tables -fno-delete-null-pointer-checks -O2 "
        "-fno-allow-store-data-races -fstack-protector-strong -fno-stack-clash-protection -fconserve-stack "
        "-fno-strict-overflow -fno-stack-check -Wframe-larger-than=2048 -DKBUILD_MODNAME='\"x\"'",
        "-fno-operator-names -fno-exceptions -fvisibility=hidden -fvisibility-inlines-hidden -pedantic -std=gnu++20 "
        "-ftemplate-backtrace-limit=0 -fcoroutines -fconcepts -fmax-errors=5 -DQT_CORE_LIB -isystem "
        "/usr/include/x86_64-linux-gnu/qt6/QtCore",
        "-Wall -g -ffixed-form -fno-second-underscore -fPIC -O3 -funroll-loops -std=legacy -fcheck=all -ffpe-trap=zero",
        "-g -O2 -fallow-argument-mismatch -fno-second-underscore -fdefault-real-8 -J mod -ffree-line-length-none "
        "-cpp -fbacktrace -std=legacy"})
    EXPECT_NO_THROW(
        flags_from_file(words(flags), {"compile_commands.json", project, {}, FAULTLINE_ROOT "/build"}, Trust::no))
        << flags;
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
                            "-isystem-after -I -fplugin=/x/evil.so",
                            "-fsanitize-ignorelist=x",
                            "-fbuiltin-module-map",
                            "-module-file-info",
                            "-working-directory x",
                            "-vfsoverlay x",
                            "-include/etc/shadow",
                            "-imacros /etc/shadow",
                            "-I/etc",
                            "-I/",
                            "-I../../../../../../../../etc",
                            "-isystem =/etc",
                            "--sysroot=/etc",
                            "--target=x86_64-a/b-linux-gnu",
                            "-target x86_64/../x",
                            "-std=c99/../x",
                            "-march=/x",
                            "-fveclib=/x",
                            "-DX(=1",
                            "-D-fplugin=x",
                            "-fthis-is-no-option",
                            "--analyze",
                            "-gcc-toolchain x"})
    EXPECT_NE(refusal(words(flags)).find("data.json: the compiler flag '" + words(flags)[0]), std::string::npos)
        << flags << ": " << refusal(words(flags));
}

TEST(FlagFilter, AValueIsNoWayPastIt) {
  EXPECT_NE(refusal({"-I", "-fplugin=x"}).find("'-I -fplugin=x'"), std::string::npos);
  EXPECT_NE(refusal({"-isystem", "-after", "-I", "-fplugin=x"}).find("'-isystem -after'"), std::string::npos);
  EXPECT_NE(refusal({"-I", "-", "-fplugin=x"}).find("'-I -'"), std::string::npos); // -I- is another option
  EXPECT_NE(refusal({"-D", "@/x/response"}).find("'-D @/x/response'"), std::string::npos);
  EXPECT_NE(refusal({"-o", "@/x/response"}).find("not taken"), std::string::npos);
  EXPECT_NE(refusal({"-include@/x/response"}).find("'-include@/x/response'"), std::string::npos);
  EXPECT_NE(refusal({"-Wp,-D", "-I", "-fplugin=x"}).find("'-Wp,-D'"), std::string::npos); // -D would swallow the -I
  EXPECT_NE(refusal({"-J", "", "-I", "-fplugin=x"}).find("'-J "), std::string::npos);
  EXPECT_NE(refusal({"-load", "/x/evil.so"}).find("'/x/evil.so'"), std::string::npos); // -l oad, and a file
  EXPECT_NE(refusal({"-pipe", "-fplugin=x"}).find("'-fplugin=x'"), std::string::npos);
  EXPECT_NE(refusal({"-DX=1\n#include </etc/shadow>"}).find("malformed"), std::string::npos);
  EXPECT_THROW(taken_of({std::string("-I\0x", 4), "-DX"}), base::UserError);
}

TEST(FlagFilter, PathsLeadIntoTheProject) {
  const test::TemporaryFolder folder;
  const std::string database = folder.write("project/compile_commands.json", "[]");
  folder.write("project/include/a.h", "");
  folder.write("elsewhere/secret.h", "");
  std::filesystem::create_directory_symlink(folder.path("elsewhere"), folder.path("project/link"));
  const auto is_taken = [&](const std::string& flag, const std::string& directory) {
    try {
      flags_from_file({flag}, {database, ProjectFolders({database}), {}, folder.path(directory)}, Trust::no);
      return true;
    } catch (const base::UserError& error) {
      EXPECT_NE(std::string(error.what()).find("leads out of the project"), std::string::npos) << error.what();
      return false;
    }
  };
  EXPECT_TRUE(is_taken("-Iinclude", "project"));
  EXPECT_TRUE(is_taken("-I../include", "project/build"));
  EXPECT_TRUE(is_taken("-I" + folder.path("project/none"), "elsewhere"));
  EXPECT_TRUE(is_taken("-I/usr/include", "elsewhere"));
  EXPECT_FALSE(is_taken("-Iinclude", "elsewhere"));
  EXPECT_FALSE(is_taken("-I../elsewhere", "project"));
  EXPECT_FALSE(is_taken("-Ilink", "project"));
  EXPECT_FALSE(is_taken("-include" + folder.path("elsewhere/secret.h"), "project"));
  EXPECT_FALSE(is_taken("-includeproject2/a.h", ""));
  EXPECT_FALSE(is_taken("-I" + folder.path("project2"), "project"));
  folder.write(".git/HEAD", ""); // now all of it is one checkout
  EXPECT_TRUE(is_taken("-I../elsewhere", "project"));
}

TEST(FlagFilter, HomeIsNoProject) {
  const test::TemporaryFolder folder;
  const std::string source = folder.write("home/project/src/a.c", "");
  const std::string database = folder.write("home/project/build/compile_commands.json", "");
  const std::string other = folder.write("home/other/b.c", "");
  folder.write("home/.git/HEAD", "");
  const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
  setenv("HOME", folder.path("home").c_str(), 1);
  EXPECT_TRUE(ProjectFolders({source, database}).contain(folder.path("home/project/include")));
  EXPECT_FALSE(ProjectFolders({source, database}).contain(folder.path("home/other/a.h")));
  EXPECT_TRUE(ProjectFolders({source, other}).contain(folder.path("home/other/a.h")));
  EXPECT_FALSE(ProjectFolders({source, other}).contain(folder.path("home/secret")));
  EXPECT_FALSE(ProjectFolders({source, "/etc/x.c"}).contain("/root/x"));
  setenv("HOME", before.c_str(), 1);
}

TEST(FlagFilter, PathsAreThoseOfTheFolderThatTheFileIsIn) {
  const auto relative = [](const std::string& folder, const Words& flags) {
    return flags_from_file(flags, {"faultline.toml", ProjectFolders(), folder}, Trust::yes);
  };
  EXPECT_EQ(relative("lib", {"-Iinclude", "-I", "../include", "-isystem", "sys", "-iquoteq", "-Jmod", "-I."}),
            (Words{"-Ilib/include", "-Iinclude", "-isystemlib/sys", "-iquotelib/q", "-Ilib/mod", "-Ilib/"}));
  EXPECT_EQ(relative("lib", {"-include", "all.h"}), (Words{"-Xclang", "-include", "-Xclang", "lib/all.h"}));
  EXPECT_EQ(relative("lib", {"-DN=8", "-O3", "-I/usr/include", "-D", "include"}),
            (Words{"-DN=8", "-O3", "-I/usr/include", "-Dinclude"}));
  EXPECT_EQ(relative("", {"-Iinclude", "-I", "b"}), (Words{"-Iinclude", "-Ib"}));
  EXPECT_EQ(relative("lib", {"-I"}), Words{"-I"}) << "the compiler will complain";
}

TEST(FlagFilter, HeadersOfPrecompiledOnesAreReadAsText) {
  const char* as_text = "-Xclang -include -Xclang pch.hxx";
  EXPECT_EQ(filtered("-Winvalid-pch -Xclang -include-pch -Xclang pch.hxx.pch -Xclang -include -Xclang pch.hxx"),
            as_text);
  EXPECT_EQ(filtered("-include pch.hxx"), as_text);
  EXPECT_EQ(filtered(as_text), as_text);
  for (const char* flags : {"-Xclang -include -Xclang -load", "-Xclang -include -Xclang /etc/shadow",
                            "-Xclang -include", "-Xclang -include pch.hxx", "-Xclang -include-pch -Xclang -load"})
    EXPECT_NE(refusal(words(flags)).find("not taken"), std::string::npos) << flags;
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

// All options of clang and flang, out of their own table.

constexpr const char* outside = "/outside/evil.so";

// Values of these are text: they name no file to the compiler.
const std::set<std::string> text_options = {
    "-D", "-ffile-prefix-map=", "-fdebug-prefix-map=", "-fmacro-prefix-map=", "-fdebug-compilation-dir="};
// These name folders and headers.
const std::set<std::string> path_options = {"-I",        "-F",         "-isystem", "-iquote", "-idirafter",
                                            "-isysroot", "--sysroot=", "-imacros", "-Xclang"};

bool leads_outside(const CompilerOption& option) {
  return std::ranges::any_of(option.values, [&](const std::string& value) {
    if (value.find("evil") == std::string::npos || text_options.contains(option.name))
      return false;
    return !path_options.contains(option.name) || !ProjectFolders().contain(value);
  });
}

// Each option alone, and with values in the same word and in the next.
std::vector<Words> forms_of(const std::string& name, const Words& values) {
  std::vector<Words> forms{{name}};
  for (const std::string& value : values) {
    forms.push_back({name + value});
    forms.push_back({name, value});
    forms.push_back({name, "-I", value});
  }
  return forms;
}

// Returns what is wrong with accepted flags as one of the compilers parses them; empty if nothing is.
std::string problem_of(const Words& taken, Compilers compiler) {
  bool of_front_end = false; // -Xclang -include -Xclang HEADER
  for (const CompilerOption& option : parsed(taken, compiler)) {
    if (option.shape == CompilerOption::Shape::unknown)
      return ""; // the compiler refuses all of it
    if (option.shape == CompilerOption::Shape::input || option.shape == CompilerOption::Shape::incomplete ||
        option.shape == CompilerOption::Shape::other)
      return fmt::format("{} is a file, or takes what follows", option.name);
    if (leads_outside(option))
      return fmt::format("{} leads to {}", option.name, fmt::join(option.values, " "));
    of_front_end = option.name == "-Xclang" && !of_front_end;
    if (of_front_end && option.values != Words{"-include"})
      return fmt::format("-Xclang {}", fmt::join(option.values, " "));
    for (const char* part : {"plugin", "load", "-mllvm", "-mmlir", "config", "response", "Xflang", "cc1", "module-dir"})
      if (!option.values.empty() && option.name.find(part) != std::string::npos)
        return fmt::format("{} is accepted", option.name);
  }
  return "";
}

std::string problem_of(const Words& taken) {
  const std::string with_clang = problem_of(taken, Compilers::clang);
  return with_clang.empty() ? problem_of(taken, Compilers::flang) : with_clang;
}

TEST(FlagFilter, NoOptionOfTheCompilersLeadsOutside) {
  size_t accepted_forms = 0, refused_forms = 0;
  const Words values = {outside,
                        "-fplugin=/outside/evil.so",
                        "@/outside/evil",
                        "=/outside/evil.so",
                        "../../../../../../../../outside/evil.so",
                        "x86_64/../evil",
                        "x,/outside/evil.so"};
  for (const std::string& name : all_options(Compilers::both))
    for (const Words& form : forms_of(name, values)) {
      const std::optional<Words> taken = accepted(form);
      (taken ? accepted_forms : refused_forms) += 1;
      if (!taken)
        continue;
      EXPECT_EQ(problem_of(*taken), "") << fmt::format("{}", fmt::join(form, " "));
      EXPECT_EQ(accepted(*taken), taken) << "is not canonical";
    }
  EXPECT_GT(accepted_forms, 1'000u);
  EXPECT_GT(refused_forms, 10'000u);
}

TEST(FlagFilter, NoPairOfOptionsLeadsOutside) {
  const std::vector<std::string> names = all_options(Compilers::both);
  std::vector<std::string> with_value; // in the next word
  for (const std::string& name : names)
    if (read_option({name, "x"}, 0, Compilers::both).words.size() == 2)
      with_value.push_back(name);
  EXPECT_GT(with_value.size(), 100u);
  size_t pairs = 0;
  for (const std::string& first : names)
    for (const std::string& second : with_value)
      if (const std::optional<Words> taken = accepted({first, second, "-fplugin=/outside/evil.so"})) {
        const std::string problem = problem_of(*taken);
        ASSERT_EQ(problem, "") << first << " " << second;
        ++pairs;
      }
  EXPECT_GT(pairs, 1'000u);
}

} // namespace
} // namespace faultline::program
