#include "frontend/compiling/feature_flags.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace faultline::frontend {
namespace {

// clang-format off
// A name that ends in = has a value in the same word; one that ends in * stands for all that begin like it.
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
  // Files that are written beside the result.
  "time-report", "time-report=", "time-trace", "time-trace=", "time-trace-granularity=", "proc-stat-report",
  "proc-stat-report=", "save-optimization-record", "save-optimization-record=", "optimization-record-file=", "dump-*",
  "stack-usage", "callgraph-info", "callgraph-info=", "crash-diagnostics", "crash-diagnostics=",
  "crash-diagnostics-dir=", "opt-info", "opt-info-*",
  // Counts of what is executed.
  "profile-*", "coverage-*", "test-coverage", "auto-profile", "auto-profile=", "branch-probabilities",
  "instrument-functions", "instrument-functions-*", "xray-*",
  // What the result is; what is for the assembler and the linker.
  "syntax-only", "verbose-asm", "integrated-as", "use-ld=", "use-linker-plugin", "lto-*", "linker-output=",
  "record-gcc-switches", "record-command-line", "working-directory", "pch-*",
  // The modules of C++20, as CMake builds them: who imports one does not compile, and that is told.
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

} // namespace

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
  // Features of processors, such as -mavx2 and -mno-fma, are many, and have no value.
  const bool plain = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '.' || c == '+' || c == '_';
  });
  const bool other = std::ranges::any_of(std::array<std::string_view, 4>{"llvm", "mlir", "link", "thread-model"},
                                         [&](std::string_view begin) { return name.starts_with(begin); });
  return plain && !other ? FlagUse::keep : FlagUse::refuse;
}

} // namespace faultline::frontend
