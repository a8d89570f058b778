// BigFloat: an MPFR number with value semantics, and the rounding of MPFR numbers to the machine formats.
//
// Rounding is always to nearest, ties to even, as in the machine.
//
// Exponent range. MPFR keeps it per thread and starts narrower than its limits. The first BigFloat of a thread widens
// it to the extremes (use_full_exponent_range), and it is never narrowed, not even by round_to: an intermediate result
// that overflows a machine format must not overflow here. Code that uses bare mpfr_t before any BigFloat calls
// use_full_exponent_range itself.
#pragma once

#include "numeric/format.h"

#include <compare>
#include <cstdint>
#include <mpfr.h>
#include <string>

namespace faultline::numeric {

void use_full_exponent_range();

// Rounds in place to the nearest value of the format, with a single rounding, including subnormals, signed zeros and
// overflow to infinity. The number keeps its precision; if that is below the format's, only the range matters.
void round_to(mpfr_ptr value, Format format);

// Returns the nearest value of the format.
Value rounded(mpfr_srcptr value, Format format);

// Rounds to the number's precision. Most values are doubles, which MPFR converts several times as fast.
inline void set(mpfr_ptr number, long double value) {
  if (const auto rounded = double(value); rounded == value)
    mpfr_set_d(number, rounded, MPFR_RNDN);
  else
    mpfr_set_ld(number, value, MPFR_RNDN);
}

// MPFR's name of the direction.
inline mpfr_rnd_t mpfr_direction(Rounding rounding) {
  constexpr mpfr_rnd_t directions[] = {MPFR_RNDN, MPFR_RNDNA, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ}; // in the enum's order
  return directions[size_t(rounding)];
}

class BigFloat {
public:
  // A number of `precision` bits, initially NaN.
  explicit BigFloat(mpfr_prec_t precision = 53);
  // The value rounded to `precision` bits; exact at 64 bits or more.
  BigFloat(Value value, mpfr_prec_t precision);
  // Copies and assignments take over both value and precision.
  BigFloat(const BigFloat& other);
  BigFloat(BigFloat&& other) noexcept;
  BigFloat& operator=(const BigFloat& other);
  BigFloat& operator=(BigFloat&& other) noexcept;
  ~BigFloat();

  // Round to this number's precision.
  void set(float value);
  void set(double value);
  void set(long double value);
  void set(int64_t value);
  void set(int value) { set(static_cast<int64_t>(value)); }
  void set(const BigFloat& value);

  float to_float() const;
  double to_double() const;
  long double to_long_double() const;
  void round_to(Format format) { numeric::round_to(value_, format); }

  bool is_nan() const { return mpfr_nan_p(value_) != 0; }
  bool is_inf() const { return mpfr_inf_p(value_) != 0; }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  bool is_finite() const { return mpfr_number_p(value_) != 0; }
  bool is_negative() const { return mpfr_signbit(value_) != 0; }

  // Returns log2 |value| to a double's precision, for values of any exponent; -infinity for zero.
  double log2_magnitude() const;

  mpfr_prec_t precision() const { return mpfr_get_prec(value_); }
  mpfr_ptr raw() { return value_; }
  mpfr_srcptr raw() const { return value_; }

  // Returns a decimal with `digits` significant digits; with 0, as many as distinguish this number from its neighbours
  // at its precision.
  std::string to_string(int digits = 0) const;

  // Compare values, independent of precision. NaN is unordered and equals nothing; the zeros are equal.
  friend bool operator==(const BigFloat& a, const BigFloat& b) { return mpfr_equal_p(a.value_, b.value_) != 0; }
  friend std::partial_ordering operator<=>(const BigFloat& a, const BigFloat& b);

private:
  bool owns_limbs() const { return value_->_mpfr_d != nullptr; }

  mpfr_t value_; // the limb pointer is null after a move
};

// True if all numbers within 2^-good_bits (relative) of the value round to one value of the format. The error of the
// last bits of the value itself must be below that.
bool rounds_to_one(const BigFloat& value, int64_t good_bits, Format format);

// Units in the last place, and the error of a computed value against a reference.
//
// Definition. ulp(x) is the spacing of the format's values at x: 2^(e - p + 1) for 2^e <= |x| < 2^(e+1), at a power of
// two the spacing above it, and for zero and subnormal x the smallest subnormal. A correctly rounded result is
// therefore at most half an ulp (of its exact value) from it.
//
// Computed values are carried as Value, which holds the values of each format exactly. References are BigFloats. They
// are never rounded, and differences are computed exactly before they become a double.
//
// Special values, for every measure of error:
//   both NaN, or infinities of the same sign                     -> 0
//   exactly one NaN, exactly one infinite, opposite infinities   -> infinity
// so an error is never NaN and can be compared and sorted.

// Returns the exponent of ulp(x), which is a power of two. x need not be a value of the format.
int ulp_exponent(Value x, Format format);
Value ulp(Value x, Format format); // infinity for infinities, NaN for NaN

// The smallest normal number. Below it, values have fewer digits by design.
Value smallest_normal(Format format);
Value largest(Format format);

// |computed - reference|.
double absolute_error(Value computed, const BigFloat& reference);

// |computed - reference| / |reference|; infinity if only the reference is zero, 0 if both are.
double relative_error(Value computed, const BigFloat& reference);

// |computed - reference| / ulp(reference).
double ulp_error(Value computed, const BigFloat& reference, Format format);

// log2(1 + ulps): roughly, the number of wrong trailing bits.
double bits_of_error(double ulps);

} // namespace faultline::numeric
