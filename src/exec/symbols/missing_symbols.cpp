#include "exec/symbols/missing_symbols.h"

#include "frontend/names/shown_symbol.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <sys/mman.h>

namespace faultline::exec {
namespace {

constexpr uint64_t page = 4096;
// What is declared without a size (extern double table[]) is taken to be this large: a guess.
constexpr uint64_t least_variable = uint64_t(1) << 20;

std::deque<MissingSymbol>& all() { // addresses stay as it grows
  static std::deque<MissingSymbol> symbols;
  return symbols;
}

} // namespace

void* place_of_missing(const std::string& symbol, bool is_function, uint64_t bytes) {
  const auto known = std::ranges::find(all(), symbol, &MissingSymbol::symbol);
  if (known != all().end())
    return reinterpret_cast<void*>(known->begin + page);
  const uint64_t inside = is_function ? page : std::max(bytes, least_variable) / page * page + page;
  const uint64_t whole = page + inside + page; // a little before it and behind it is its own, too
  void* const place = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    throw std::runtime_error("no address space is left for " + symbol + ", which is not here");
  const auto begin = reinterpret_cast<uintptr_t>(place);
  all().push_back({symbol, is_function, begin, begin + whole});
  return reinterpret_cast<void*>(begin + page);
}

const MissingSymbol* missing_at(const void* address) {
  const auto where = reinterpret_cast<uintptr_t>(address);
  for (const MissingSymbol& missing : all())
    if (where >= missing.begin && where < missing.end)
      return &missing;
  return nullptr;
}

std::vector<std::string> missing_symbols() {
  std::vector<std::string> symbols;
  for (const MissingSymbol& missing : all())
    symbols.push_back(missing.symbol);
  return symbols;
}

std::string shown_name(const MissingSymbol& missing) { return frontend::shown_symbol(missing.symbol); }

} // namespace faultline::exec
