// How outputs that belong together are compared with the correct result: --unordered, --up-to-sign, --norm.
//
// An array consists of all judged outputs that differ only in their indices, and of the coordinates of vectors and both
// parts of complex numbers: A[0], A[1], ...; z(0,0).real, z(0,0).imag, ...; p.x, p.y. They are of one unit, so by
// default the error is that of the whole, by its largest element.
#pragma once

#include "model/settings/settings.h"
#include "model/target.h"
#include "oracle/judgement.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::judge {

class ArrayErrors {
public:
  // `outputs`: the judged ones.
  ArrayErrors(const model::Target& target, const model::Settings& settings, const std::vector<size_t>& outputs);

  // Measures the errors of these outputs again, where an array is compared as a whole.
  void measure(oracle::Judgement& judgement) const;

  // The norm of the error of an output: inf or 2; empty if its own error counts.
  std::string norm_of(size_t output) const;
  // True if the reference is one of several correct ones.
  bool is_matched(size_t output) const;

private:
  struct Array {
    std::vector<size_t> outputs; // in ascending order
    bool unordered = false, up_to_sign = false;
    model::Norm norm = model::Norm::component;
  };
  const Array* array_of(size_t output) const;
  void match(std::vector<oracle::OutputJudgement*>& elements, const Array& array) const;

  const model::Target& target_;
  double floor_;
  std::vector<Array> arrays_; // those that are not compared element by element
};

// Inputs of one unit, more than one each: the elements of an array, the coordinates of all vectors of one type, and
// numbers that are numbered: x1, x2.
using Units = std::vector<std::vector<size_t>>;
Units inputs_of_one_unit(const model::Target& target);

// Results that are correct in more than one form: a set in any order (eigenvalues, roots), a vector with either sign
// (eigenvectors). The computed values are compared with the matching reference.

// The correct value of each element, and its precision.
struct MatchedReference {
  numeric::BigFloat reference;
  int64_t good_bits = INT64_MAX;
};

// Matches smallest to smallest, and so on. One for each element; in the given order if a value is NaN.
std::vector<MatchedReference> matched_by_order(std::span<const oracle::OutputJudgement* const> elements);
// The references, or all of them negated, whichever is nearer to the whole array.
std::vector<MatchedReference> matched_by_sign(std::span<const oracle::OutputJudgement* const> elements);

// The error of an array as a whole: the largest element or the Euclidean length of the difference between computed and
// correct values, relative to the same norm of the correct values. Even the best matrix algorithm may lose all digits
// of an element that is small compared with the others. Where only the whole array matters, that is not a fault.

// Replaces the elements' errors: the worst element gets the array's error, the others get their own, relative to the
// array's norm. Nothing changes where a value is infinite or NaN, or all references are zero. `elements`: of one array,
// in one format.
void measure_normwise(std::span<oracle::OutputJudgement* const> elements, model::Norm norm, numeric::Format format);

// Integers that give the length of an array: n, len, rows, lda. They are not searched but held at the value of --size.
//
// The array of an integer is determined, in this order, by the declarations (x(n), a[n][m]: see program/discover.h),
// by its name (lda, lr and nx belong to a, r and x; rows and columns to the first matrix), and by its place: the next
// array behind it without a length of its own. If arrays of other sizes exist, the last is a guess, which is reported
// to the user.
struct Length {
  uint64_t value = 0;
  std::string array;   // the array it belongs to; empty: a stride, which is 1
  bool certain = true; // from a declaration or a name, or the same for all arrays
};

// Nothing if the integer is not a length of an array.
std::optional<Length> length_of(const model::Cell& cell, const model::Target& target);

// "n is held at 3, the size of diag; --hold n=N says otherwise": for lengths that are uncertain and not set. Empty if
// there are none.
std::string guessed_lengths(const model::Target& target, const model::Settings& settings);

} // namespace faultline::judge
