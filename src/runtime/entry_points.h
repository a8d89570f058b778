// The functions that instrumented code calls, as one list of name, result and parameters. The instrumentation declares
// them, the runtime defines them, and the JIT resolves them from this list.
//
// Types: V void, I i32, L i64, P pointer, F float, D double, X x86_fp80.
#pragma once

#include <cstdint>
#include <vector>

namespace faultline::runtime {

// copy_shadow(to, from, bytes), clear_shadow(to, bytes): data flow of memcpy, memmove and memset.
// agrees(op, format, a, b, c, result): 1 if the machine's operation has this result, else 0.
// lift(site, a, b, c): evaluates an operation in high precision and returns its index.
// lift_value_*(index): the value rounded to its site's format, in the carrier of that format.
// lift_leaf_*(value, format): a new leaf.
// lift_call(function, rounds), lift_argument(index), lift_pointer(pointer, bytes, kind), lift_foreign(leaf): a call of
// uninstrumented code, its arguments and its result.
// lift_load_*(address, value, format and line), lift_store(address, index), lift_load_weak(address, bits, bytes):
// memory. lift_bits_at(address), lift_merged_bits(a, b), lift_store_bits(address, bytes, index),
// lift_from_bits_*(value, format and line, index): integers that contain bits of floats.
// lift_read_bits(index, line): the code looks at the bits of a float. lift_compare(site, a, b):
// decided by the shadows. lift_to_int(site, a, native): the shadow's integer, saturated.
#define FAULTLINE_ENTRY_POINTS(ENTRY)                                                                                  \
  ENTRY(faultline_copy_shadow, V, (P, P, L))                                                                           \
  ENTRY(faultline_clear_shadow, V, (P, L))                                                                             \
  ENTRY(faultline_agrees, I, (I, I, X, X, X, X))                                                                       \
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
  ENTRY(faultline_lift_read_bits, V, (I, I))                                                                           \
  ENTRY(faultline_lift_bits_at, I, (P))                                                                                \
  ENTRY(faultline_lift_merged_bits, I, (I, I))                                                                         \
  ENTRY(faultline_lift_store_bits, V, (P, L, I))                                                                       \
  ENTRY(faultline_lift_from_bits_f32, I, (F, I, I))                                                                    \
  ENTRY(faultline_lift_from_bits_f64, I, (D, I, I))                                                                    \
  ENTRY(faultline_lift_from_bits_f80, I, (X, I, I))                                                                    \
  ENTRY(faultline_lift_compare, I, (I, I, I))                                                                          \
  ENTRY(faultline_lift_to_int, L, (I, I, L))

struct EntryPoint {
  const char* name;
  void* address;
};

// Returns the functions of FAULTLINE_ENTRY_POINTS and the data symbols of abi.h.
std::vector<EntryPoint> entry_points();

} // namespace faultline::runtime

// Also called by Faultline's code that moves or clears the memory of the code under test.
extern "C" void faultline_copy_shadow(void* to, void* from, uint64_t bytes);
extern "C" void faultline_clear_shadow(void* to, uint64_t bytes);
