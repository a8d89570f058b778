#include "frontend/flags/flag_values.h"

#include "frontend/debug_type.h"
#include "frontend/flags/flag_uses.h"

#include <bit>
#include <llvm/BinaryFormat/Dwarf.h>
#include <set>

namespace faultline::frontend {
namespace {

constexpr int most_mask_bits = 4; // that all combinations are tried of: 16

class Values {
public:
  explicit Values(const Type& type) : type_(type) {}

  void add(__int128 value) {
    const bool negative = type_.is_signed && type_.bits > 1;
    const __int128 beyond = __int128(1) << (type_.bits - (negative ? 1 : 0));
    if (value >= (negative ? -beyond : 0) && value < beyond && value <= INT64_MAX)
      values_.insert(int64_t(value));
  }

  // Cases are compared bit by bit: the -1 of an unsigned type is its largest value.
  void add_cases(const std::set<__int128>& cases) {
    std::set<__int128> all;
    for (const __int128 value : cases)
      all.insert(of_type(value));
    for (const __int128 value : all) {
      add(value);
      const int towards_zero = value > 0 ? -1 : 1;
      for (const int step : {towards_zero, -towards_zero})
        if (!all.contains(value + step)) {
          add(value + step);
          break;
        }
    }
  }

  void add_combinations(uint64_t mask) {
    if (std::popcount(mask) <= most_mask_bits) {
      for (uint64_t part = mask;; part = (part - 1) & mask) {
        add(of_type(part));
        if (part == 0)
          return;
      }
    }
    add(0);
    add(of_type(mask));
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
      add(of_type(rest & -rest));
  }

  void drop_if(const auto& is_wrong) { std::erase_if(values_, is_wrong); }

  // Evenly thinned out, with both ends.
  std::vector<int64_t> chosen() const {
    const std::vector<int64_t> all(values_.begin(), values_.end());
    if (all.size() <= most_flag_values)
      return all;
    std::vector<int64_t> some;
    for (size_t i = 0; i < most_flag_values; ++i)
      some.push_back(all[i * (all.size() - 1) / (most_flag_values - 1)]);
    return some;
  }

private:
  __int128 of_type(__int128 value) const {
    return type_.is_signed || value >= 0 || type_.bits >= 64 ? value : value + (__int128(1) << type_.bits);
  }

  const Type& type_;
  std::set<int64_t> values_;
};

void add_enumerators(const llvm::DIType* declared, Values& values) {
  auto* enumeration = composite(strip(declared).type, llvm::dwarf::DW_TAG_enumeration_type);
  if (!enumeration)
    return;
  for (const llvm::DINode* node : enumeration->getElements())
    if (auto* enumerator = llvm::dyn_cast<llvm::DIEnumerator>(node))
      values.add(enumerator->getValue().getSExtValue());
}

} // namespace

std::vector<int64_t> flag_values(const llvm::Argument& argument, const Type& type, const llvm::DIType* declared) {
  Values values(type);
  add_enumerators(declared, values);
  const std::optional<FlagUses> uses = flag_uses(argument, type.bits);
  const bool enumeration = !values.chosen().empty();
  if (uses && uses->mask != 0)
    values.add_combinations(uses->mask);
  if (uses && !enumeration) {
    values.add_cases(uses->cases);
    for (const __int128 index : uses->indices)
      values.add(index);
    for (const __int128 end : uses->ends)
      values.add(end);
  }
  if (uses && uses->masked_table)
    values.drop_if(
        [&](int64_t value) { return (uint64_t(value) & uses->masked_table->mask) >= uses->masked_table->length; });
  return values.chosen();
}

} // namespace faultline::frontend
