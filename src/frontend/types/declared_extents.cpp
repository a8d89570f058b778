#include "frontend/types/declared_extents.h"

#include "frontend/compiling/fortran_statements.h"
#include "frontend/debug_type.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace faultline::frontend {
namespace {

namespace fs = std::filesystem;

// From that line on, as far as a procedure's declarations reach: a guess that is generous.
std::string text_from(const fs::path& file, unsigned line) {
  constexpr size_t most_lines = 1000, most_bytes = 1 << 20;
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    return {};
  std::ifstream stream(file, std::ios::binary);
  std::string text, one;
  for (unsigned at = 1; at < line + most_lines && text.size() < most_bytes && std::getline(stream, one); ++at)
    if (at >= line)
      text += one + "\n";
  return text;
}

// What stands between the parenthesis at `open` and its partner, parted at commas. `open` is then the partner's place.
std::vector<std::string> parts_inside(const std::vector<std::string>& words, size_t& open) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (; open < words.size(); ++open) {
    const std::string& word = words[open];
    depth += word == "(" || word == "[";
    if (depth == 1 && word == ",")
      parts.emplace_back();
    else if (depth > 1 || (word != "(" && word != ")" && word != "[" && word != "]"))
      parts.back() += word;
    depth -= word == ")" || word == "]";
    if (depth == 0)
      break;
  }
  return parts;
}

bool declares(const std::string& word) {
  static const std::set<std::string> types = {"integer", "real", "double", "complex", "logical", "dimension", "type"};
  return types.contains(word);
}

void read_statement(std::vector<std::string> words, DeclaredExtents& found) {
  for (std::string& word : words)
    word = lower_case(word);
  if (words.empty() || !declares(words.front()))
    return;
  const auto colons =
      std::ranges::adjacent_find(words, [](const auto& a, const auto& b) { return a == ":" && b == a; });
  const bool modern = colons != words.end();
  const size_t names = modern ? size_t(colons - words.begin()) + 2 : 1;
  std::vector<std::string> of_all; // dimension(n) :: a, b
  for (size_t i = 0; modern && i + 1 < names; ++i)
    if (words[i] == "dimension" && words[i + 1] == "(")
      of_all = parts_inside(words, ++i);
  for (size_t i = names; i < words.size(); ++i) {
    const std::string name = words[i];
    if (i + 1 < words.size() && words[i + 1] == "(")
      found[name] = parts_inside(words, ++i);
    else if (!of_all.empty() && name != ",")
      found[name] = of_all;
  }
}

std::string without_comments(const std::string& text) {
  std::string bare;
  for (size_t i = 0; i < text.size(); ++i)
    if (text.compare(i, 2, "/*") == 0)
      i = std::min(text.find("*/", i), text.size() - 2) + 1;
    else if (text.compare(i, 2, "//") == 0)
      i = std::min(text.find('\n', i), text.size()) - 1;
    else
      bare += text[i];
  return bare;
}

bool is_qualifier(const std::string& word) {
  return word == "static" || word == "const" || word == "restrict" || word == "volatile" || word == "__restrict";
}

} // namespace

DeclaredExtents extents_in_fortran(const std::vector<std::string>& statements) {
  DeclaredExtents found;
  for (const std::string& statement : statements) {
    const std::vector<std::string> words = fortran_words(statement);
    if (!words.empty() && (lower_case(words[0]) == "end" || lower_case(words[0]) == "contains"))
      break;
    read_statement(words, found);
  }
  return found;
}

DeclaredExtents extents_in_c(const std::string& text, const std::string& function) {
  DeclaredExtents found;
  std::vector<std::string> words = fortran_words(without_comments(text)); // the words are alike
  std::erase_if(words, is_qualifier);
  const auto name = std::ranges::find(words, function);
  int depth = 0;
  for (size_t i = size_t(name - words.begin()) + 1; i < words.size(); ++i) {
    depth += (words[i] == "(") - (words[i] == ")");
    if (depth == 0)
      break;
    if (words[i] != "[")
      continue;
    const std::string& array = words[i - 1];
    if (array != "]") {
      for (; i < words.size() && words[i] == "["; ++i)
        found[array].push_back(parts_inside(words, i).front());
      --i;
    }
  }
  return found;
}

void read_declared_extents(const llvm::DISubprogram& subprogram, Target& target) {
  const bool array = std::ranges::any_of(target.parameters, &Parameter::is_array);
  const bool integer = std::ranges::any_of(target.inputs, [](const Cell& cell) { return !cell.type.floating; });
  if (!array || !integer)
    return;
  const fs::path file = fs::path(subprogram.getDirectory().str()) / subprogram.getFilename().str();
  const std::string text = text_from(file, subprogram.getLine());
  const bool fortran = is_fortran(subprogram);
  DeclaredExtents found = fortran ? extents_in_fortran(fortran_statements(text, fortran_form(file.string())))
                                  : extents_in_c(text, subprogram.getName().str());
  for (Parameter& parameter : target.parameters)
    if (parameter.is_array)
      parameter.declared_extents = found[fortran ? lower_case(parameter.name) : parameter.name];
}

} // namespace faultline::frontend
