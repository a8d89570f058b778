#include "frontend/compiling/fortran_modules.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace faultline::frontend {
namespace {

constexpr int deepest_include = 16; // a file that includes itself ends somewhere

bool is_name(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) &&
         std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

// The compiler's own.
bool is_intrinsic(const std::string& module) {
  return module == "iso_c_binding" || module == "iso_fortran_env" || module.starts_with("ieee_") ||
         module == "omp_lib" || module == "openacc";
}

class Scanner {
public:
  Scanner(FortranForm form, const IncludedText& included) : form_(form), included_(included) {}

  void scan(const std::string& text, int depth = 0) {
    for (const std::string& statement : fortran_statements(text, form_))
      take(fortran_words(statement), depth);
  }

  FortranModules found;

private:
  void take(std::vector<std::string> words, int depth) {
    if (words.size() == 2 && lower_case(words[0]) == "include" && words[1].size() > 2 && depth < deepest_include) {
      scan(included_(words[1].substr(1, words[1].size() - 2)), depth + 1); // as it is written: files have capitals
      return;
    }
    for (std::string& word : words)
      word = lower_case(word);
    if (words.size() < 2)
      return;
    if (words[0] == "use")
      take_use(words);
    else if (words[0] == "module" && words.size() == 2 && is_name(words[1]) && words[1] != "procedure")
      found.defined.insert(words[1]);
    else if (words[0] == "submodule")
      take_submodule(words);
  }

  // use m; use m, only: ...; use :: m; use, intrinsic :: m
  void take_use(const std::vector<std::string>& words) {
    size_t at = 1;
    const bool has_nature = words[1] == "," && words.size() > 2;
    if (has_nature && words[2] == "intrinsic")
      return;
    if (has_nature)
      at = 3;
    while (at < words.size() && words[at] == ":")
      ++at;
    const bool ends = at + 1 >= words.size() || words[at + 1] == ",";
    if (at < words.size() && ends && is_name(words[at]) && !is_intrinsic(words[at]))
      found.used.insert(words[at]);
  }

  // submodule (ancestor) name, submodule (ancestor:parent) name
  void take_submodule(const std::vector<std::string>& words) {
    if (words.size() < 5 || words[1] != "(")
      return;
    const std::string& ancestor = words[2];
    found.used.insert(words[3] == ":" ? ancestor + ":" + words[4] : ancestor);
    found.defined.insert(ancestor + ":" + words.back());
  }

  FortranForm form_;
  const IncludedText& included_;
};

} // namespace

FortranModules modules_in(const std::string& text, FortranForm form, const IncludedText& included) {
  Scanner scanner(form, included);
  scanner.scan(text);
  return std::move(scanner.found);
}

} // namespace faultline::frontend
