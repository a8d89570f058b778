#include "runtime/entry_points.h"

#include "runtime/abi.h"
#include "runtime/lift.h"
#include "runtime/tape_memory.h"

#include <cstring>

using namespace faultline;
using namespace faultline::runtime;
using numeric::Format;

namespace {
Lifter* lifter = nullptr;
LiftHooks hooks;

// Carries out `work` on the lifter.
template <typename Work>
auto with_lifter(Work work) {
  hooks.enter();
  auto result = work();
  hooks.leave();
  if (lifter->over_limit())
    hooks.abandon();
  return result;
}

template <typename Float>
uint32_t lifted_load(void* address, Float value, Format format) {
  uint32_t index = shadow_index(address);
  if (index != 0) {
    auto rounded = static_cast<Float>(lifter->native(index));
    constexpr size_t bytes = sizeof(Float) == 16 ? 10 : sizeof(Float);
    if (std::memcmp(&rounded, &value, bytes) == 0)
      return index;
  }
  return lifter->leaf(value, format);
}
} // namespace

void faultline::runtime::set_lifter(Lifter* current, const LiftHooks& around) {
  lifter = current;
  hooks = around;
}

namespace {
// The letters of FAULTLINE_ENTRY_POINTS as C++ types.
using V = void;
using I = uint32_t;
using L = uint64_t;
using P = void*;
using F = float;
using D = double;
using X = long double;
} // namespace

extern "C" {
#define FAULTLINE_DECLARE(name, result, parameters) result name parameters;
FAULTLINE_ENTRY_POINTS(FAULTLINE_DECLARE)
#undef FAULTLINE_DECLARE

I faultline_lift(I site, I a, I b, I c) { return with_lifter([&] { return lifter->operation(site, a, b, c); }); }
F faultline_lift_value_f32(I index) { return static_cast<float>(lifter->native(index)); }
D faultline_lift_value_f64(I index) { return static_cast<double>(lifter->native(index)); }
X faultline_lift_value_f80(I index) { return lifter->native(index); }
I faultline_lift_leaf_f32(F value) { return with_lifter([&] { return lifter->leaf(value, Format::binary32); }); }
I faultline_lift_leaf_f64(D value) { return with_lifter([&] { return lifter->leaf(value, Format::binary64); }); }
I faultline_lift_leaf_f80(X value) { return with_lifter([&] { return lifter->leaf(value, Format::extended80); }); }
I faultline_lift_load_f32(P address, F value) { return with_lifter([&] { return lifted_load(address, value, Format::binary32); }); }
I faultline_lift_load_f64(P address, D value) { return with_lifter([&] { return lifted_load(address, value, Format::binary64); }); }
I faultline_lift_load_f80(P address, X value) { return with_lifter([&] { return lifted_load(address, value, Format::extended80); }); }
I faultline_lift_load_weak(P address, L bits, I bytes) {
  uint32_t index = shadow_index(address);
  if (index == 0)
    return 0;
  uint64_t expected = 0;
  if (bytes == 4) {
    auto rounded = static_cast<float>(lifter->native(index));
    std::memcpy(&expected, &rounded, 4);
  } else {
    auto rounded = static_cast<double>(lifter->native(index));
    std::memcpy(&expected, &rounded, 8);
  }
  return expected == bits ? index : 0;
}
V faultline_lift_store(P address, I index) { set_shadow(address, index); }
I faultline_lift_compare(I site, I a, I b) { return with_lifter([&]() -> I { return lifter->compare(site, a, b); }); }
L faultline_lift_to_int(I site, I a, L native) { return with_lifter([&] { return uint64_t(lifter->to_int(site, a, int64_t(native))); }); }
}

std::vector<EntryPoint> faultline::runtime::entry_points() {
  const TapeMemory& memory = tape_memory();
  return {
#define FAULTLINE_LIST(name, result, parameters) {#name, reinterpret_cast<void*>(&name)},
      FAULTLINE_ENTRY_POINTS(FAULTLINE_LIST)
#undef FAULTLINE_LIST
          {tape_symbol, memory.records},
      {shadow_symbol, memory.shadow},
      {state_symbol, memory.state},
  };
}
