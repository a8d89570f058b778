// What names mean at a place in a script: variables and definitions, which last; and the names bound by let and by the
// parameters of a definition, which hide them for a while.
//
// A definition with parameters is read again at each use. There its parameters are visible and the names bound around
// the use are not: `hide` sets the mark below which local names do not count.
#pragma once

#include "constraint/smtlib/values.h"

namespace faultline::constraint {

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

} // namespace faultline::constraint
