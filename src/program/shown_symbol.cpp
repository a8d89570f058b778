#include "program/shown_symbol.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <llvm/Demangle/Demangle.h>
#include <string_view>

namespace faultline::program {

namespace {

constexpr size_t hash_digits = 16;

// True for ::h0123456789abcdef.
bool ends_in_hash(const std::string& name) {
  constexpr size_t length = hash_digits + 3;
  return name.size() > length && name.compare(name.size() - length, 3, "::h") == 0 &&
         std::ranges::all_of(name.substr(name.size() - hash_digits),
                             [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Decodes an escape: $LT$ is <, $u20$ a space; empty if it is none.
std::string letter_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> known{
      {{"LT", "<"}, {"GT", ">"}, {"RF", "&"}, {"BP", "*"}, {"LP", "("}, {"RP", ")"}, {"C", ","}, {"SP", "@"}}};
  const auto found = std::ranges::find(known, word, &std::pair<std::string_view, std::string_view>::first);
  if (found != known.end())
    return std::string(found->second);
  if (word.size() != 3 || word[0] != 'u' || word.find_first_not_of("0123456789abcdef", 1) != std::string_view::npos)
    return {};
  return {char(std::stoi(std::string(word.substr(1)), nullptr, 16))};
}

// Returns <impl demo::Point> for _$LT$impl$u20$demo..Point$GT$.
std::string unescaped(const std::string& name) {
  std::string text;
  for (size_t i = 0; i < name.size();) {
    const size_t end = name[i] == '$' ? name.find('$', i + 1) : std::string::npos;
    const std::string letter =
        end == std::string::npos ? "" : letter_of(std::string_view(name).substr(i + 1, end - i - 1));
    if (!letter.empty()) {
      text += letter;
      i = end + 1;
    } else if (name.compare(i, 2, "..") == 0) {
      text += "::";
      i += 2;
    } else if (name.compare(i, 2, "_$") == 0 && (i == 0 || name[i - 1] == ':')) {
      ++i;
    } else {
      text += name[i++];
    }
  }
  return text;
}

using llvm::ItaniumPartialDemangler;

std::string text_of(const ItaniumPartialDemangler& demangler,
                    char* (ItaniumPartialDemangler::*part)(char*, size_t*) const) {
  size_t size = 0;
  char* const made = (demangler.*part)(nullptr, &size); // allocated by malloc
  const std::string text = made ? made : "";
  std::free(made);
  return text;
}

std::string without_arguments(const std::string& name) {
  std::string plain;
  int depth = 0;
  for (const char letter : name) {
    depth += letter == '<';
    if (depth == 0)
      plain += letter;
    depth -= letter == '>';
  }
  return plain;
}

// Returns where the template arguments of an operator may begin, after its own < and >; 0 if it is not such an
// operator.
size_t after_operator(const std::string& name) {
  for (const char* word : {"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"}) {
    const std::string whole = std::string("operator") + word;
    if (name.starts_with(whole) &&
        (name.size() == whole.size() || name[whole.size()] == '<' || name[whole.size()] == ' '))
      return whole.size();
  }
  return 0;
}

} // namespace

std::string rust_name(const std::string& symbol) {
  const std::string name = llvm::demangle(symbol);
  if (name == symbol)
    return {};
  if (symbol.starts_with("_R"))
    return name;
  return symbol.starts_with("_ZN") && ends_in_hash(name) ? unescaped(name.substr(0, name.size() - hash_digits - 3))
                                                         : std::string();
}

std::string without_template_arguments(const std::string& name) { return without_arguments(name); }

std::string readable_name(const std::string& name) {
  constexpr size_t longest = 80; // half a line of a wide terminal: a guess
  if (name.size() <= longest)
    return name;
  const size_t begin = after_operator(name);
  return name.substr(0, begin) + without_arguments(name.substr(begin));
}

CxxName cxx_name(const std::string& symbol) {
  ItaniumPartialDemangler demangler;
  if (!symbol.starts_with("_Z") || demangler.partialDemangle(symbol.c_str()) || !demangler.isFunction())
    return {};
  const std::string around = text_of(demangler, &ItaniumPartialDemangler::getFunctionDeclContextName);
  const std::string base = text_of(demangler, &ItaniumPartialDemangler::getFunctionBaseName);
  CxxName name{text_of(demangler, &ItaniumPartialDemangler::getFunctionName), base};
  if (!around.empty())
    name.plain = without_arguments(around) + "::" + base; // the base may be operator<
  return name;
}

std::string shown_symbol(const std::string& symbol) {
  if (const CxxName name = cxx_name(symbol); !name.full.empty())
    return readable_name(name.full);
  if (const std::string rust = rust_name(symbol); !rust.empty())
    return rust;
  if (symbol.starts_with("_QM")) // flang: _QMmodulePprocedure, _QMmoduleEvariable; names have no capital letters
    return symbol.substr(symbol.find_last_of("PE") + 1);
  const std::string name = llvm::demangle(symbol);
  const bool fortran = name == symbol && name.size() > 1 && name.ends_with("_") && !name.ends_with("__");
  return fortran ? name.substr(0, name.size() - 1) : name;
}

} // namespace faultline::program
