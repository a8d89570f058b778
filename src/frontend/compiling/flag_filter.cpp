#include "frontend/compiling/flag_filter.h"

#include "frontend/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>

namespace faultline::frontend {

namespace {

// The flags -fNAME and -mNAME that a file may set (frontend/compiling/flag_filter.h).

// clang-format off
// A name that ends in = has its value in the same word; one that ends in * matches all names with this beginning.
constexpr std::string_view kept[] = {
  // Floating-point arithmetic.
  "fast-math", "associative-math", "reciprocal-math", "signed-zeros", "honor-nans", "honor-infinities",
  "finite-math-only", "trapping-math", "math-errno", "unsafe-math-optimizations", "rounding-math", "approx-func",
  "fp-contract=", "fp-model=", "fp-eval-method=", "fp-exception-behavior=", "excess-precision=", "float-store",
  "single-precision-constant", "cx-limited-range", "cx-fortran-rules", "complex-arithmetic=", "denormal-fp-math=",
  "strict-float-cast-overflow", "signaling-nans", "veclib=",
  // The language.
  "strict-aliasing", "strict-overflow", "strict-enums", "strict-return", "strict-flex-arrays=",
  "strict-vtable-pointers", "wrapv", "trapv", "delete-null-pointer-checks", "signed-char", "unsigned-char",
  "signed-bitfields", "unsigned-bitfields", "short-enums", "short-wchar", "pack-struct", "pack-struct=", "builtin",
  "builtin-*", "hosted", "freestanding", "gnu89-inline", "gnu-keywords", "asm", "asm-blocks", "ms-extensions",
  "ms-compatibility", "permissive", "blocks", "exceptions", "cxx-exceptions", "non-call-exceptions", "objc-arc",
  "rtti", "rtti-data", "threadsafe-statics", "use-cxa-atexit", "sized-deallocation", "aligned-allocation",
  "aligned-new", "aligned-new=", "new-alignment=", "char8_t", "coroutines", "operator-names", "elide-constructors",
  "access-control", "implicit-templates", "assume-sane-operator-new", "relaxed-template-template-args",
  "template-depth=", "template-depth-*", "constexpr-depth=", "constexpr-steps=", "bracket-depth=", "declspec",
  "digraphs", "dollars-in-identifiers", "extended-identifiers", "input-charset=", "exec-charset=",
  "clang-abi-compat=", "experimental-library", "openmp", "openmp=", "openmp-simd", "openmp-version=", "openacc",
  "for-scope", "lax-vector-conversions", "lax-vector-conversions=",
  // Fortran.
  "fixed-form", "free-form", "fixed-line-length=", "fixed-line-length-*", "default-real-8", "default-integer-8",
  "large-sizes", "implicit-none", "backslash", "xor-operator", "logical-abbreviations", "stack-arrays",
  "underscoring", "automatic", "realloc-lhs", "version-loops-for-stride",
  // Code generation and optimisation.
  "PIC", "pic", "PIE", "pie", "plt", "semantic-interposition", "visibility=", "visibility-*", "common",
  "function-sections", "data-sections", "unwind-tables", "asynchronous-unwind-tables", "omit-frame-pointer",
  "stack-protector", "stack-protector-all", "stack-protector-strong", "stack-clash-protection", "stack-check",
  "cf-protection", "cf-protection=", "zero-initialized-in-bss", "merge-all-constants", "merge-constants",
  "jump-tables", "unroll-loops", "vectorize", "tree-vectorize", "slp-vectorize", "tree-slp-vectorize", "tree-vrp",
  "inline", "inline-functions", "inline-hint-functions", "inline-small-functions", "inline-limit=",
  "optimize-sibling-calls", "lto", "lto=", "fat-lto-objects", "whole-program-vtables", "split-lto-unit", "gcse",
  "align-functions", "align-functions=", "align-loops", "align-loops=", "align-jumps", "align-jumps=", "align-labels",
  "align-labels=", "prefetch-loop-arrays", "schedule-insns", "schedule-insns2", "strength-reduce", "peel-loops",
  "tls-model=", "emulated-tls", "force-emit-vtables", "direct-access-external-data", "trivial-auto-var-init=",
  "zero-call-used-regs=", "sanitize*", "debug-info-for-profiling", "standalone-debug", "limit-debug-info",
  "debug-macro", "eliminate-unused-debug-types", "file-prefix-map=", "debug-prefix-map=", "macro-prefix-map=",
  "debug-compilation-dir=", "debug-types-section", "addrsig", "ident", "unique-section-names", "finite-loops",
  "split-stack", "keep-static-consts",
};

constexpr std::string_view dropped[] = {
  // Messages.
  "diagnostics-*", "color-diagnostics", "color-diagnostics=", "ansi-escape-codes", "message-length=",
  "caret-diagnostics", "show-*", "error-limit=", "max-errors=", "macro-backtrace-limit=", "template-backtrace-limit=",
  "spell-checking", "elide-type", "pretty-templates", "analyzer", "analyzer-*",
  // Additional output files.
  "time-report", "time-report=", "time-trace", "time-trace=", "time-trace-granularity=", "proc-stat-report",
  "proc-stat-report=", "save-optimization-record", "save-optimization-record=", "optimization-record-file=", "dump-*",
  "stack-usage", "callgraph-info", "callgraph-info=", "crash-diagnostics", "crash-diagnostics=",
  "crash-diagnostics-dir=", "opt-info", "opt-info-*",
  // Execution counts.
  "profile-*", "coverage-*", "test-coverage", "auto-profile", "auto-profile=", "branch-probabilities",
  "instrument-functions", "instrument-functions-*", "xray-*",
  // The kind of the result; the assembler and the linker.
  "syntax-only", "verbose-asm", "integrated-as", "use-ld=", "use-linker-plugin", "lto-*", "linker-output=",
  "record-gcc-switches", "record-command-line", "working-directory", "pch-*",
  // C++20 modules, as CMake builds them. A source that imports one does not compile, which is reported.
  "modules-ts", "module-mapper=", "deps-*", "modules-reduced-bmi", "module-output=",
  // GFortran's, unknown to Flang.
  "recursive", "max-stack-var-size=", "cray-pointer", "d-lines-as-comments", "d-lines-as-code", "dec", "dec-*",
  "init-*", "external-blas", "blas-matmul-limit=", "bounds-check", "check=", "check-array-temporaries", "fpe-trap=",
  "fpe-summary=", "protect-parens", "frontend-optimize", "range-check", "all-intrinsics", "max-identifier-length=",
  "module-private", "sign-zero", "backtrace", "coarray=", "trampolines",
  // GCC's, unknown to Clang.
  "tree-*", "ipa-*", "ira-*", "sched-*", "gcse-*", "loop-*", "vect-cost-model=", "vect-cost-model", "graphite-*",
  "graphite", "conserve-stack", "fp-int-builtin-inexact", "concepts", "constexpr-loop-limit=", "constexpr-ops-limit=",
  "abi-version=", "reroll-loops", "hardened", "implicit-constexpr", "nonansi-builtins", "no-op", "concepts-ts",
  "second-underscore", "free-line-length-*", "allow-argument-mismatch", "allow-invalid-boz", "rename-registers",
  "caller-saves", "web", "if-conversion", "if-conversion2", "crossjumping", "split-loops", "unswitch-loops",
  "unit-at-a-time", "toplevel-reorder", "reorder-blocks", "reorder-functions", "reorder-blocks-and-partition",
  "partial-inlining", "cse-follow-jumps", "rerun-cse-after-loop", "defer-pop", "forward-propagate", "shrink-wrap",
  "stdarg-opt", "store-merging", "thread-jumps", "var-tracking", "var-tracking-*", "ext-numeric-literals",
  "strict-volatile-bitfields", "isolate-erroneous-paths-dereference", "section-anchors", "devirtualize",
  "allow-store-data-races", "code-hoisting", "gnu-tm", "gnu-unique", "weak", "compare-debug", "plan9-extensions",
};

constexpr std::string_view machine_values[] = {
  "arch=", "tune=", "cpu=", "fpmath=", "abi=", "cmodel=", "prefer-vector-width=", "stack-alignment=", "tls-dialect=",
  "stack-protector-guard=", "function-return=", "harden-sls=", "recip=",
};
constexpr std::string_view dropped_machine_values[] = {"preferred-stack-boundary=", "veclibabi=", "indirect-branch="}; // GCC's
// clang-format on

bool matches(std::string_view pattern, std::string_view name) {
  const char last = pattern.back();
  return last == '='   ? name.starts_with(pattern)
         : last == '*' ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                       : name == pattern;
}

bool any_matches(const auto& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) { return matches(pattern, name); });
}

FlagUse use_of_feature(std::string_view name) {
  const std::string_view plain = name.starts_with("no-") ? name.substr(3) : name;
  if (any_matches(kept, plain))
    return FlagUse::keep;
  return any_matches(dropped, plain) ? FlagUse::drop : FlagUse::refuse;
}

FlagUse use_of_machine_feature(std::string_view name) {
  if (any_matches(machine_values, name))
    return FlagUse::keep;
  if (any_matches(dropped_machine_values, name))
    return FlagUse::drop;
  // Features of processors, such as -mavx2 and -mno-fma, are numerous and have no value.
  const bool plain = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '.' || c == '+' || c == '_';
  });
  const bool other = std::ranges::any_of(std::array<std::string_view, 4>{"llvm", "mlir", "link", "thread-model"},
                                         [&](std::string_view begin) { return name.starts_with(begin); });
  return plain && !other ? FlagUse::keep : FlagUse::refuse;
}

using enum FlagShape;
using enum FlagUse;

constexpr FlagRule rules[] = {
    // Language and standard. `languages` has the accepted values of -x.
    {"-std=", joined, keep},
    {"--std=", joined, keep},
    {"-ansi", alone, keep},
    {"-x", either, keep},
    {"-cpp", alone, keep},
    {"-nocpp", alone, keep},
    {"-traditional-cpp", alone, keep},
    {"-trigraphs", alone, keep},
    // Headers and macros.
    {"-D", either, keep},
    {"-U", either, keep},
    {"-I", either, keep},
    {"-F", either, keep},
    {"-isystem", either, keep},
    {"-iquote", either, keep},
    {"-idirafter", either, keep},
    {"-iprefix", either, keep},
    {"-iwithprefix", either, keep},
    {"-iwithprefixbefore", either, keep},
    {"-isysroot", either, keep},
    {"--sysroot=", joined, keep},
    {"--sysroot", separate, keep},
    {"-include", either, keep},
    {"-imacros", either, keep},
    {"-nostdinc", alone, keep},
    {"-nostdinc++", alone, keep},
    {"-undef", alone, keep},
    {"-stdlib=", joined, keep},
    {"-pthread", alone, keep},
    {"-working-directory", separate, keep},
    {"-working-directory=", joined, keep},
    // A precompiled header: CMake names the header itself, too.
    {"-include-pch", separate, drop},
    // Fortran modules: files are read from there, and never written.
    {"-J", either, keep},
    {"-module-dir", separate, keep},
    // Optimisation and debug information.
    {"-O", joined, keep},
    {"-g", alone, keep},
    {"-g0", alone, keep},
    {"-g1", alone, keep},
    {"-g2", alone, keep},
    {"-g3", alone, keep},
    {"-ggdb", joined, keep},
    {"-gdwarf", joined, keep},
    {"-gno-", joined, keep},
    {"-gcolumn-info", alone, keep},
    {"-gline-tables-only", alone, keep},
    {"-gline-directives-only", alone, keep},
    {"-gstrict-dwarf", alone, keep},
    {"-gsplit-dwarf", joined, drop},
    {"-gz", joined, drop},
    {"-gpubnames", alone, drop},
    {"-ggnu-pubnames", alone, drop},
    {"-grecord-", joined, drop},
    {"-gvariable-location-views", joined, drop}, // GCC's
    {"-gstatement-frontiers", alone, drop},      // GCC's
    {"-gas-loc", joined, drop},                  // GCC's
    // The machine: other targets are rejected.
    {"-target", separate, keep},
    {"--target=", joined, keep},
    // Warnings and messages. for_preprocessor checks -Wp,.
    {"-W", joined, drop},
    {"-Wp,", joined, keep},
    {"-w", alone, drop},
    {"-R", joined, drop},
    {"-pedantic", joined, drop},
    {"--pedantic", joined, drop},
    {"-Qunused-arguments", alone, drop},
    {"-v", alone, drop},
    {"--verbose", alone, drop},
    {"-###", alone, drop},
    {"-H", alone, drop},
    // Dependencies.
    {"-M", alone, drop},
    {"-MM", alone, drop},
    {"-MD", alone, drop},
    {"-MMD", alone, drop},
    {"-MP", alone, drop},
    {"-MG", alone, drop},
    {"-MV", alone, drop},
    {"-MF", either, drop},
    {"-MT", either, drop},
    {"-MQ", either, drop},
    {"-MJ", either, drop},
    // The kind and the name of the result.
    {"-o", either, drop},
    {"-c", alone, drop},
    {"-S", alone, drop},
    {"-E", alone, drop},
    {"-P", alone, drop},
    {"-C", alone, drop},
    {"-emit-llvm", alone, drop},
    {"-save-temps", joined, drop},
    {"--save-temps", joined, drop},
    {"-save-stats", joined, drop},
    {"-dumpdir", separate, drop},
    {"-pipe", alone, drop},
    {"--coverage", alone, drop},
    {"-coverage", alone, drop},
    {"-p", alone, drop},
    {"-pg", alone, drop},
    {"-no-canonical-prefixes", alone, drop},
    {"--param", separate, drop}, // GCC's
    {"--param=", joined, drop},  // GCC's
    // The assembler and the linker.
    {"-Wa,", joined, drop},
    {"-Wl,", joined, drop},
    {"-Xassembler", separate, drop},
    {"-Xlinker", separate, drop},
    {"-L", either, drop},
    {"-l", either, drop},
    {"-z", separate, drop},
    {"-s", alone, drop},
    {"-rdynamic", alone, drop},
    {"-shared", alone, drop},
    {"-static", alone, drop},
    {"-static-libgcc", alone, drop},
    {"-static-libstdc++", alone, drop},
    {"-static-libgfortran", alone, drop},
    {"-pie", alone, drop},
    {"-no-pie", alone, drop},
    {"-nopie", alone, drop},
    {"-nostdlib", alone, drop},
    {"-nodefaultlibs", alone, drop},
    {"-nostartfiles", alone, drop},
    {"-specs=", joined, drop}, // GCC's; some distributions set it
    {"--specs=", joined, drop},
    // Options that pass a word to a part of the compiler, past its driver. A few common ones are accepted.
    {"-Xclang", separate, refuse},
    {"-Xpreprocessor", separate, refuse},
    {"-Xflang", separate, refuse},
    {"-load", separate, refuse},
    {"-mllvm", separate, refuse},
    {"-mmlir", separate, refuse},
};

bool matches(const FlagRule& rule, std::string_view word) {
  const bool longer_too = rule.shape == joined || rule.shape == either;
  return longer_too ? word.starts_with(rule.name) : word == rule.name;
}

} // namespace

FlagRule rule_for(std::string_view word) {
  const FlagRule* best = nullptr;
  for (const FlagRule& rule : rules)
    if (matches(rule, word) && (!best || rule.name.size() > best->name.size()))
      best = &rule;
  if (best)
    return *best;
  if (word.starts_with("-f"))
    return {word, alone, use_of_feature(word.substr(2))};
  if (word.starts_with("-m"))
    return {word, alone, use_of_machine_feature(word.substr(2))};
  return {word, alone, refuse};
}

namespace {

// The compiler must not read bitcode and assembly itself, since it has no guard (frontend/unit.h).
constexpr std::string_view languages[] = {"c", "c++", "none", "f77", "f77-cpp-input", "f95", "f95-cpp-input"};

// The handling of a flag that the table neither keeps nor drops.
enum class Unusual : uint8_t { refused, taken, left_out };

class Filter {
public:
  Filter(const std::vector<std::string>& flags, const std::string& file, Unusual unusual)
      : flags_(flags), file_(file), unusual_(unusual) {}

  BuildFlags run() {
    while (at_ < flags_.size())
      one();
    return std::move(result_);
  }

private:
  struct Flag {
    std::vector<std::string> words; // the flag, or the flag and its value
    std::optional<std::string> value;
  };

  void one() {
    const std::string& word = flags_[at_];
    const FlagRule rule = rule_for(word);
    const Flag flag = next(rule);
    if (word.starts_with("@") && word.ends_with(".modmap"))
      return; // CMake's, for C++20 modules
    if (!std::ranges::all_of(flag.words, is_read_as_it_stands))
      unusual(flag);
    else if (rule.name == "-Wp,")
      for_preprocessor(flag);
    else if (rule.name == "-Xclang" || rule.name == "-Xpreprocessor")
      for_part_of_compiler(flag);
    else if (rule.use == FlagUse::drop)
      return;
    else if (rule.use == FlagUse::refuse || !is_ordinary(rule, flag))
      unusual(flag);
    else if (rule.name == "-J" || rule.name == "-module-dir" || rule.name == "-include")
      take_in_other_words(rule, flag);
    else
      take(flag.words);
  }

  Flag next(const FlagRule& rule) {
    const std::string& word = flags_[at_++];
    Flag flag{{word}, {}};
    if (rule.shape == FlagShape::separate || (rule.shape == FlagShape::either && word == rule.name)) {
      if (at_ < flags_.size()) {
        flag.value = flags_[at_++];
        flag.words.push_back(*flag.value);
      }
    } else if (rule.shape != FlagShape::alone) {
      flag.value = word.substr(rule.name.size());
    }
    return flag;
  }

  // Compilers expand @FILE anywhere, and ignore everything after a zero byte.
  static bool is_read_as_it_stands(const std::string& word) {
    return !word.starts_with("@") && word.find('\0') == std::string::npos;
  }

  static bool is_ordinary(const FlagRule& rule, const Flag& flag) {
    if (rule.shape == FlagShape::alone)
      return true;
    if (!flag.value)
      return false; // the last word, without a value
    if (rule.name == "-x")
      return std::ranges::find(languages, *flag.value) != std::end(languages);
    if (rule.name == "-target" || rule.name == "--target=")
      return flag.value->starts_with("x86_64");
    return true;
  }

  // A value becomes a separate word, or a word ends where a value was empty: neither may be parsed as another flag.
  void take_in_other_words(const FlagRule& rule, const Flag& flag) {
    if (flag.value->empty() || !is_read_as_it_stands(*flag.value))
      unusual(flag);
    else if (rule.name == "-include")
      include(*flag.value);
    else
      take({"-I" + *flag.value});
  }

  // Uses the front end's own option: the driver's would use HEADER.pch instead of HEADER if it exists.
  void include(const std::string& header) { take({"-Xclang", "-include", "-Xclang", header}); }

  // Handles what CMake writes for a precompiled header with Clang (the header, and the text that it was made from), and
  // for OpenMP with Apple's compiler.
  void for_part_of_compiler(const Flag& flag) {
    const bool has_file = at_ + 1 < flags_.size() && flags_[at_] == "-Xclang" && !flags_[at_ + 1].starts_with("-") &&
                          is_read_as_it_stands(flags_[at_ + 1]);
    if (flag.value == "-fopenmp")
      return take({*flag.value});
    if (!has_file || (flag.value != "-include" && flag.value != "-include-pch"))
      return unusual(flag);
    if (flag.value == "-include")
      include(flags_[at_ + 1]);
    at_ += 2;
  }

  // -Wp,-D_FORTIFY_SOURCE=3,-MD,FILE
  void for_preprocessor(const Flag& flag) {
    const std::string& parts = *flag.value;
    const auto end_of = [&](size_t from) { return std::min(parts.find(',', from), parts.size()); };
    for (size_t from = 0; from < parts.size();) {
      const std::string part = parts.substr(from, end_of(from) - from);
      from = end_of(from) + 1;
      if (part.size() > 2 && (part.starts_with("-D") || part.starts_with("-U")))
        take({part});
      else if (part == "-MD" || part == "-MMD" || part == "-MF" || part == "-MT" || part == "-MQ")
        from = from < parts.size() ? end_of(from) + 1 : from; // skips its file
      else if (part != "-MP" && part != "-MG" && part != "-w")
        return unusual(flag);
    }
  }

  void take(const std::vector<std::string>& words) { std::ranges::copy(words, std::back_inserter(result_.taken)); }

  void unusual(const Flag& flag) {
    if (unusual_ == Unusual::taken)
      return take(flag.words);
    if (unusual_ == Unusual::left_out)
      return result_.left_out.push_back(fmt::format("{}", fmt::join(flag.words, " ")));
    throw UserError(status_usage,
                    fmt::format("{}: the compiler flag '{}' is not taken from a file: it could make the compiler run "
                                "or write anything",
                                file_, fmt::join(flag.words, " ")),
                    fmt::format("if you trust the author of {}, use --trust-flags", file_));
  }

  const std::vector<std::string>& flags_;
  const std::string& file_;
  Unusual unusual_;
  size_t at_ = 0;
  BuildFlags result_;
};

} // namespace

std::vector<std::string> flags_from_file(const std::vector<std::string>& flags, const std::string& file, Trust trust) {
  return Filter(flags, file, trust == Trust::yes ? Unusual::taken : Unusual::refused).run().taken;
}

BuildFlags flags_of_build(const std::vector<std::string>& flags) {
  return Filter(flags, "the command line", Unusual::left_out).run();
}

} // namespace faultline::frontend
