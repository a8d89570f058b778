// The reader of a script: a method for each command. reader.cpp has those that ask and assert, declarations.cpp those
// that give names a meaning.
#pragma once

#include "constraint/smtlib/levels.h"
#include "constraint/smtlib/reader.h"
#include "constraint/smtlib/terms.h"

namespace faultline::constraint {

class ScriptReader {
public:
  ScriptReader(std::string_view text, const std::string& file)
      : text_(text), lexer_(text, file), theories_(script_.system), terms_(theories_, lexer_, symbols_) {}

  Script read();

private:
  struct Row {
    std::string_view name;
    void (ScriptReader::*read)(size_t at); // up to its last parenthesis; none: it changes no problem
  };
  static const Row commands[];

  void read_command(const Token& parenthesis);
  void set_logic(size_t at);
  void set_info(size_t at);
  void declare_fun(size_t at);
  void declare_const(size_t at);
  void define_fun(size_t at);
  void define_const(size_t at);
  void define_sort(size_t at);
  void assert_term(size_t at);
  void check_sat(size_t at);
  void check_sat_assuming(size_t at);
  void get_value(size_t at);
  void get_model(size_t at);
  void push(size_t at);
  void pop(size_t at);
  void reset(size_t at);
  void reset_assertions(size_t at);
  void exit(size_t at);
  void echo(size_t at);
  void unsupported(size_t at);
  void refuse(size_t at);

  void declare(const Token& name);
  void reply(std::string text);
  void check(std::vector<Term> assumptions);
  int levels();
  Term formula(const char* what);
  void define(const Token& name, std::vector<Parameter> parameters);
  std::vector<Parameter> parameters();

  struct Level { // what to go back to
    size_t symbols, sorts;
  };

  std::string_view text_;
  Script script_;
  Lexer lexer_;
  Symbols symbols_;
  Sorts sorts_;
  Theories theories_;
  TermReader terms_;
  Levels<Level> levels_;
  Status status_ = Status::unknown; // of the next check
  bool has_logic_ = false, has_assertion_ = false, ended_ = false;
};

} // namespace faultline::constraint
