// Reading the terms of a script.
//
// There is no tree of the text and no recursion: open parentheses wait on a stack of our own, so that terms may be
// nested as deeply as memory allows. What is shared by name, with let or a definition without parameters, is read once.
// A definition with parameters is read at each use with its operands in place; how much may be read in this way is
// bounded, because ten such definitions can stand for a term larger than any memory.
#pragma once

#include "constraint/smtlib/apply.h"
#include "constraint/smtlib/symbols.h"

namespace faultline::constraint {

// Scripts that need more are refused.
inline constexpr size_t most_nested = 2'000'000;    // parentheses open at one time
inline constexpr size_t most_operands = 5'000'000;  // that wait for their parenthesis
inline constexpr size_t most_symbols = 10'000'000;  // names
inline constexpr size_t most_expanded = 50'000'000; // bytes read in the uses of definitions with parameters

class TermReader {
public:
  TermReader(Theories& theories, Lexer& lexer, Symbols& symbols)
      : theories_(theories), system_(theories.system), lexer_(lexer), symbols_(symbols) {}

  // The term that comes next.
  Value read();
  // The same, of the body of a definition with parameters. Zeros stand in for the operands of a use, so that an error
  // is found where it was made; nobody needs the value.
  Value read_with(const std::vector<Parameter>& parameters);

  // Gives a name of the user's its number; `fail`s for a word of the language or of the theories.
  uint32_t user_symbol(const Token& name);
  // The same, of a name that has no meaning yet.
  uint32_t fresh_symbol(const Token& name);

private:
  struct Frame {
    enum class Kind : uint8_t {
      application, // of a function of the theories
      use,         // of a definition with parameters: its operands
      expansion,   // the same: its body
      bindings,    // of let
      body,        // of let
      annotation
    };
    Kind kind = Kind::application;
    Application application;                // `at` is set in all kinds
    const Definition* definition = nullptr; // of use and expansion
    size_t operands = 0;                    // where its own begin on the stack
    size_t names = 0;                       // of let: where they begin
    size_t bound = 0, hidden = 0;           // what to go back to
    size_t behind = 0;                      // of expansion: where the script goes on
  };

  void open(const Token& parenthesis);
  void open_indexed(const Token& parenthesis); // ((_ to_fp 8 24) ...
  void open_let(const Token& parenthesis);
  void next_binding();
  void close(const Token& parenthesis);
  void expand(Frame frame);
  Value atom(const Token& token);
  Value stand_in(const ScriptSort& sort);

  void deliver(Value value);
  bool receive(Frame& frame, Value& value); // is it now the value of the whole frame?
  void read_attributes(const Value& value);
  void push(Frame frame);

  Theories& theories_;
  System& system_;
  Lexer& lexer_;
  Symbols& symbols_;
  std::vector<Frame> frames_;
  std::vector<Value> operands_;
  std::vector<uint32_t> names_; // of the lets whose bindings are being read
  std::optional<Value> result_;
  size_t expansions_ = 0; // of definitions with parameters, open now
  size_t expanded_ = 0;   // bytes of them, read until now
};

} // namespace faultline::constraint
