#include "constraint/smtlib/symbols.h"

#include <functional>
#include <utility>

namespace faultline::constraint {

Symbols::Slot& Symbols::slot_of(std::string_view name, uint32_t hash) {
  size_t at = hash & (slots_.size() - 1);
  while (slots_[at].symbol != nowhere && (slots_[at].hash != hash || symbols_[slots_[at].symbol].name != name))
    at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void Symbols::grow() {
  const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : old)
    if (slot.symbol != nowhere)
      slot_of(symbols_[slot.symbol].name, slot.hash) = slot;
}

uint32_t Symbols::number(std::string_view name) {
  const uint32_t hash = uint32_t(std::hash<std::string_view>()(name));
  Slot& slot = slot_of(name, hash);
  if (slot.symbol != nowhere)
    return slot.symbol;
  const uint32_t symbol = uint32_t(symbols_.size());
  slot = {hash, symbol};
  symbols_.push_back({name});
  if (2 * symbols_.size() > slots_.size())
    grow();
  return symbol;
}

const Value* Symbols::value(uint32_t symbol) const {
  const Symbol& known = symbols_[symbol];
  if (known.local != nowhere && known.local >= hidden_)
    return &bound_[known.local].value;
  return known.is_defined && known.definition == nowhere ? &known.value : nullptr;
}

const Definition* Symbols::definition(uint32_t symbol) const {
  const Symbol& known = symbols_[symbol];
  const bool is_local = known.local != nowhere && known.local >= hidden_;
  return is_local || known.definition == nowhere ? nullptr : &definitions_[known.definition];
}

void Symbols::define(uint32_t symbol, Value value) {
  symbols_[symbol].is_defined = true;
  symbols_[symbol].value = std::move(value);
  defined_.push_back(symbol);
}

void Symbols::define(uint32_t symbol, Definition definition) {
  symbols_[symbol].is_defined = true;
  symbols_[symbol].definition = uint32_t(definitions_.size());
  definitions_.push_back(std::move(definition));
  defined_.push_back(symbol);
}

void Symbols::forget_to(size_t count) {
  for (; defined_.size() > count; defined_.pop_back()) {
    Symbol& symbol = symbols_[defined_.back()];
    symbol.is_defined = false;
    symbol.value = {};
    if (symbol.definition != nowhere)
      definitions_.resize(symbol.definition);
    symbol.definition = nowhere;
  }
}

void Symbols::bind(uint32_t symbol, Value value) {
  bound_.push_back({symbol, symbols_[symbol].local, std::move(value)});
  symbols_[symbol].local = uint32_t(bound_.size() - 1);
}

void Symbols::unbind_to(size_t count) {
  while (bound_.size() > count) {
    symbols_[bound_.back().symbol].local = bound_.back().earlier;
    bound_.pop_back();
  }
}

} // namespace faultline::constraint
