// The reader of a script: one method per command.
#pragma once

#include "constraint/smtlib/apply.h"
#include "constraint/smtlib/reader.h"
#include "constraint/smtlib/values.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace faultline::constraint {

// The levels of push and pop. Levels of one command are equal and stored once, because (push 100000) is short.

// `State`: the state that a pop restores.
template <class State> class Levels {
public:
  size_t count() const { return count_; }

  void push(size_t count, State state) {
    if (count > 0)
      groups_.push_back({count, std::move(state)});
    count_ += count;
  }
  // Removes between one and all levels. Returns the state at the push of the lowest of them.
  State pop(size_t count) {
    count_ -= count;
    for (; groups_.back().count < count; groups_.pop_back())
      count -= groups_.back().count;
    State state = groups_.back().state;
    groups_.back().count -= count;
    if (groups_.back().count == 0)
      groups_.pop_back();
    return state;
  }
  void clear() {
    groups_.clear();
    count_ = 0;
  }

private:
  struct LevelGroup {
    size_t count;
    State state;
  };
  std::vector<LevelGroup> groups_;
  size_t count_ = 0;
};

// Reads the terms of a script.
//
// Reading builds no tree of the text and does not recurse: open parentheses are on an explicit stack, so terms may be
// nested as deeply as memory allows. Text shared by let or by a definition without parameters is read once. A
// definition with parameters is read again at each use with its operands. The total size of these uses is limited,
// because ten such definitions can describe a term larger than any memory.

// The meanings of names at a point in a script: variables and definitions, which last, and names bound by let or by the
// parameters of a definition, which hide them temporarily.
//
// A definition with parameters is read again at each use. Its parameters are then visible and the names bound around
// the use are not: `hide` sets the mark below which local names are ignored.
struct Parameter {
  uint32_t symbol = 0;
  ScriptSort sort;
};

struct Definition {
  std::vector<Parameter> parameters;
  ScriptSort result;
  size_t body = 0; // position in the text
};

class Symbols {
public:
  // Returns the number of a name. Names are not copied, so the text must remain in place.
  uint32_t number(std::string_view name);
  std::string_view name(uint32_t symbol) const { return symbols_[symbol].name; }
  size_t count() const { return symbols_.size(); }

  const Value* value(uint32_t symbol) const; // null if it has no value
  const Definition* definition(uint32_t symbol) const;
  bool is_defined(uint32_t symbol) const { return symbols_[symbol].is_defined; }

  void define(uint32_t symbol, Value value);
  void define(uint32_t symbol, Definition definition);
  // For (push) and (pop): the number of defined names, and a function that removes later ones.
  size_t defined() const { return defined_.size(); }
  void forget_to(size_t count);

  // Binds local names: last in, first out.
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
    uint32_t local = nowhere; // the latest binding
  };
  struct Binding {
    uint32_t symbol;
    uint32_t earlier; // binding of the same name
    Value value;
  };

  // A hash table with open addressing: large scripts consist mostly of names, and a map with nodes took a third of the
  // reading time.
  struct Slot {
    uint32_t hash = 0;
    uint32_t symbol = nowhere;
  };
  Slot& slot_of(std::string_view name, uint32_t hash);
  void grow();

  std::vector<Slot> slots_ = std::vector<Slot>(1024); // size is a power of two; at most half are used
  std::vector<Symbol> symbols_;
  std::vector<Definition> definitions_;
  std::vector<uint32_t> defined_; // symbols, in order
  std::vector<Binding> bound_;
  size_t hidden_ = 0;
};

// Scripts that need more are rejected.
inline constexpr size_t most_nested = 2'000'000;    // parentheses open at one time
inline constexpr size_t most_operands = 5'000'000;  // waiting for their closing parenthesis
inline constexpr size_t most_symbols = 10'000'000;  // names
inline constexpr size_t most_expanded = 50'000'000; // bytes read in the uses of definitions with parameters

class TermReader {
public:
  TermReader(Theories& theories, Lexer& lexer, Symbols& symbols)
      : theories_(theories), system_(theories.system), lexer_(lexer), symbols_(symbols) {}

  // Reads the next term.
  Value read();
  // Reads the body of a definition with parameters. Zeros replace the operands of a use, so that errors are found at
  // the definition. The value is not used.
  Value read_with(const std::vector<Parameter>& parameters);

  // Returns the number of a user's name; `fail`s for reserved words and names of the theories.
  uint32_t user_symbol(const Token& name);
  // As above, for a name without a meaning.
  uint32_t fresh_symbol(const Token& name);

private:
  struct Frame {
    enum class Kind : uint8_t {
      application, // of a function of the theories
      use,         // of a definition with parameters: reads the operands
      expansion,   // of the same: reads the body
      bindings,    // of let
      body,        // of let
      annotation
    };
    Kind kind = Kind::application;
    Application application;                // `at` is set in all kinds
    const Definition* definition = nullptr; // of use and expansion
    size_t operands = 0;                    // start of its operands on the stack
    size_t names = 0;                       // of let: their start
    size_t bound = 0, hidden = 0;           // the state to restore
    size_t behind = 0;                      // of expansion: the position at which the script continues
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
  bool receive(Frame& frame, Value& value); // true if it is the value of the whole frame
  void read_attributes(const Value& value);
  void push(Frame frame);

  Theories& theories_;
  System& system_;
  Lexer& lexer_;
  Symbols& symbols_;
  std::vector<Frame> frames_;
  std::vector<Value> operands_;
  std::vector<uint32_t> names_; // of the lets with open bindings
  std::optional<Value> result_;
  size_t expansions_ = 0; // open definitions with parameters
  size_t expanded_ = 0;   // bytes of them read so far
};

// Steps through the commands of a script and tracks assertions and declarations.
class Playback {
public:
  explicit Playback(Script& script) : script_(script) {}

  // Returns the next command that needs an answer: check, get_value, get_model or reply; null at the end. The
  // assertions of a check are in the script's system.
  const Command* next();
  // True while the answer of the last check is valid. New or removed declarations and assertions invalidate it (section
  // 4.1 of the standard), and with it the model.
  bool is_answered() const { return is_answered_; }
  // The order in which a model prints them.
  std::vector<const DeclaredVariable*> declared() const;

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
