// A damaged compile_commands.json, list of flags or section of an object is read or refused, and nothing else happens.
#include "program/capture/section.h"
#include "short_run.h"

#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace faultline::program {
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

// An object for x86-64 with one section of this name.
std::string object_with(const std::string& name, const std::string& content) {
  const std::string names = '\0' + name + '\0';
  std::string bytes(sizeof(Elf64_Ehdr), '\0');
  const size_t content_at = bytes.size(), names_at = content_at + content.size();
  bytes += content + names;
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = header.e_version = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = bytes.size();
  std::memcpy(bytes.data(), &header, sizeof header);
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = content_at;
  sections[1].sh_size = content.size();
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = names_at;
  sections[2].sh_size = names.size();
  return bytes.append(reinterpret_cast<const char*>(sections), sizeof sections);
}

std::string archive_of(const std::string& member) {
  return fmt::format("!<arch>\n{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n{}", "f.o/", 0, 0, 0, 644, member.size(), member);
}

std::string bitcode() {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(R"(
    target triple = "x86_64-pc-linux-gnu"
    @table = constant [2 x double] [double 3.0, double 5.0]
    define double @f(double %x, ptr %y) !dbg !4 {
      %v = load double, ptr %y
      %r = fsub double %v, %x, !dbg !9
      ret double %r
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "f.c", directory: "/")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
    !5 = !DISubroutineType(types: !6)
    !6 = !{!7, !7, !8}
    !7 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
    !8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !7, size: 64)
    !9 = !DILocation(line: 1, scope: !4))",
                                                problem, context);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*module, stream);
  return bytes;
}

TEST(ForeignBytes, OfAnObjectAreReadOrRefused) {
  const Record record{"/p/a.c", "/p", "c", "cc", {"-O2"}, {"-fgnu"}, "", "BC\xc0\xde, and more"};
  const std::string object = object_with(capture_section, bytes_of(record));
  const fuzz::Material material{.seeds = {object, archive_of(object), object_with(".text", "code")},
                                .tokens = {"FLTLNBC1", std::string(8, '\xff'), "!<thin>\n", "/0 ", "BC\xc0\xde"},
                                .separators = std::string(1, '\0'),
                                .nesting = "!<arch>\n"};
  fuzz::expect_no_surprise(fuzz::fuzz_objects, material, fuzz::mutant, {.refused = 300});
}

TEST(ForeignBytes, OfBitcodeAreReadOrRefused) {
  const std::string seed = bitcode();
  const fuzz::Material material{
      .seeds = {seed}, .tokens = {std::string(4, '\xff')}, .separators = std::string(1, '\0'), .nesting = "\x21"};
  fuzz::expect_no_surprise(fuzz::fuzz_bitcode, material, fuzz::mutant, {.mutants = 150, .read = 1, .refused = 50});
}

// Any bytes make types, most of which are valid.
std::string any_bytes(const fuzz::Material&, numeric::Rng& rng) {
  std::string bytes(rng.below(400), '\0');
  for (char& byte : bytes)
    byte = char(rng.below(256));
  return bytes;
}

TEST(ForeignBytes, MakeDebugTypesThatAreLaidOutOrRefused) {
  fuzz::expect_no_surprise(fuzz::fuzz_debug_types, {{""}, {}, "", ""}, any_bytes, {.read = 100, .refused = 0});
}

} // namespace
} // namespace faultline::program
