#include "program/compiling/flag_filter.h"

#include "base/error.h"
#include "program/compiling/option_table.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <string_view>

namespace faultline::program {

namespace {

using Shape = CompilerOption::Shape;

// clang-format off
// -fNAME and -fno-NAME. A name that ends in = or - has a value, which is one word.
constexpr std::string_view features[] = {
  // Floating-point arithmetic.
  "fast-math", "associative-math", "reciprocal-math", "signed-zeros", "honor-nans", "honor-infinities",
  "finite-math-only", "trapping-math", "math-errno", "unsafe-math-optimizations", "rounding-math", "approx-func",
  "fp-contract=", "fp-model=", "fp-eval-method=", "fp-exception-behavior=", "excess-precision=", "cx-limited-range",
  "cx-fortran-rules", "complex-arithmetic=", "denormal-fp-math=", "strict-float-cast-overflow", "veclib=",
  // The language.
  "strict-aliasing", "strict-overflow", "strict-enums", "strict-return", "strict-flex-arrays=",
  "strict-vtable-pointers", "wrapv", "trapv", "delete-null-pointer-checks", "signed-char", "unsigned-char",
  "signed-bitfields", "unsigned-bitfields", "short-enums", "short-wchar", "pack-struct", "pack-struct=", "builtin",
  "builtin-", "hosted", "freestanding", "gnu89-inline", "gnu-keywords", "asm", "asm-blocks", "ms-extensions",
  "ms-compatibility", "blocks", "exceptions", "cxx-exceptions", "objc-arc", "rtti", "rtti-data", "threadsafe-statics",
  "use-cxa-atexit", "sized-deallocation", "aligned-allocation", "aligned-new=", "new-alignment=", "char8_t",
  "coroutines", "operator-names", "elide-constructors", "access-control", "assume-sane-operator-new",
  "relaxed-template-template-args", "template-depth=", "constexpr-depth=", "constexpr-steps=", "bracket-depth=",
  "declspec", "digraphs", "dollars-in-identifiers", "trigraphs", "input-charset=", "exec-charset=",
  "clang-abi-compat=", "experimental-library", "openmp", "openmp=", "openmp-simd", "openmp-version=", "openacc",
  "for-scope", "lax-vector-conversions=",
  // Fortran.
  "fixed-form", "free-form", "fixed-line-length=", "default-real-8", "default-integer-8", "large-sizes",
  "implicit-none", "backslash", "xor-operator", "logical-abbreviations", "stack-arrays", "underscoring", "automatic",
  "realloc-lhs", "version-loops-for-stride",
  // Code generation and optimisation.
  "PIC", "pic", "PIE", "pie", "plt", "semantic-interposition", "visibility=", "visibility-inlines-hidden", "common",
  "function-sections", "data-sections", "unwind-tables", "asynchronous-unwind-tables", "omit-frame-pointer",
  "stack-protector", "stack-protector-all", "stack-protector-strong", "stack-clash-protection", "cf-protection=",
  "zero-initialized-in-bss", "merge-all-constants", "jump-tables", "unroll-loops", "vectorize", "slp-vectorize",
  "inline", "inline-functions", "inline-hint-functions", "optimize-sibling-calls", "lto", "lto=", "fat-lto-objects",
  "whole-program-vtables", "split-lto-unit", "align-functions", "align-functions=", "align-loops", "align-loops=",
  "tls-model=", "emulated-tls", "force-emit-vtables", "direct-access-external-data", "trivial-auto-var-init=",
  "zero-call-used-regs=", "sanitize=", "sanitize-trap", "sanitize-trap=", "sanitize-recover", "sanitize-recover=",
  "sanitize-undefined-trap-on-error", "debug-info-for-profiling", "standalone-debug", "debug-macro",
  "eliminate-unused-debug-types", "debug-types-section", "addrsig", "unique-section-names", "finite-loops",
  "split-stack", "keep-static-consts",
};

// Groups of options that are dropped: warnings and remarks, dependencies, what is for the linker, and what clang or
// flang ignores.
constexpr std::string_view dropped_groups[] = {
  "<W group>", "<R group>", "<pedantic group>", "<M group>", "<T/e/s/t/u group>", "<gfortran group>",
  "<clang ignored f group>", "<clang_ignored_gcc_optimization_f_Group>",
};

// Names, and beginnings of names with * at their end. They also apply to options that the compilers do not know.
constexpr std::string_view dropped[] = {
  // Messages.
  "-w", "-Q*", "-v", "-###", "-H", "-Wa,", "-Wlarge-by-value-copy=", "-Wno-nonportable-cfstrings",
  "-Wnonportable-cfstrings", "-fdiagnostics-*", "-fno-diagnostics-*", "-fcolor-diagnostics*", "-fno-color-diagnostics",
  "-fansi-escape-codes", "-fmessage-length=", "-fcaret-diagnostics*", "-fno-caret-diagnostics", "-fshow-*",
  "-fno-show-*", "-ferror-limit=", "-fmax-errors=", "-fmacro-backtrace-limit=", "-ftemplate-backtrace-limit=",
  "-fspell-checking*", "-fno-spell-checking", "-fno-elide-type", "-fpretty-templates", "-fno-pretty-templates",
  "-fanalyzer*", "-fno-analyzer*",
  // Additional output files.
  "-MJ", "-ftime-report*", "-fno-time-report", "-ftime-trace*", "-fproc-stat-report*", "-fsave-optimization-record*",
  "-fno-save-optimization-record", "-foptimization-record-file=", "-fdump-*", "-fno-dump-*", "-fstack-usage",
  "-fcallgraph-info*", "-fcrash-diagnostics*", "-fno-crash-diagnostics", "-fopt-info*", "-save-temps*",
  "-save-stats*", "-dumpdir",
  // Execution counts.
  "-fprofile-*", "-fno-profile-*", "-fcoverage-*", "-fno-coverage-*", "-ftest-coverage", "-fno-test-coverage",
  "-fauto-profile*", "-fno-auto-profile", "-fbranch-probabilities", "-finstrument-functions*", "-fxray-*",
  "-fno-xray-*", "-p", "-pg",
  // The kind and the name of the result; the assembler and the linker.
  "-o", "-c", "-S", "-E", "-P", "-C", "-emit-llvm", "-pipe", "-fsyntax-only", "-fverbose-asm", "-fno-verbose-asm",
  "-fintegrated-as", "-fno-integrated-as", "-fuse-ld=", "-fuse-linker-plugin", "-flto-*", "-flinker-output=",
  "-frecord-gcc-switches", "-frecord-command-line", "-fno-record-command-line", "-fworking-directory",
  "-fno-working-directory", "-Xassembler", "-no-pie", "-nopie", "-nodefaultlibs", "-static-libgcc",
  "-static-libstdc++", "-specs=*", "--specs=*", "-no-canonical-prefixes",
  // Precompiled headers: CMake names the header itself, too. C++20 modules, as CMake builds them: a source that imports
  // one does not compile, which is reported.
  "-include-pch", "-fpch-*", "-fno-pch-*", "-fmodules-ts", "-fmodule-mapper=*", "-fdeps-*", "-fmodules-reduced-bmi",
  "-fmodule-output=*",
  // Parts of debug information that do not matter here.
  "-gsplit-dwarf*", "-gz*", "-gpubnames", "-ggnu-pubnames", "-grecord-*", "-gvariable-location-views*",
  "-gstatement-frontiers", "-gas-loc*",
  // GFortran's, unknown to Flang.
  "-fdec*", "-fno-dec*", "-ffpe-summary=*", "-fmax-identifier-length=*", "-ftrampolines", "-fno-trampolines",
  "-fallow-argument-mismatch", "-fallow-invalid-boz",
  // GCC's, unknown to Clang.
  "--param", "-mpreferred-stack-boundary=*", "-mveclibabi=*", "-mindirect-branch=*", "-ftree-*", "-fno-tree-*",
  "-fipa-*", "-fno-ipa-*", "-fira-*", "-fno-ira-*", "-fsched-*", "-fno-sched-*", "-fgcse-*", "-fno-gcse-*", "-floop-*",
  "-fno-loop-*", "-fvect-cost-model=*", "-fgraphite*", "-fno-graphite*", "-fconserve-stack", "-fno-conserve-stack",
  "-ffp-int-builtin-inexact", "-fno-fp-int-builtin-inexact", "-fconcepts*", "-fconstexpr-loop-limit=*",
  "-fconstexpr-ops-limit=*", "-fabi-version=*", "-freroll-loops", "-fno-reroll-loops", "-fhardened",
  "-fimplicit-constexpr", "-fno-implicit-constexpr", "-fno-nonansi-builtins", "-fif-conversion*",
  "-fno-if-conversion*", "-fcrossjumping", "-fno-crossjumping", "-fsplit-loops", "-fno-split-loops",
  "-ftoplevel-reorder", "-fno-toplevel-reorder", "-freorder-*", "-fno-reorder-*", "-fpartial-inlining",
  "-fno-partial-inlining", "-fcse-follow-jumps", "-fno-cse-follow-jumps", "-frerun-cse-after-loop",
  "-fno-rerun-cse-after-loop", "-fforward-propagate", "-fno-forward-propagate", "-fshrink-wrap*", "-fno-shrink-wrap*",
  "-fstdarg-opt", "-fno-stdarg-opt", "-fstore-merging", "-fno-store-merging", "-fthread-jumps", "-fno-thread-jumps",
  "-fvar-tracking*", "-fno-var-tracking*", "-fext-numeric-literals", "-fno-ext-numeric-literals",
  "-fstrict-volatile-bitfields", "-fno-strict-volatile-bitfields", "-fisolate-erroneous-paths-dereference",
  "-fsection-anchors", "-fno-section-anchors", "-fallow-store-data-races", "-fno-allow-store-data-races",
  "-fcode-hoisting", "-fno-code-hoisting", "-fgnu-tm", "-fgnu-unique", "-fno-gnu-unique", "-fweak", "-fno-weak",
  "-fcompare-debug*", "-fplan9-extensions",
};
// clang-format on

enum class Value : uint8_t { none, word, text, macro, name, folder, root, header, modules, language, target };

struct Kept {
  std::string_view name;
  Value value = Value::none;
};

constexpr Kept kept[] = {
    // Language and standard.
    {"-std=", Value::word},
    {"-ansi"},
    {"-x", Value::language},
    {"-cpp"},
    {"-nocpp"},
    {"-traditional-cpp"},
    // Headers and macros.
    {"-D", Value::macro},
    {"-U", Value::name},
    {"-I", Value::folder},
    {"-F", Value::folder},
    {"-isystem", Value::folder},
    {"-iquote", Value::folder},
    {"-idirafter", Value::folder},
    {"-isysroot", Value::root},
    {"--sysroot=", Value::root},
    {"-include", Value::header},
    {"-imacros", Value::header},
    {"-nostdinc"},
    {"-nostdinc++"},
    {"-undef"},
    {"-stdlib=", Value::word},
    {"-pthread"},
    // Fortran modules: files are read from there, and never written.
    {"-module-dir", Value::modules},
    // Optimisation and debug information.
    {"-O", Value::word},
    {"-O0"},
    {"-O4"},
    {"-Ofast", Value::word},
    {"-g"},
    {"-g0"},
    {"-g2"},
    {"-g3"},
    {"-ggdb"},
    {"-ggdb0"},
    {"-ggdb1"},
    {"-ggdb2"},
    {"-ggdb3"},
    {"-gdwarf"},
    {"-gdwarf-2"},
    {"-gdwarf-3"},
    {"-gdwarf-4"},
    {"-gdwarf-5"},
    {"-gdwarf32"},
    {"-gdwarf64"},
    {"-gdwarf-aranges"},
    {"-gcolumn-info"},
    {"-gno-column-info"},
    {"-ginline-line-tables"},
    {"-gno-inline-line-tables"},
    {"-gline-tables-only"},
    {"-gline-directives-only"},
    {"-gstrict-dwarf"},
    {"-gno-strict-dwarf"},
    {"-gno-gnu-pubnames"},
    {"-gno-pubnames"},
    {"-gno-record-command-line"},
    {"-gno-split-dwarf"},
    {"-ffile-prefix-map=", Value::text},
    {"-fdebug-prefix-map=", Value::text},
    {"-fmacro-prefix-map=", Value::text},
    {"-fdebug-compilation-dir=", Value::text},
    // The machine: other targets are rejected. Options without a value that only select features need no entry.
    {"--target=", Value::target},
    {"-march=", Value::word},
    {"-mtune=", Value::word},
    {"-mcpu=", Value::word},
    {"-mfpmath=", Value::word},
    {"-mabi=", Value::word},
    {"-mcmodel=", Value::word},
    {"-mprefer-vector-width=", Value::word},
    {"-mstack-alignment=", Value::word},
    {"-mtls-dialect=", Value::word},
    {"-mstack-protector-guard=", Value::word},
    {"-mfunction-return=", Value::word},
    {"-mharden-sls=", Value::word},
    {"-mrecip=", Value::word},
    {"-mlong-double-64"},
    {"-mlong-double-80"},
    {"-mlong-double-128"},
    {"-m3dnow"},
    {"-mno-3dnow"},
    {"-m3dnowa"},
    {"-mno-3dnowa"},
};

// The compiler must not read bitcode and assembly itself, since it has no guard (program/unit.h).
constexpr std::string_view languages[] = {"c", "c++", "none", "f77", "f77-cpp-input", "f95", "f95-cpp-input"};

bool has_group(const CompilerOption& option, std::string_view group) {
  return std::ranges::find(option.groups, group) != option.groups.end();
}

// Returns the sort of the option's value; nothing if the option is not kept.
std::optional<Value> kept_value(const CompilerOption& option) {
  if (option.shape == Shape::unknown || option.shape == Shape::input || option.shape == Shape::incomplete)
    return std::nullopt;
  if (const auto* rule = std::ranges::find(kept, option.name, &Kept::name); rule != std::end(kept))
    return rule->value;
  std::string_view name = option.name;
  if (name.starts_with("-f")) {
    name.remove_prefix(name.starts_with("-fno-") ? 5 : 2);
    if (std::ranges::find(features, name) != std::end(features))
      return option.values.empty() ? Value::none : Value::word;
  }
  if (option.shape == Shape::alone && name.starts_with("-m") && has_group(option, "<m group>"))
    return Value::none;
  return std::nullopt;
}

bool is_dropped(const CompilerOption& option) {
  const auto matches = [&](std::string_view pattern) {
    return pattern.ends_with("*") ? option.name.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : option.name == pattern;
  };
  return std::ranges::any_of(dropped_groups, [&](std::string_view group) { return has_group(option, group); }) ||
         std::ranges::any_of(dropped, matches);
}

bool all_of(std::string_view text, const char* others) {
  return std::ranges::all_of(text, [&](unsigned char c) {
    return std::isalnum(c) || std::string_view(others).find(char(c)) != std::string_view::npos;
  });
}

bool is_printable(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; });
}

bool is_name(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::ranges::all_of(text,
                             [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$' || c >= 0x80; });
}

// NAME, NAME=TEXT or NAME(PARAMETERS)=TEXT
bool is_macro(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('='));
  const size_t open = head.find('(');
  const bool closed = open == std::string_view::npos || (head.ends_with(")") && all_of(head.substr(open), "_$(), ."));
  return closed && is_name(head.substr(0, open)) && is_printable(text);
}

// A value that begins otherwise is read as an option, a response file, or a path below the system root.
bool is_path(std::string_view text) {
  return !text.empty() && is_printable(text) && std::string_view("-@=").find(text[0]) == std::string_view::npos;
}

bool is_well_formed(Value sort, std::string_view value) {
  switch (sort) {
  case Value::none:
    return value.empty();
  case Value::word:
    return all_of(value, "_.,+:=!-");
  case Value::text:
    return is_printable(value);
  case Value::macro:
    return is_macro(value);
  case Value::name:
    return is_name(value);
  case Value::language:
    return std::ranges::find(languages, value) != std::end(languages);
  case Value::target:
    return value.starts_with("x86_64") && all_of(value, "_.-");
  default:
    return is_path(value);
  }
}

bool is_for_path(Value sort) {
  return sort == Value::folder || sort == Value::root || sort == Value::header || sort == Value::modules;
}

// The handling of an option that is neither kept nor dropped.
enum class Unusual : uint8_t { refused, taken, left_out };

class Filter {
public:
  Filter(const std::vector<std::string>& flags, const FlagFile& file, Unusual unusual)
      : flags_(flags), file_(file), unusual_(unusual) {}

  BuildFlags run() {
    while (at_ < flags_.size())
      one();
    return std::move(result_);
  }

private:
  void one() {
    if (const auto zero = std::ranges::find_if(flags_, has_zero_byte); zero != flags_.end())
      throw base::UserError(base::status_usage,
                            fmt::format("{}: the compiler flag '{}' has a zero byte", file_.name, *zero));
    const CompilerOption option = read_option(flags_, at_, Compilers::both);
    at_ += option.words.size();
    if (option.name.starts_with("@") && option.name.ends_with(".modmap"))
      return; // CMake's, for C++20 modules
    if (std::ranges::any_of(option.words, [](const std::string& word) { return word.starts_with("@"); }))
      unusual(option, "compilers read more flags from such a file");
    else if (option.name == "-Wp,")
      for_preprocessor(option);
    else if (option.name == "-Xclang" || option.name == "-Xpreprocessor")
      for_part_of_compiler(option);
    else if (const std::optional<Value> sort = kept_value(option); sort)
      keep(option, *sort);
    else if (!is_dropped(option) || option.shape == Shape::incomplete)
      unusual(option, usual_reason);
  }

  static bool has_zero_byte(const std::string& word) { return word.find('\0') != std::string::npos; }

  void keep(CompilerOption option, Value sort) {
    const std::string value = fmt::format("{}", fmt::join(option.values, ","));
    if (!is_well_formed(sort, value))
      return unusual(option, "its value is malformed, or not one that Faultline supports");
    if (is_for_path(sort)) {
      option.values = {relative_to(file_.folder, value)};
      if (unusual_ == Unusual::refused && !may_lead_to(option.values[0], sort))
        return unusual(option, "it leads out of the project");
    }
    if (sort == Value::modules)
      option.name = "-I";
    else if (sort == Value::header && option.name == "-include")
      return include(option.values[0]);
    const std::vector<std::string> words = canonical_words(option);
    means_the_same(option, words) ? take(words) : unusual(option, "it would mean something else in another place");
  }

  bool may_lead_to(const std::string& path, Value sort) const {
    return (sort == Value::root && path == "/") || file_.project.contain(std::filesystem::path(file_.directory) / path);
  }

  static bool means_the_same(const CompilerOption& option, const std::vector<std::string>& words) {
    return std::ranges::all_of(std::initializer_list{Compilers::clang, Compilers::flang}, [&](Compilers one) {
      const CompilerOption again = read_option(words, 0, one);
      const bool refused = again.shape == Shape::unknown; // by the compiler, which then does nothing
      return (refused && words.size() == 1) ||
             (again.name == option.name && again.values == option.values && again.words.size() == words.size());
    });
  }

  // Uses the front end's own option: the driver's would use HEADER.pch instead of HEADER if it exists.
  void include(const std::string& header) { take({"-Xclang", "-include", "-Xclang", header}); }

  // Handles what CMake writes for a precompiled header with Clang (the header, and the text that it was made from), and
  // for OpenMP with Apple's compiler.
  void for_part_of_compiler(const CompilerOption& option) {
    if (option.values.size() == 1 && option.values[0] == "-fopenmp")
      return take({"-fopenmp"});
    const bool names_header = option.name == "-Xclang" && option.values.size() == 1 &&
                              (option.values[0] == "-include" || option.values[0] == "-include-pch") &&
                              at_ < flags_.size();
    if (!names_header)
      return unusual(option, usual_reason);
    CompilerOption header = read_option(flags_, at_, Compilers::both);
    if (header.name != "-Xclang" || header.values.size() != 1)
      return unusual(option, usual_reason);
    at_ += header.words.size();
    if (option.values[0] == "-include") {
      header.name = "-include";
      keep(header, Value::header);
    } else if (!is_path(header.values[0])) {
      unusual(header, usual_reason);
    }
  }

  // -Wp,-D_FORTIFY_SOURCE=3,-MD,FILE
  void for_preprocessor(const CompilerOption& option) {
    for (size_t i = 0; i < option.values.size(); ++i) {
      const std::string& part = option.values[i];
      if (part.starts_with("-D") || part.starts_with("-U"))
        keep({Shape::joined, part.substr(0, 2), {part.substr(2)}, option.words, {}},
             part[1] == 'D' ? Value::macro : Value::name);
      else if (part == "-MD" || part == "-MMD" || part == "-MF" || part == "-MT" || part == "-MQ")
        ++i; // skips its file
      else if (part != "-MP" && part != "-MG" && part != "-w")
        return unusual(option, usual_reason);
    }
  }

  void take(const std::vector<std::string>& words) { std::ranges::copy(words, std::back_inserter(result_.taken)); }

  void unusual(const CompilerOption& option, const char* reason) {
    if (unusual_ == Unusual::taken)
      return take(option.words);
    const std::string shown = fmt::format("{}", fmt::join(option.words, " "));
    if (unusual_ == Unusual::left_out)
      return result_.left_out.push_back(shown);
    throw base::UserError(
        base::status_usage,
        fmt::format("{}: the compiler flag '{}' is not taken from a file: {}", file_.name, shown, reason),
        fmt::format("if you trust the author of {}, use --trust-flags", file_.name));
  }

  static constexpr const char* usual_reason = "it could make the compiler run or write anything";

  const std::vector<std::string>& flags_;
  const FlagFile& file_;
  Unusual unusual_;
  size_t at_ = 0;
  BuildFlags result_;
};

} // namespace

std::vector<std::string> flags_from_file(const std::vector<std::string>& flags, const FlagFile& file, Trust trust) {
  return Filter(flags, file, trust == Trust::yes ? Unusual::taken : Unusual::refused).run().taken;
}

BuildFlags flags_of_build(const std::vector<std::string>& flags) {
  return Filter(flags, {"the command line", ProjectFolders()}, Unusual::left_out).run();
}

std::string relative_to(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.empty() || std::filesystem::path(path).is_absolute())
    return path;
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

} // namespace faultline::program
