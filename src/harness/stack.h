// Sequences, arrays and matrices of numbers, one in another: std::vector<std::vector<double>>, Eigen::MatrixXd,
// std::array<std::complex<double>, 4>. All their numbers are one array of the harness, row by row.
#pragma once

#include "harness/harness.h"
#include "harness/values.h"

namespace faultline::harness {

class Stack {
public:
  // `shown` is the parameter's name to the user, `array` that of the harness's array.
  Stack(const Levels& levels, std::string shown, std::string array, const std::vector<Leaf>& leaves);

  std::string obstacle() const;
  bool is_free() const; // some extent is
  std::vector<std::string> constants() const;
  Named named() const;

  std::string filled(const std::string& variable, const Values& values) const; // defines it
  std::string emptied(const std::string& variable, const std::string& into, const Values& values) const;

private:
  struct Extent {
    std::string text; // a number, or the name of a constant
    bool free, matrix;
    const Form* form;
  };
  std::string place(const std::string& array, size_t leaf) const;
  std::string element(const std::string& variable) const;
  std::string loops() const;
  std::string defined(const std::string& variable) const;
  std::string resized(const std::string& variable) const;

  Levels levels_;
  std::string shown_, array_;
  std::vector<Leaf> leaves_;
  std::vector<Extent> extents_;
};

} // namespace faultline::harness
