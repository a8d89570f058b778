#include "program/compiling/fortran_statements.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace faultline::program {
namespace {

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
      return; // a comment does not end a continuation
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

  // Adds a piece of the current statement.
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
  char quote_ = 0;         // of an open string
  bool continued_ = false; // on the next line, in free form
  std::vector<std::string> statements_;
};

} // namespace

FortranForm fortran_form(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  return ending == ".f" || ending == ".F" || ending == ".for" || ending == ".FOR" ? FortranForm::fixed
                                                                                  : FortranForm::free;
}

std::vector<std::string> fortran_statements(const std::string& text, FortranForm form) {
  Statements statements(form);
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    statements.add(line);
  return statements.end();
}

std::vector<std::string> fortran_words(const std::string& statement) {
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

std::string lower_case(std::string word) {
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return word;
}

} // namespace faultline::program
