// Code that makes a value from numbers, and code that takes it apart again.
#pragma once

#include "harness/declaration.h"
#include "harness/form.h"

#include <functional>
#include <string>
#include <vector>

namespace faultline::harness {

// The code for the n-th of the numbers: "z[2 * i + 1]".
using Number = std::function<std::string(size_t)>;

class Values {
public:
  explicit Values(Language language) : language_(language) {}

  // An expression of this form, made of the numbers from `next` on, which is moved behind them. `callee` is what a
  // function is called: the name of its table.
  std::string made(const Form& form, const Number& number, size_t& next, const std::string& table) const;

  // Statements that put the numbers of an expression into places, in the order in which `made` takes them.
  std::string taken(const Form& form, const std::string& expression, const Number& place, size_t& next) const;

private:
  std::string braces(const std::vector<std::string>& values, const Form& form) const;
  std::string array(const Form& form, const Number& number, size_t& next, const std::string& table, size_t level) const;
  std::string taken_array(const Form& form, const std::string& expression, const Number& place, size_t& next,
                          size_t level) const;

  Language language_;
};

} // namespace faultline::harness
