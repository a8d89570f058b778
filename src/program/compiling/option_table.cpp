#include "program/compiling/option_table.h"

#include <algorithm>
#include <array>
#include <clang/Driver/Options.h>
#include <iterator>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <memory>

namespace faultline::program {

namespace {

using namespace clang::driver::options;
using llvm::StringLiteral;
using llvm::opt::DefaultVis;
using llvm::opt::HelpHidden;
using llvm::opt::OptTable;
using llvm::opt::RenderAsInput;
using llvm::opt::RenderJoined;
using llvm::opt::RenderSeparate;
using llvm::opt::Visibility;
using Kind = llvm::opt::Option;

#define PREFIX(NAME, ...)                                                                                              \
  constexpr StringLiteral NAME##_and_end[] = __VA_ARGS__;                                                              \
  constexpr llvm::ArrayRef<StringLiteral> NAME(NAME##_and_end, std::size(NAME##_and_end) - 1);
#define COMMA ,
#include <clang/Driver/Options.inc>
#undef COMMA
#undef PREFIX

// Texts for users and for completion are left out.
constexpr OptTable::Info infos[] = {
#define OPTION(PREFIXES, NAME, ID, KIND, GROUP, ALIAS, ALIASARGS, FLAGS, VISIBILITY, PARAM, HELP, HELPS, METAVAR,      \
               VALUES)                                                                                                 \
  {PREFIXES,          NAME,                                                                                            \
   nullptr,           {},                                                                                              \
   nullptr,           OPT_##ID,                                                                                        \
   Kind::KIND##Class, PARAM,                                                                                           \
   unsigned(FLAGS),   unsigned(VISIBILITY),                                                                            \
   OPT_##GROUP,       OPT_##ALIAS,                                                                                     \
   ALIASARGS,         nullptr},
#include <clang/Driver/Options.inc>
#undef OPTION
};

class Table final : public llvm::opt::GenericOptTable {
public:
  Table() : GenericOptTable(infos) {}
};

const Table& table() {
  static const Table table;
  return table;
}

Visibility visibility(Compilers compilers) {
  const unsigned clang = unsigned(compilers) & unsigned(Compilers::clang) ? unsigned(ClangOption) : 0;
  const unsigned flang = unsigned(compilers) & unsigned(Compilers::flang) ? unsigned(FlangOption) : 0;
  return Visibility(clang | flang);
}

CompilerOption::Shape shape_of(const llvm::opt::Option& option) {
  using enum CompilerOption::Shape;
  switch (option.getKind()) {
  case Kind::UnknownClass:
    return unknown;
  case Kind::InputClass:
    return input;
  case Kind::FlagClass:
    return alone;
  case Kind::JoinedClass:
  case Kind::JoinedOrSeparateClass:
    return joined;
  case Kind::SeparateClass:
    return separate;
  case Kind::CommaJoinedClass:
    return list;
  default:
    return other;
  }
}

} // namespace

CompilerOption read_option(const std::vector<std::string>& words, size_t at, Compilers compilers) {
  constexpr size_t longest = 8; // words of an option; those with more, which take all words, are never accepted
  std::array<const char*, longest> few{};
  const size_t count = std::min(longest, words.size() - at);
  for (size_t i = 0; i < count; ++i)
    few[i] = words[at + i].c_str();
  const llvm::opt::InputArgList list(few.data(), few.data() + count);
  unsigned end = 0;
  const std::unique_ptr<llvm::opt::Arg> parsed = table().ParseOneArg(list, end, visibility(compilers));
  CompilerOption option;
  option.words.assign(words.begin() + long(at), words.begin() + long(at + std::min<size_t>(end, count)));
  if (!parsed) {
    option.shape = CompilerOption::Shape::incomplete;
    option.name = words[at];
    return option;
  }
  option.shape = shape_of(parsed->getOption());
  const bool is_option = option.shape != CompilerOption::Shape::unknown && option.shape != CompilerOption::Shape::input;
  option.name = is_option ? parsed->getOption().getPrefixedName().str() : words[at];
  option.values.assign(parsed->getValues().begin(), parsed->getValues().end());
  for (llvm::opt::Option group = parsed->getOption().getGroup(); group.isValid(); group = group.getGroup())
    option.groups.push_back(std::string_view(group.getName()));
  return option;
}

std::vector<std::string> canonical_words(const CompilerOption& option) {
  switch (option.shape) {
  case CompilerOption::Shape::alone:
    return {option.name};
  case CompilerOption::Shape::joined:
    return {option.name + option.values.at(0)};
  case CompilerOption::Shape::separate:
    return {option.name, option.values.at(0)};
  default:
    return option.words;
  }
}

std::vector<std::string> all_options(Compilers compilers) {
  std::vector<std::string> names;
  for (const OptTable::Info& info : infos)
    if (info.Kind > Kind::UnknownClass && (info.Visibility & visibility(compilers)))
      for (const StringLiteral& prefix : info.Prefixes)
        names.push_back((prefix + info.getName()).str());
  return names;
}

} // namespace faultline::program
