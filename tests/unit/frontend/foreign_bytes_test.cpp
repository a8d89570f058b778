// A damaged compile_commands.json, list of flags or section of an object is read or refused, and nothing else happens.
#include "frontend/capture/section.h"
#include "short_run.h"

#include <gtest/gtest.h>

namespace faultline::frontend {
namespace {

constexpr const char* databases[] = {
    R"([{"directory": "/project", "file": "other.c", "command": "cc -c other.c"},
        {"directory": "/project", "file": "f.c", "command": "cc -Iinclude -D'A=\"b c\"' -o f.o -c f.c -MF f.d"}])",
    R"([{"directory": "/project/build", "file": "../f.c", "output": "f.o",
         "arguments": ["clang", "-O3", "-o", "f.o", "-c", "--", "../f.c"]}])",
    R"([{"file": "/project/f.c", "command": ""}])"};

TEST(ForeignBytes, OfACompilationDatabaseAreReadOrRefused) {
  fuzz::expect_no_surprise(fuzz::fuzz_compile_commands,
                           fuzz::json_material({std::begin(databases), std::end(databases)}), fuzz::json_mutant);
}

TEST(ForeignBytes, OfCompilerFlagsAreTakenOrRefused) {
  const fuzz::Material material{
      .seeds = {"-Iinclude\n-DN=8\n-O2\n-std=c11\n-Wall\n-o\na.o\n-c",
                "-isystem\n/usr/x\n-Wp,-DA=1,-MD,b\n-march=native\n-mavx2\n-ffast-math\n-fPIC\n-J\nmodules",
                "-Xclang\n-include-pch\n-Xclang\na.pch\n-Xclang\n-include\n-Xclang\na.h\n-x\nc++\n@a.modmap"},
      .tokens = {"-fplugin=x", "-Xclang", "-load", "-mllvm", "@x", "-I", "-B", "-include", ",", "=", "-Wp,", "-f",
                 "-m"},
      .separators = "\n",
      .nesting = "-Xclang\n"};
  fuzz::expect_no_surprise(fuzz::fuzz_flags, material, fuzz::mutant, {.refused = 300});
}

TEST(ForeignBytes, OfAnFPCoreAreReadOrRefused) {
  const fuzz::Material material{
      .seeds = {"(FPCore f (x (! :precision binary32 y)) :pre (and (<= 0 x 1/2) (< y x)) :spec (hypot x y)\n"
                "  (let* ([s (+ (* x x) (* y y))] [r (sqrt s)]) (if (> r 0x1.8p3) 1e3 r)))",
                "(FPCore (a) :name \"loop, of five\" (while* (< i 5) ([x a (- x (/ x 2))] [i 0 (+ i 1)]) (cast x)))",
                "(FPCore g (x) (* PI x)) (FPCore h (x) (g (digits 5 -1 10)))"},
      .tokens = {"(FPCore ", "(! :precision binary80 ", "(while (", "let", "([x 1 2])", ":pre", ":spec", "TRUE", "1/3",
                 "(tensor ", "NAN", "(if (== x x) ", "\"", ";"},
      .separators = " \n",
      .nesting = "(- "};
  fuzz::expect_no_surprise(fuzz::fuzz_fpcore, material, fuzz::mutant, {.refused = 300});
}

TEST(ForeignBytes, OfACapturedSectionAreReadOrRefused) {
  Record plain{"/p/a.c", "/p", "c", "cc", {"-O2"}, {"-fgnu"}, "", "BC\xc0\xde, and more"};
  Record packed = plain, missing = plain;
  packed.bitcode = std::string(40, 'a') + std::string(60, 'b') + "abcabcabcabc";
  missing.bitcode.clear();
  missing.reason = "assembly";
  const fuzz::Material material{
      .seeds = {bytes_of(plain), bytes_of(packed), bytes_of(missing) + std::string(7, '\0') + bytes_of(plain)},
      .tokens = {"FLTLNBC1", "\"compression\":\"zstd\"", "\"size\":99999999999", std::string(8, '\xff'), "{}"},
      .separators = ",",
      .nesting = "["};
  fuzz::expect_no_surprise(fuzz::fuzz_captured, material, fuzz::mutant);
}

} // namespace
} // namespace faultline::frontend
