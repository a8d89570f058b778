#include "frontend/compiling/fortran_modules.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
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

// A statement in words: names and numbers, and each other character by itself. Strings are a word with its quotes.
std::vector<std::string> words_of(const std::string& statement) {
  std::vector<std::string> words;
  for (size_t i = 0; i < statement.size();) {
    const auto c = static_cast<unsigned char>(statement[i]);
    size_t end = i + 1;
    if (c == '\'' || c == '"')
      end = std::min(statement.find(char(c), i + 1), statement.size() - 1) + 1;
    else if (std::isalnum(c) || c == '_')
      while (end < statement.size() &&
             (std::isalnum(static_cast<unsigned char>(statement[end])) || statement[end] == '_'))
        ++end;
    if (!std::isspace(c))
      words.push_back(statement.substr(i, end - i));
    i = end;
  }
  return words;
}

// Lines become statements: without comments, continued lines joined, parted at semicolons. Not in lower case yet.
class Statements {
public:
  explicit Statements(FortranForm form) : form_(form) {}

  void add(const std::string& line) {
    if (form_ == FortranForm::fixed)
      add_fixed(line);
    else
      add_free(line);
  }
  std::vector<std::string> end() {
    close();
    return std::move(statements_);
  }

private:
  void add_fixed(const std::string& line) {
    constexpr size_t label = 6, last = 72; // columns
    if (line.empty() || std::string_view("cC*!dD#").find(line[0]) != std::string_view::npos) {
      if (line.starts_with("#include"))
        whole(line.substr(1));
      return;
    }
    const bool continues = line.size() >= label && line[0] != '\t' && line[label - 1] != ' ' &&
                           line[label - 1] != '0' &&
                           line.substr(0, label - 1).find_first_not_of(' ') == std::string::npos;
    if (!continues)
      close();
    const size_t from = line[0] == '\t' ? 1 : label;
    take(line.size() > from ? line.substr(from, last - label) : "");
  }

  void add_free(const std::string& line) {
    if (line.starts_with("#")) {
      if (line.starts_with("#include"))
        whole(line.substr(1));
      return;
    }
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '!')
      return; // does not end a continuation
    const bool goes_on = continued_;
    continued_ = false;
    if (!goes_on)
      close();
    take(line.substr(goes_on && line[begin] == '&' ? begin + 1 : begin));
    const size_t end = current_.find_last_not_of(" \t\r");
    if (end != std::string::npos && current_[end] == '&') {
      current_.resize(end);
      continued_ = true;
    } else {
      quote_ = 0;
    }
  }

  // One more piece of the statement under way.
  void take(const std::string& piece) {
    for (const char c : piece) {
      if (quote_ != 0) {
        quote_ = c == quote_ ? char(0) : quote_;
      } else if (c == '\'' || c == '"') {
        quote_ = c;
      } else if (c == '!') {
        break;
      } else if (c == ';') {
        const bool continued = continued_;
        close();
        continued_ = continued;
        continue;
      }
      current_ += c;
    }
  }

  void whole(const std::string& statement) {
    close();
    statements_.push_back(statement);
  }
  void close() {
    if (current_.find_first_not_of(" \t\r") != std::string::npos)
      statements_.push_back(current_);
    current_.clear();
    quote_ = 0;
    continued_ = false;
  }

  FortranForm form_;
  std::string current_;
  char quote_ = 0;         // of a string that is not closed
  bool continued_ = false; // by the next line, in free form
  std::vector<std::string> statements_;
};

class Scanner {
public:
  Scanner(FortranForm form, const IncludedText& included) : form_(form), included_(included) {}

  void scan(const std::string& text, int depth = 0) {
    Statements statements(form_);
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      statements.add(line);
    for (const std::string& statement : statements.end())
      take(words_of(statement), depth);
  }

  FortranModules found;

private:
  void take(std::vector<std::string> words, int depth) {
    if (words.size() == 2 && lower(words[0]) == "include" && words[1].size() > 2 && depth < deepest_include) {
      scan(included_(words[1].substr(1, words[1].size() - 2)), depth + 1); // as it is written: files have capitals
      return;
    }
    for (std::string& word : words)
      word = lower(word);
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

  static std::string lower(std::string word) {
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return word;
  }

  FortranForm form_;
  const IncludedText& included_;
};

} // namespace

FortranForm fortran_form(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".f" || ending == ".F" || ending == ".for" || ending == ".FOR" ? FortranForm::fixed
                                                                                  : FortranForm::free;
}

FortranModules modules_in(const std::string& text, FortranForm form, const IncludedText& included) {
  Scanner scanner(form, included);
  scanner.scan(text);
  return std::move(scanner.found);
}

} // namespace faultline::frontend
