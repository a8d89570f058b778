// The reader of a script: a method for each command. reader.cpp has those that ask and assert, declarations.cpp those
// that give names a meaning.
#pragma once

#include "constraint/smtlib/apply.h"
#include "constraint/smtlib/reader.h"
#include "constraint/smtlib/values.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace faultline::constraint {

// The levels of push and pop. Those that one command makes are alike, and stand as one: (push 100000) is short to
// write.

// `State`: what a pop goes back to.
template <class State>
class Levels {
public:
  size_t count() const { return count_; }

  void push(size_t count, State state) {
    if (count > 0)
      alike_.push_back({count, std::move(state)});
    count_ += count;
  }
  // So many levels, at least one and no more than there are: the state when the lowest of them was pushed.
  State pop(size_t count) {
    count_ -= count;
    for (; alike_.back().count < count; alike_.pop_back())
      count -= alike_.back().count;
    State state = alike_.back().state;
    alike_.back().count -= count;
    if (alike_.back().count == 0)
      alike_.pop_back();
    return state;
  }
  void clear() {
    alike_.clear();
    count_ = 0;
  }

private:
  struct Alike {
    size_t count;
    State state;
  };
  std::vector<Alike> alike_;
  size_t count_ = 0;
};

// Reading the terms of a script.
//
// There is no tree of the text and no recursion: open parentheses wait on a stack of our own, so that terms may be
// nested as deeply as memory allows. What is shared by name, with let or a definition without parameters, is read once.
// A definition with parameters is read at each use with its operands in place; how much may be read in this way is
// bounded, because ten such definitions can stand for a term larger than any memory.

// What names mean at a place in a script: variables and definitions, which last; and the names bound by let and by the
// parameters of a definition, which hide them for a while.
//
// A definition with parameters is read again at each use. There its parameters are visible and the names bound around
// the use are not: `hide` sets the mark below which local names do not count.
struct Parameter {
  uint32_t symbol = 0;
  ScriptSort sort;
};

struct Definition {
  std::vector<Parameter> parameters;
  ScriptSort result;
  size_t body = 0; // its place in the text
};

class Symbols {
public:
  // The number of a name, which must stay where it is: names are not copied.
  uint32_t number(std::string_view name);
  std::string_view name(uint32_t symbol) const { return symbols_[symbol].name; }
  size_t count() const { return symbols_.size(); }

  const Value* value(uint32_t symbol) const; // none if it has no value
  const Definition* definition(uint32_t symbol) const;
  bool is_defined(uint32_t symbol) const { return symbols_[symbol].is_defined; }

  void define(uint32_t symbol, Value value);
  void define(uint32_t symbol, Definition definition);
  // For (push) and (pop): how many names have a meaning now, and forgetting those that came later.
  size_t defined() const { return defined_.size(); }
  void forget_to(size_t count);

  // Local names, last in, first out.
  void bind(uint32_t symbol, Value value);
  size_t bound() const { return bound_.size(); }
  bool is_bound_since(uint32_t symbol, size_t count) const {
    return symbols_[symbol].local != nowhere && symbols_[symbol].local >= count;
  }
  void unbind_to(size_t count);
  size_t hidden() const { return hidden_; }
  void hide(size_t count) { hidden_ = count; }

private:
  static constexpr uint32_t nowhere = UINT32_MAX;
  struct Symbol {
    std::string_view name;
    bool is_defined = false;
    Value value = {};
    uint32_t definition = nowhere;
    uint32_t local = nowhere; // its latest binding
  };
  struct Binding {
    uint32_t symbol;
    uint32_t earlier; // binding of the same name
    Value value;
  };

  // A table with open addressing: large scripts are names for the most part, and a map with nodes took a third of the
  // time to read them.
  struct Slot {
    uint32_t hash = 0;
    uint32_t symbol = nowhere;
  };
  Slot& slot_of(std::string_view name, uint32_t hash);
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(1024); // a power of two, at most half of them taken
  std::vector<Symbol> symbols_;
  std::vector<Definition> definitions_;
  std::vector<uint32_t> defined_; // symbols, in order
  std::vector<Binding> bound_;
  size_t hidden_ = 0;
};

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

// The commands of a script, one after the other, and what is asserted and declared where each of them stands.
class Playback {
public:
  explicit Playback(Script& script) : script_(script) {}

  // The next command that wants an answer: check, get_value, get_model or reply; none at the end. A check finds its
  // assertions in the script's system.
  const Command* next();
  // Does the answer of the last check still stand? Declarations and assertions that come or go end that (section 4.1 of
  // the standard), and with it what can be said of a model.
  bool is_answered() const { return is_answered_; }
  // As a model prints them.
  std::vector<const Declared*> declared() const;

private:
  struct Level {
    size_t assertions, declared;
  };
  bool play(const Command& command);
  void pop(size_t count);
  void assert_all(const Command& check);

  Script& script_;
  size_t at_ = 0;
  std::vector<Term> assertions_;
  std::vector<size_t> declared_;
  Levels<Level> levels_;
  bool is_answered_ = false;
};

} // namespace faultline::constraint
