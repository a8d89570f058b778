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

} // namespace faultline::judge
