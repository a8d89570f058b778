#include "runtime/entry_points.h"

#include "ops/table.h"
#include "runtime/abi.h"
#include "runtime/lift.h"
#include "runtime/tape_memory.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace faultline;
using namespace faultline::runtime;
using numeric::Format;

namespace {
Lifter* lifter = nullptr;
LiftHooks hooks;

// Runs `work` on the lifter.
template <typename Work> auto with_lifter(Work work) {
  hooks.enter();
  auto result = work();
  hooks.leave();
  if (lifter->over_limit())
    hooks.abandon();
  return result;
}

template <class Small> float rounded_to(auto value) { return std::bit_cast<float>(uint32_t(Small(value).bits())); }
template <class Small> float extended(float argument) {
  return Small::of_bits(uint16_t(std::bit_cast<uint32_t>(argument)));
}

using numeric::BFloat16;
using numeric::Float16;
const EntryPoint conversions[] = {
    {"__extendhfsf2", reinterpret_cast<void*>(&extended<Float16>)},
    {"__truncsfhf2", reinterpret_cast<void*>(&rounded_to<Float16, float>)},
    {"__truncdfhf2", reinterpret_cast<void*>(&rounded_to<Float16, double>)},
    {"__truncxfhf2", reinterpret_cast<void*>(&rounded_to<Float16, long double>)},
    {"__truncsfbf2", reinterpret_cast<void*>(&rounded_to<BFloat16, float>)},
    {"__truncdfbf2", reinterpret_cast<void*>(&rounded_to<BFloat16, double>)},
    {"__truncxfbf2", reinterpret_cast<void*>(&rounded_to<BFloat16, long double>)},
};

} // namespace

void faultline::runtime::set_lifter(Lifter* current, const LiftHooks& around) {
  lifter = current;
  hooks = around;
}

// The letters of FAULTLINE_ENTRY_POINTS as C++ types.
using V = void;
using I = uint32_t;
using L = uint64_t;
using P = void*;
using F = float;
using D = double;
using X = long double;

extern "C" {
#define FAULTLINE_DECLARE(name, result, parameters) result name parameters;
FAULTLINE_ENTRY_POINTS(FAULTLINE_DECLARE)
#undef FAULTLINE_DECLARE

I faultline_agrees(I op, I format, X a, X b, X c, X result) {
  const X expected = ops::evaluate(ops::Op(op), Format(format), a, b, c);
  // In a lifted run, tests of the rounding direction inside of a root (1 - tiny < 1) go the other way.
  if (lifter && ops::Op(op) == ops::Op::sqrt && std::isfinite(expected) && expected > 0)
    return result == expected || result == numeric::next_up(expected, Format(format)) ||
           result == numeric::next_down(expected, Format(format));
  return expected == result ? std::signbit(expected) == std::signbit(result)
                            : std::isnan(expected) && std::isnan(result);
}
I faultline_lift(I site, I a, I b, I c) {
  return with_lifter([&] { return lifter->operation(site, a, b, c); });
}
F faultline_lift_value_f32(I index) { return static_cast<float>(lifter->native(index)); }
D faultline_lift_value_f64(I index) { return static_cast<double>(lifter->native(index)); }
X faultline_lift_value_f80(I index) { return lifter->native(index); }
I faultline_lift_leaf_f32(F value, I format) {
  return with_lifter([&] { return lifter->leaf(value, Format(format)); });
}
I faultline_lift_leaf_f64(D value, I format) {
  return with_lifter([&] { return lifter->leaf(value, Format(format)); });
}
I faultline_lift_leaf_f80(X value, I format) {
  return with_lifter([&] { return lifter->leaf(value, Format(format)); });
}
V faultline_lift_call(I function, I rounds) { lifter->foreign().begin(function, rounds != 0); }
V faultline_lift_argument(I index) { lifter->pass(index); }
V faultline_lift_pointer(P pointer, L bytes, I kind) {
  hooks.enter();
  lifter->pass_memory(reinterpret_cast<uint64_t>(pointer), bytes, PointerKind(kind));
  hooks.leave();
}
V faultline_lift_foreign(I index) { lifter->mark_foreign(index); }
I faultline_lift_load_f32(P address, F value, I place) {
  return with_lifter([&] { return lifter->load(reinterpret_cast<uint64_t>(address), value, FloatPlace(place)); });
}
I faultline_lift_from_bits_f32(F value, I place, I bits) {
  return with_lifter([&] { return lifter->from_bits(value, FloatPlace(place), bits); });
}
I faultline_lift_load_f64(P address, D value, I place) {
  return with_lifter([&] { return lifter->load(reinterpret_cast<uint64_t>(address), value, FloatPlace(place)); });
}
I faultline_lift_from_bits_f64(D value, I place, I bits) {
  return with_lifter([&] { return lifter->from_bits(value, FloatPlace(place), bits); });
}
I faultline_lift_load_f80(P address, X value, I place) {
  return with_lifter([&] { return lifter->load(reinterpret_cast<uint64_t>(address), value, FloatPlace(place)); });
}
I faultline_lift_from_bits_f80(X value, I place, I bits) {
  return with_lifter([&] { return lifter->from_bits(value, FloatPlace(place), bits); });
}
I faultline_lift_load_weak(P address, L bits, I bytes) {
  // A double, or a float in the first half of it.
  uint32_t index = lifter->memory().get(reinterpret_cast<uint64_t>(address));
  if (index == 0)
    return 0;
  const auto single = static_cast<float>(lifter->native(index));
  const auto wide = static_cast<double>(lifter->native(index));
  const bool same_single = std::memcmp(&single, &bits, 4) == 0 && lifter->native(index) == single;
  const bool same_wide = bytes == 8 && std::memcmp(&wide, &bits, 8) == 0;
  return same_single || same_wide ? index : 0;
}
V faultline_lift_store(P address, I index) {
  hooks.enter();
  lifter->memory().set(reinterpret_cast<uint64_t>(address), index);
  hooks.leave();
}
V faultline_lift_read_bits(I index, I line) { lifter->read_bits(index, line); }
I faultline_lift_bits_at(P address) { return lifter->bits_at(reinterpret_cast<uint64_t>(address)); }
I faultline_lift_merged_bits(I a, I b) { return lifter->merged_bits(a, b); }
V faultline_lift_store_bits(P address, L bytes, I bits) {
  hooks.enter();
  lifter->memory().change(reinterpret_cast<uint64_t>(address), bytes, bits);
  hooks.leave();
}
V faultline_copy_shadow(P to, P from, L bytes) {
  if (!lifter)
    return copy_shadow(to, from, bytes);
  hooks.enter();
  lifter->memory().copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes);
  lifter->foreign().copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes);
  hooks.leave();
}
V faultline_clear_shadow(P to, L bytes) {
  if (!lifter)
    return clear_shadow(to, bytes);
  hooks.enter();
  lifter->memory().erase(reinterpret_cast<uint64_t>(to), bytes);
  hooks.leave();
}
I faultline_lift_compare(I site, I a, I b) {
  return with_lifter([&]() -> I { return lifter->compare(site, a, b); });
}
L faultline_lift_to_int(I site, I a, L native) {
  return with_lifter([&] { return uint64_t(lifter->to_int(site, a, int64_t(native))); });
}
}

// The conversions that compilers call where x86-64 has no instruction; defined here so that libgcc need not have them.
// A 16-bit float is passed like a float, in the low bits of a vector register.

std::vector<EntryPoint> faultline::runtime::entry_points() {
  const TapeMemory& memory = tape_memory();
  std::vector<EntryPoint> all = {
#define FAULTLINE_LIST(name, result, parameters) {#name, reinterpret_cast<void*>(&name)},
      FAULTLINE_ENTRY_POINTS(FAULTLINE_LIST)
#undef FAULTLINE_LIST
          {tape_symbol, memory.records},
      {shadow_symbol, memory.shadow},
      {state_symbol, memory.state},
  };
  all.insert(all.end(), std::begin(conversions), std::end(conversions));
  return all;
}
