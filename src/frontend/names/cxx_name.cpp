#include "frontend/names/cxx_name.h"

#include <cstdlib>
#include <llvm/Demangle/Demangle.h>

namespace faultline::frontend {
namespace {

using llvm::ItaniumPartialDemangler;

std::string text_of(const ItaniumPartialDemangler& demangler,
                    char* (ItaniumPartialDemangler::*part)(char*, size_t*) const) {
  size_t size = 0;
  char* const made = (demangler.*part)(nullptr, &size); // by malloc
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

// Where the template arguments of an operator may begin: its own < and > are none. 0 if it is no such operator.
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

} // namespace faultline::frontend
