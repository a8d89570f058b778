// How the outputs of a function that belong together are compared with what is right: --unordered, --up-to-sign,
// --norm.
//
// An array is all the judged outputs that differ in their indices only: A[0], A[1], ... By itself the error of a
// matrix, an array of two dimensions or more, is that of the whole, by its largest element, and the elements of a
// vector are judged one by one.
#pragma once

#include "finding/settings/settings.h"
#include "frontend/target.h"
#include "oracle/judgement.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::judge {

class ArrayErrors {
public:
  // `outputs`: those that are judged.
  ArrayErrors(const frontend::Target& target, const finding::Settings& settings, const std::vector<size_t>& outputs);

  // Measures the errors of a judgement of these outputs anew, where an array is to be compared as such.
  void measure(oracle::Judgement& judgement) const;

  // What the error of an output is measured by: inf or 2; empty, if it is its own.
  std::string norm_of(size_t output) const;
  // Is the reference one of several that are right?
  bool is_matched(size_t output) const;

private:
  struct Array {
    std::vector<size_t> outputs; // in ascending order
    bool unordered = false, up_to_sign = false;
    finding::Norm norm = finding::Norm::component;
  };
  const Array* array_of(size_t output) const;
  void match(std::vector<oracle::OutputJudgement*>& elements, const Array& array) const;

  const frontend::Target& target_;
  double floor_;
  std::vector<Array> arrays_; // those that are compared in a way of their own
};

// Results that are right in more than one way: a set in any order (eigenvalues, roots), a vector with either sign
// (eigenvectors). What was computed is compared with the reference that is meant.

// What each element should have been, and how far that is known.
struct Meant {
  numeric::BigFloat reference;
  int64_t good_bits = INT64_MAX;
};

// Smallest to smallest, and so on. One for each element; as they are, if a value is NaN.
std::vector<Meant> matched_by_order(std::span<const oracle::OutputJudgement* const> elements);
// The references, or all of them negated, whichever is nearer as a whole.
std::vector<Meant> matched_by_sign(std::span<const oracle::OutputJudgement* const> elements);

// The error of an array as a whole: the largest element's, or the Euclidean length, of what was computed minus what is
// right, against the same of what is right. An algorithm for matrices that is as good as can be may lose all digits of
// an element that is small beside the others; where only the whole array is asked for, that is no fault.

// The elements' errors become those of the array: that of the worst element is the array's, and those of the others are
// their own, against the array's norm. Nothing changes where a value is infinite or NaN, or all references are zero.
// `elements`: of one array, all of one format.
void measure_normwise(std::span<oracle::OutputJudgement* const> elements, finding::Norm norm, numeric::Format format);

// Integers that say how long an array is: n, len, rows, lda. They are not searched, but held at what --size says.
//
// Which array an integer belongs to is told, in this order, by the declarations (x(n), a[n][m]: see
// frontend/discover.h), by its name (lda, lr and nx belong to a, r and x; rows and columns to the first
// matrix), and by its place: the next array behind it that has no length of its own. Where arrays of other sizes are
// about, the last is a guess, which the user is told.
struct Length {
  uint64_t value = 0;
  std::string array;   // the one that it belongs to; empty: a stride, which is 1
  bool certain = true; // told by a declaration or a name, or the same for all arrays
};

// None: the integer is no length of an array.
std::optional<Length> length_of(const frontend::Cell& cell, const frontend::Target& target);

// "n is held at 3, the size of diag; --hold n=N says otherwise": of those that are not certain and that nobody has set.
// Empty: there is none.
std::string guessed_lengths(const frontend::Target& target, const finding::Settings& settings);

} // namespace faultline::judge
