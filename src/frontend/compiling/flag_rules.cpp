#include "frontend/compiling/flag_rules.h"

#include "frontend/compiling/feature_flags.h"

namespace faultline::frontend {
namespace {

using enum FlagShape;
using enum FlagUse;

constexpr FlagRule rules[] = {
    // Language and standard. -x is looked at more closely (frontend/compiling/flag_filter.cpp).
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
    // A header that was compiled before: CMake names the header itself, too.
    {"-include-pch", separate, drop},
    // Fortran's modules: they are read from there, and never written (flag_filter.cpp).
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
    // The machine: other targets are refused.
    {"-target", separate, keep},
    {"--target=", joined, keep},
    // Warnings and messages. -Wp, is looked at more closely.
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
    // What the result is, and where it goes.
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
    {"-specs=", joined, drop}, // GCC's; distributions build with some
    {"--specs=", joined, drop},
    // These hand a word to a part of the compiler, past its driver. A few are ordinary (flag_filter.cpp).
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

} // namespace faultline::frontend
