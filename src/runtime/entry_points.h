// The functions that instrumented code calls, as one list: name, result, parameters. The instrumentation declares them
// from it, the runtime defines them, and the JIT resolves them from it.
//
// Types: V void, I i32, L i64, P pointer, F float, D double, X x86_fp80.
#pragma once

#include <cstdint>
#include <vector>

namespace faultline::runtime {

// copy_shadow(to, from, bytes), clear_shadow(to, bytes): data flow of memcpy, memmove and memset.
// lift(site, a, b, c): carries out an operation in high precision; its index. lift_value_*(index): rounded to the
// format of its site, in the carrier of that. lift_leaf_*(value, format). lift_call(function, rounds),
// lift_argument(index), lift_pointer(pointer, bytes, kind), lift_foreign(leaf): after a call of code that is not
// instrumented, what it was given and made. lift_load_*(address, value, format), lift_store(address, index),
// lift_load_weak(address, bits, bytes). lift_compare(site, a, b): decided by the shadows. lift_to_int(site, a, native):
// the shadow's integer, saturated.
#define FAULTLINE_ENTRY_POINTS(ENTRY)                                                                                  \
  ENTRY(faultline_copy_shadow, V, (P, P, L))                                                                           \
  ENTRY(faultline_clear_shadow, V, (P, L))                                                                             \
  ENTRY(faultline_lift, I, (I, I, I, I))                                                                               \
  ENTRY(faultline_lift_value_f32, F, (I))                                                                              \
  ENTRY(faultline_lift_value_f64, D, (I))                                                                              \
  ENTRY(faultline_lift_value_f80, X, (I))                                                                              \
  ENTRY(faultline_lift_leaf_f32, I, (F, I))                                                                            \
  ENTRY(faultline_lift_leaf_f64, I, (D, I))                                                                            \
  ENTRY(faultline_lift_leaf_f80, I, (X, I))                                                                            \
  ENTRY(faultline_lift_call, V, (I, I))                                                                                \
  ENTRY(faultline_lift_argument, V, (I))                                                                               \
  ENTRY(faultline_lift_pointer, V, (P, L, I))                                                                          \
  ENTRY(faultline_lift_foreign, V, (I))                                                                                \
  ENTRY(faultline_lift_load_f32, I, (P, F, I))                                                                         \
  ENTRY(faultline_lift_load_f64, I, (P, D, I))                                                                         \
  ENTRY(faultline_lift_load_f80, I, (P, X, I))                                                                         \
  ENTRY(faultline_lift_load_weak, I, (P, L, I))                                                                        \
  ENTRY(faultline_lift_store, V, (P, I))                                                                               \
  ENTRY(faultline_lift_compare, I, (I, I, I))                                                                          \
  ENTRY(faultline_lift_to_int, L, (I, I, L))

struct EntryPoint {
  const char* name;
  void* address;
};

// Functions of FAULTLINE_ENTRY_POINTS and the data symbols of abi.h.
std::vector<EntryPoint> entry_points();

} // namespace faultline::runtime

// Also for our own code that moves or clears the memory of the code under test.
extern "C" void faultline_copy_shadow(void* to, void* from, uint64_t bytes);
extern "C" void faultline_clear_shadow(void* to, uint64_t bytes);
